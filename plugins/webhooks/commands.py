"""`cms webhooks`: the deliveries that have failed."""

from __future__ import annotations

from typing import Any

import click

from cms.plugin import Site, json_option, pass_site, print_json, print_table

from .store import WAITING, FailedRow, failed, send_again

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
    found = [_describe(row) for row in failed(site)]
    if as_json:
        print_json(found)
        return
    print_table(
        COLUMNS,
        [
            (
                f["delivery"],
                f["webhook"],
                f["url"],
                f["event"],
                f["item"],
                f["status"],
                f["tries"],
                f["next_try"] or "-",
                f["error"],
            )
            for f in found
        ],
    )


@webhooks.command()
@click.argument("ids", type=int, nargs=-1)
@click.option("--all", "every", is_flag=True, help="All of them.")
@json_option
@pass_site
def retry(site: Site, ids: tuple[int, ...], every: bool, as_json: bool) -> None:
    """Have the failed deliveries with these IDS sent at once, as if for the first time."""
    chosen = _choose_failed(site, ids, every)
    send_again(site, chosen)
    if as_json:
        print_json({"retried": len(chosen)})
    else:
        click.echo(f"Retried: {len(chosen)} delivery(s).")


def _choose_failed(site: Site, ids: tuple[int, ...], every: bool) -> list[int]:
    if bool(ids) == every:
        raise click.UsageError("Name deliveries by their numbers, or all of them with --all.")
    chosen = [row["id"] for row in failed(site) if every or row["id"] in ids]
    if ids and not chosen:
        raise click.ClickException('There are no such failed deliveries. "cms webhooks" shows all of them.')
    return chosen


def _describe(row: FailedRow) -> dict[str, Any]:
    waits = row["status"] == WAITING and row["active"]
    return {
        "delivery": row["id"],
        "webhook": row["webhook_id"],
        "url": row["url"],
        "event": row["event"],
        "item": row["item_id"],
        "status": row["status"],
        "tries": row["tries"],
        "code": row["code"],
        "error": row["error"],
        "next_try": row["due_gmt"] if waits else None,
    }
