"""`cms audit`: the latest entries."""

from __future__ import annotations

from collections.abc import Mapping

import click
import orjson

from cms.plugin import Site, json_option, pass_site, print_json, print_table

from .store import AuditStore, EntryRow

COLUMNS = ("Entry", "When", "Times", "Login", "Address", "Signed in by", "Action", "What", "Title", "Fields")
NOBODY = "-"


@click.command()
@click.option("--login", help="Only what the account with this login did.")
@click.option("--action", help="Only this action, such as deleted or sign_in_failed.")
@click.option("--resource", help="Only what was done to things of this kind, such as post.")
@click.option("--item", type=int, help="Only what was done to the thing with this id.")
@click.option(
    "--number", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many at most."
)
@json_option
@pass_site
def audit(site: Site, number: int, as_json: bool, **filters: object) -> None:
    """List who changed what, the latest first. Dates are in GMT."""
    wanted = {name: value for name, value in filters.items() if value is not None}
    found = [_describe(row) for row in AuditStore(site.database).list(wanted, "id", "desc", number, 0)]
    if as_json:
        print_json(found)
        return
    print_table(COLUMNS, map(_cells, found))


def _describe(row: EntryRow) -> dict[str, object]:
    described: dict[str, object] = {name: value for name, value in row.items() if name != "spot"}
    return {**described, "fields": orjson.loads(row["fields"]), "changes": orjson.loads(row["changes"])}


def _cells(found: Mapping[str, object]) -> tuple[object, ...]:
    fields = found["fields"]
    return (
        found["id"],
        found["last_gmt"],
        found["times"],
        found["login"] or NOBODY,
        found["address"] or NOBODY,
        found["sign_in"] or NOBODY,
        found["action"],
        f"{found['resource']} {found['item_id']}",
        found["title"],
        ", ".join(fields) if isinstance(fields, list) else "",
    )
