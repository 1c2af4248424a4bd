"""Values in the JSON of a column `meta`: expressions for queries, with the very text that their indexes have."""

from __future__ import annotations

import re
from typing import Any

from peewee import SQL, NodeList

from cms.db.connection import Database
from cms.db.indexes import PREFIX
from cms.db.peewee_types import Expression
from cms.db.sqlite.words import IGNORING_CASE, json_sorted, json_value, json_value_or

COLUMN = "meta"
#: Where the column comes in texts that are made once.
MARK = "\0"
#: The column of an item without values.
EMPTY = "'{}'"
#: What the indexes of a table begin with, and what lists are ordered by where nothing else is asked for.
SCOPES = {
    "content": (("type", "status"), "date_gmt"),
    "terms": (("taxonomy",), "sort_name"),
    "users": ((), "sort_name"),
    "comments": (("status",), "date_gmt"),
}
#: Words with single underscores: two stand between a type and a field.
PLAIN = re.compile(r"(?:[A-Za-z0-9]+_)*[A-Za-z0-9]+")


def meta_value(model: Any, name: str, default: Any) -> Expression:
    """Build the expression of a value by its name; what isn't stored is its default."""
    before, after = _parts(name, default)
    return NodeList((SQL(before), getattr(model, COLUMN), SQL(after)))


def meta_order(model: Any, name: str, default: Any, ignores_case: bool) -> Expression:
    """Build the expression to order by a value."""
    return _order_by(getattr(model, COLUMN), name, default, ignores_case)


def empty_meta_order(name: str, default: Any, ignores_case: bool) -> Expression:
    """Build what items without the value are ordered by, as a value is: databases may compare keys of their own."""
    return _order_by(SQL(EMPTY), name, default, ignores_case)


def _order_by(values: Any, name: str, default: Any, ignores_case: bool) -> Expression:
    before, after = _split(json_sorted(MARK, name, _literal(default)))
    value = NodeList((SQL(before), values, SQL(after)))
    return NodeList((value, SQL(IGNORING_CASE))) if ignores_case else value


def meta_indexes(
    table: str,
    name: str,
    default: Any,
    *,
    filterable: bool,
    sortable: bool,
    ignores_case: bool,
    type: str = "",
) -> dict[str, str]:
    """Return the indexes that serve a value's filter and order, as statements by the index's name.

    With a `type` they hold the items of that type alone: all others cost them nothing.
    """
    value = COLUMN.join(_parts(name, default))
    scope, usual = SCOPES.get(table, ((), "id"))
    wanted = {}
    if filterable:
        wanted["filter"] = (value, usual)
    if sortable:
        wanted["order"] = (f"{value} {IGNORING_CASE}" if ignores_case else value, "id")
    statements = {}
    for use, (key, last) in wanted.items():
        index = _index_name(table, type, name, use)
        statement = f"CREATE INDEX {index} ON {table} ({', '.join([*scope, key, last])})"
        statements[index] = statement + (f" WHERE type = '{type}'" if type else "")
    return statements


def unique_index(table: str, name: str, type: str = "") -> dict[str, str]:
    """Return the index that keeps two items from having the same value, as a statement by its name."""
    index, value = unique_index_name(table, name, type), COLUMN.join(_parts(name, None))
    condition = f"{value} IS NOT NULL"
    if type:
        condition = f"type = '{type}' AND {condition}"
    return {index: f"CREATE UNIQUE INDEX {index} ON {table} ({value}) WHERE {condition}"}


def unique_index_name(table: str, name: str, type: str = "") -> str:
    """Return the name of the index that keeps two items from having the same value."""
    return _index_name(table, type, name, "unique")


def _index_name(table: str, type: str, name: str, use: str) -> str:
    whole = f"{type}__{name}" if type else name
    # Others could share a name: a-b with a_b, or c of a__b with b__c of a.
    if not all(map(PLAIN.fullmatch, (type or name, name))):
        whole = f"{type.replace('-', '$')}$${name}"
    return f"{PREFIX}{table}_{whole}_{use}"


def has_value(database: Database, table: str, name: str, value: object, type: str = "") -> bool:
    """Tell whether an item has a value, of a type of content where one is named."""
    before, after = _parts(name, None)
    condition = f"{before}{COLUMN}{after} = ?"
    values: tuple[object, ...] = (value,)
    if type:
        condition, values = f"type = ? AND {condition}", (type, value)
    return bool(database.exists(f"SELECT 1 FROM {table} WHERE {condition}", values))  # noqa: S608 (own names)


def _parts(name: str, default: Any) -> tuple[str, str]:
    """Return the SQL before and after the column that makes the value."""
    literal = _literal(default)
    return _split(json_value(MARK, name) if literal is None else json_value_or(MARK, name, literal))


def _split(text: str) -> tuple[str, str]:
    before, _mark, after = text.partition(MARK)
    return before, after


def _literal(default: Any) -> str | None:
    """Write a default out, None for one that isn't a single value."""
    if isinstance(default, str):
        return "'" + default.replace("'", "''") + "'"
    if isinstance(default, float):
        return repr(default)
    if isinstance(default, (bool, int)):
        return str(int(default))
    return None
