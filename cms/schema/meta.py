"""Fields that are kept beside an item without code: as JSON in the column `meta` of its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo
from typing import Any

import orjson
from marshmallow import missing
from peewee import SQL, NodeList

from cms.dates import sent_gmt, to_local
from cms.db.indexes import PREFIX
from cms.schema.fields import DateTime, Field, String

COLUMN = "meta"
#: What the indexes of a table begin with, and what lists are ordered by where nothing else is asked for.
SCOPES = {
    "content": (("type", "status"), "date_gmt"),
    "terms": (("taxonomy",), "sort_name"),
    "users": ((), "sort_name"),
    "comments": (("status",), "date_gmt"),
}


def load_meta(page: Any) -> dict[int, dict[str, Any]]:
    """Return what is kept beside the items of a page, by id."""
    return {row["id"]: orjson.loads(row[COLUMN]) for row in page.rows}


def meta_field(name: str, field: Field) -> Field:
    """Return a field, as a plugin declares it, that reads its value from what is kept beside the item."""
    default = _default(field)

    def read(row: Any, page: Any) -> Any:
        return page.loaded[load_meta][row["id"]].get(name, default)

    def read_date(row: Any, page: Any) -> Any:
        value = read(row, page)
        return to_local(value, page.zone) if isinstance(value, str) else value

    return field.copy(
        columns=("id", COLUMN),
        load=load_meta,
        in_meta=True,
        added=True,
        reader=read_date if isinstance(field, DateTime) else read,
        null=default if field.null is missing else field.null,
    )


def changed_meta(
    fields: Mapping[str, Field], args: Mapping[str, Any], row: Any, zone: tzinfo
) -> dict[str, Any]:
    """Return the column with the sent values put in; a value that is the field's default takes no room."""
    sent = {name: args[name] for name in fields if name in args}
    if not sent:
        return {}
    kept = orjson.loads(row[COLUMN]) if row is not None else {}
    for name, value in sent.items():
        if value == _default(fields[name]):
            kept.pop(name, None)
        else:
            kept[name] = (
                sent_gmt(value, None, _text(kept.get(name)), zone) if isinstance(value, datetime) else value
            )
    return {COLUMN: orjson.dumps(kept).decode()}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _default(field: Field) -> Any:
    return None if field.load_default is missing else field.load_default


def _parts(name: str, field: Field) -> tuple[str, str]:
    """Return the SQL before and after the column that makes the field's value; what isn't kept is its default."""
    default = _default(field)
    if isinstance(default, str):
        literal = "'" + default.replace("'", "''") + "'"
    elif isinstance(default, (bool, int)):
        literal = str(int(default))
    else:
        return "json_extract(", f", '$.{name}')"
    return "ifnull(json_extract(", f", '$.{name}'), {literal})"


def value_of(model: Any, name: str, field: Field) -> Callable[[], Any]:
    """Return what builds the expression of a field's value in a query; its text is that of the index."""
    before, after = _parts(name, field)
    return lambda: NodeList((SQL(before), getattr(model, COLUMN), SQL(after)))


def order_of(model: Any, name: str, field: Field) -> Callable[[], Any]:
    """Return what builds the expression to order by a field; case doesn't count in texts."""
    build = value_of(model, name, field)
    return lambda: NodeList((build(), SQL(_collation(field)))) if _collation(field) else build()


def _collation(field: Field) -> str:
    return "COLLATE NOCASE" if isinstance(field, String) and not isinstance(field, DateTime) else ""


def indexes_of(table: str, name: str, field: Field) -> dict[str, str]:
    """Return the indexes that serve a field's filter and order, as statements by the index's name."""
    value = f"{COLUMN}".join(_parts(name, field))
    scope, usual = SCOPES.get(table, ((), "id"))
    wanted = {"filter": (value, usual)} if field.filterable else {}
    if field.sortable:
        wanted["order"] = (f"{value} {_collation(field)}".strip(), "id")
    statements = {}
    for use, (key, last) in wanted.items():
        index = f"{PREFIX}{table}_{name}_{use}"
        statements[index] = f"CREATE INDEX {index} ON {table} ({', '.join([*scope, key, last])})"
    return statements
