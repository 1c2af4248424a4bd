"""Fields that are stored in an item's column `meta`, as JSON, without code of the plugin that brings them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo
from typing import Any

import orjson
from marshmallow import missing

from cms.dates import sent_gmt, to_local
from cms.db.meta_values import COLUMN, empty_meta_order, meta_indexes, meta_order, meta_value, unique_index
from cms.db.peewee_types import Build, Expression
from cms.schema.fields import DateTime, Field, String


def load_meta(page: Any) -> dict[int, dict[str, Any]]:
    """Return what the column holds for the items of a page, by id, with the present addresses of the site's files."""
    show = page.site.own_files.show
    return {row["id"]: orjson.loads(show(row[COLUMN])) for row in page.rows}


def meta_field(name: str, field: Field) -> Field:
    """Return a field, as a plugin declares it, that reads its value from the column."""
    default, key = default_of(field), stored_name(name, field)

    def read(row: Mapping[str, Any], page: Any) -> Any:
        return page.load(load_meta)[row["id"]].get(key, default)

    def read_date(row: Mapping[str, Any], page: Any) -> Any:
        value = read(row, page)
        return to_local(value, page.zone) if isinstance(value, str) else value

    show = field.show

    def read_shown(row: Mapping[str, Any], page: Any) -> Any:
        return show(read(row, page), page) if show is not None else None

    reader = read_date if isinstance(field, DateTime) else read
    return field.copy(
        columns=("id", COLUMN),
        load=load_meta,
        in_meta=True,
        added=True,
        reader=reader if show is None else read_shown,
        null=default if field.null is missing and not field.required else field.null,
    )


def stored_name(name: str, field: Field) -> str:
    """Return under which name the column has a field's value."""
    return field.stored_as or name


def changed_meta(
    fields: Mapping[str, Field],
    args: Mapping[str, Any],
    present: str,
    zone: tzinfo,
    store: Callable[[str], str],
) -> dict[str, str]:
    """Return the column, which holds `present`, with the sent values put in; empty where none was sent.

    A value that is the field's default takes no room. `store` makes of the column's text what is stored.
    """
    sent = {name: args[name] for name in fields if name in args}
    if not sent:
        return {}
    meta = orjson.loads(present)
    for name, value in sent.items():
        key = stored_name(name, fields[name])
        if value == default_of(fields[name]):
            meta.pop(key, None)
        elif isinstance(value, datetime):
            meta[key] = sent_gmt(value, None, _text(meta.get(key)), zone)
        else:
            meta[key] = value
    return {COLUMN: store(orjson.dumps(meta).decode())}


def default_of(field: Field) -> Any:
    """Return the value of a field where none is stored."""
    return None if field.load_default is missing else field.load_default


def value_of(model: Any, name: str, field: Field) -> Build:
    """Return what builds the expression of a field's value in a query."""
    key = stored_name(name, field)
    return lambda: meta_value(model, key, default_of(field))


def order_of(model: Any, name: str, field: Field) -> Expression:
    """Return the expression to order by a field; case doesn't count in texts."""
    return meta_order(model, stored_name(name, field), default_of(field), _ignores_case(field))


def empty_order_of(name: str, field: Field) -> Expression:
    """Return what items without a value are ordered by, among those that are ordered by `order_of`."""
    return empty_meta_order(stored_name(name, field), default_of(field), _ignores_case(field))


def indexes_of(table: str, name: str, field: Field, type: str = "") -> dict[str, str]:
    """Return the indexes that serve a field's filter and order, as statements by the index's name.

    With a `type` they hold the items of that type of content alone.
    """
    key, default = stored_name(name, field), default_of(field)
    found = meta_indexes(
        table,
        key,
        default,
        filterable=field.filterable,
        sortable=field.sortable,
        ignores_case=_ignores_case(field),
        type=type,
    )
    if field.unique:
        found |= unique_index(table, key, type)
    return found


def _ignores_case(field: Field) -> bool:
    return isinstance(field, String) and not isinstance(field, DateTime)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
