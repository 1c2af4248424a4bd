"""`cms webhooks`: the deliveries that have failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from cms.plugin import OpenDeliveryRow, Site, json_option, pass_site, print_json, print_table

from .store import PLUGIN, WebhookStore

COLUMNS = ("Delivery", "Webhook", "Address", "Event", "Item", "State", "Tries", "Next try", "Last error")


@click.group(invoke_without_command=True)
@json_option
@pass_site
def webhooks(site: Site, as_json: bool) -> None:
    """List the deliveries of webhooks that have failed, whether they are tried again or were set aside.

    Dates are in GMT.
    """
    if click.get_current_context().invoked_subcommand is not None:
        return
    store = WebhookStore(site.database)
    found = []
    for row in site.outbox.deliveries(PLUGIN).failed():
        found.append(_describe(row, store))
    if as_json:
        print_json(found)
        return
    print_table(COLUMNS, map(_cells, found))


@webhooks.command()
@click.argument("ids", type=int, nargs=-1)
@click.option("--all", "every", is_flag=True, help="All of them.")
@json_option
@pass_site
def retry(site: Site, ids: tuple[int, ...], every: bool, as_json: bool) -> None:
    """Have the failed deliveries with these IDS sent at once, as if for the first time."""
    chosen = _choose_failed(site, ids, every)
    site.outbox.deliveries(PLUGIN).retry(chosen)
    if as_json:
        print_json({"retried": len(chosen)})
    else:
        click.echo(f"Retried: {len(chosen)} delivery(s).")


def _choose_failed(site: Site, ids: tuple[int, ...], every: bool) -> list[int]:
    if bool(ids) == every:
        raise click.UsageError("Name deliveries by their numbers, or all of them with --all.")
    chosen = []
    for row in site.outbox.deliveries(PLUGIN).failed():
        if every or row["id"] in ids:
            chosen.append(row["id"])
    if ids and not chosen:
        raise click.ClickException('There are no such failed deliveries. "cms webhooks" shows all of them.')
    return chosen


def _describe(row: OpenDeliveryRow, store: WebhookStore) -> dict[str, Any]:
    webhook = store.find(row["target"])
    waits = row["status"] == "waiting" and not row["is_paused"]
    return {
        "delivery": row["id"],
        "webhook": int(row["target"]),
        "url": webhook["url"] if webhook else "",
        "event": row["name"],
        "item": row["item_id"],
        "status": row["status"],
        "tries": row["tries"],
        "code": row["code"],
        "error": row["error"],
        "next_try": row["due_gmt"] if waits else None,
    }


def _cells(found: Mapping[str, object]) -> tuple[object, ...]:
    return (
        found["delivery"],
        found["webhook"],
        found["url"],
        found["event"],
        found["item"],
        found["status"],
        found["tries"],
        found["next_try"] or "-",
        found["error"],
    )
