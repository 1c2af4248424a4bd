"""Values in the JSON of a column `meta`: expressions for queries, with the very text that their indexes have."""

from __future__ import annotations

from typing import Any

from peewee import SQL, NodeList

from cms.db.indexes import PREFIX
from cms.db.peewee_types import Expression

COLUMN = "meta"
#: What the indexes of a table begin with, and what lists are ordered by where nothing else is asked for.
SCOPES = {
    "content": (("type", "status"), "date_gmt"),
    "terms": (("taxonomy",), "sort_name"),
    "users": ((), "sort_name"),
    "comments": (("status",), "date_gmt"),
}
IGNORING_CASE = "COLLATE NOCASE"


def meta_value(model: Any, name: str, default: Any) -> Expression:
    """Build the expression of a value by its name; what isn't stored is its default."""
    before, after = _parts(name, default)
    return NodeList((SQL(before), getattr(model, COLUMN), SQL(after)))


def meta_order(model: Any, name: str, default: Any, ignores_case: bool) -> Expression:
    """Build the expression to order by a value."""
    value = meta_value(model, name, default)
    return NodeList((value, SQL(IGNORING_CASE))) if ignores_case else value


def meta_indexes(
    table: str, name: str, default: Any, *, filterable: bool, sortable: bool, ignores_case: bool
) -> dict[str, str]:
    """Return the indexes that serve a value's filter and order, as statements by the index's name."""
    value = COLUMN.join(_parts(name, default))
    scope, usual = SCOPES.get(table, ((), "id"))
    wanted = {}
    if filterable:
        wanted["filter"] = (value, usual)
    if sortable:
        wanted["order"] = (f"{value} {IGNORING_CASE}" if ignores_case else value, "id")
    statements = {}
    for use, (key, last) in wanted.items():
        index = f"{PREFIX}{table}_{name}_{use}"
        statements[index] = f"CREATE INDEX {index} ON {table} ({', '.join([*scope, key, last])})"
    return statements


def _parts(name: str, default: Any) -> tuple[str, str]:
    """Return the SQL before and after the column that makes the value."""
    if isinstance(default, str):
        literal = "'" + default.replace("'", "''") + "'"
    elif isinstance(default, (bool, int)):
        literal = str(int(default))
    else:
        return "json_extract(", f", '$.{name}')"
    return "ifnull(json_extract(", f", '$.{name}'), {literal})"
