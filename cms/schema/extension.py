"""Adding a field to a resource: where its value is kept, the filter and the order that it brings."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any

from marshmallow import missing
from peewee import Case

from cms.db.meta_values import COLUMN
from cms.i18n import _
from cms.schema.comparing import ComparedFilter
from cms.schema.fields import EDIT, VIEW, Field, List, Object, Raw
from cms.schema.meta import default_of, empty_order_of, meta_field, order_of, value_of
from cms.schema.resource import FieldTaken, Link, Resource
from cms.schema.schemas import fields_of

#: The column with the password that protects an item's texts.
PASSWORD = "password"  # noqa: S105 (a name)


class FieldFault(Exception):
    """Say what keeps a field from being added; `name` is the field's."""

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(reason)
        self.name = name


@dataclass
class Additions:
    """What fields add to a resource, gathered so that its schemas are made once."""

    fields: dict[str, Field] = dataclasses.field(default_factory=dict)
    filters: dict[str, Field] = dataclasses.field(default_factory=dict)
    orders: dict[str, Any] = dataclasses.field(default_factory=dict)
    links: tuple[Link, ...] = ()

    def add(self, resource: Resource, name: str, field: Field) -> None:
        """Add a field with its filter and order; raises FieldTaken or FieldFault where that can't be."""
        fault = _fault(resource, field)
        if fault:
            raise FieldFault(fault)
        added = field.copy(added=True) if has_custom_storage(field) else meta_field(name, field)
        if field.protected:
            added = _protected(added, name, default_of(field))
        self.fields[name] = added
        if field.filterable:
            self.filters[name] = _filter(resource, name, field)
        if field.sortable:
            self.orders[name] = _order(resource, name, field)
        if field.link is not None:
            self.links += (field.link,)


def with_fields(resource: Resource, fields: Mapping[str, Field]) -> Resource:
    """Return the resource with more fields; raises FieldTaken or FieldFault where one of them can't be added."""
    present, arguments, found = fields_of(resource.schema), fields_of(resource.list_args), Additions()
    for name, field in fields.items():
        if name in present or (field.filterable and name in arguments):
            raise FieldTaken(resource.name, name)
        try:
            found.add(resource, name, field)
        except FieldFault as fault:
            raise FieldFault(str(fault), name) from None
    extended = resource.extend(found.fields, found.filters, found.orders)
    return dataclasses.replace(extended, links=(*resource.links, *found.links))


def with_field(resource: Resource, name: str, field: Field) -> Resource:
    """Return the resource with one more field; raises FieldTaken or FieldFault where that can't be."""
    return with_fields(resource, {name: field})


def is_readable(row: Mapping[str, Any], page: Any) -> bool:
    """Tell whether no password keeps an item's texts from the reader."""
    return not row[PASSWORD] or page.is_unlocked or page.context == EDIT


def _protected(field: Field, name: str, default: Any) -> Field:
    """Return a field that shows its default where a password keeps the item's texts from the reader."""
    read = field.reading(name)

    def read_protected(row: Mapping[str, Any], page: Any) -> Any:
        return read(row, page) if is_readable(row, page) else default

    return field.copy(columns=(*field.needed(name, VIEW), PASSWORD), reader=read_protected)


def has_custom_storage(field: Field) -> bool:
    """Tell whether a field says itself how its value is read or which column has it."""
    return field.is_read_by_code or field.column is not None


def _fault(resource: Resource, field: Field) -> str:
    by_code = has_custom_storage(field)
    many = isinstance(field, (List, Object, Raw)) and (field.filterable or field.sortable)
    if field.column is not None and not hasattr(resource.model, field.column):
        return f"names the column {field.column!r}, which the table doesn't have"
    if by_code and field.column is None and field.store is None and not field.dump_only:
        return "is read by code but doesn't say how it is written: give store, or readonly=True"
    if not by_code and field.store is not None:
        return "is stored by code but doesn't say how it is read: give read"
    if not by_code and not hasattr(resource.model, COLUMN):
        return f"can't be kept beside the item, whose table has no column {COLUMN!r}: give read and store"
    if field.protected and not hasattr(resource.model, PASSWORD):
        return "is protected, but these items have no passwords"
    if not by_code and isinstance(field, List) and not isinstance(field.load_default, (list, NoneType)):
        return "has no list as its default, for items without a value: give default=[]"
    if not by_code and isinstance(field, Object) and not isinstance(field.load_default, (dict, NoneType)):
        return "has no object as its default, for items without a value: give default={}"
    if not by_code and many:
        return "holds more than one value, so it can't be filterable or sortable"
    if field.unique and (by_code or isinstance(field, (List, Object, Raw))):
        return "can't be unique: only single values that are kept beside the item can"
    if by_code and field.filterable and field.where is None:
        return "is filterable, but has no where"
    if by_code and field.sortable and field.order is None:
        return "is sortable, but has no order"
    return ""


def _filter(resource: Resource, name: str, field: Field) -> Field:
    """Return the argument that narrows a list to the items of which the field has a value."""
    build = value_of(resource.model, name, field)
    if field.operators and not has_custom_storage(field):
        return ComparedFilter(name, field, build)
    return field.copy(
        description=_("Only items whose field %(name)s has this value.", name=name),
        load_default=missing,
        required=False,
        dump_only=False,
        null=missing,
        in_meta=not has_custom_storage(field),
        where=field.where or (lambda bound: build() == bound),
    )


def _order(resource: Resource, name: str, field: Field) -> Any:
    by = fields_of(resource.list_args).get("orderby")
    if by is None:
        raise FieldFault("is sortable, but these lists have no order to choose")
    if name in getattr(by, "enum", ()):
        raise FieldFault(f"is sortable, but lists can be ordered by another {name!r} already")
    if field.order is None:
        order, empty = order_of(resource.model, name, field), empty_order_of(name, field)
    else:
        order, empty = field.order, default_of(field)
    if not field.protected:
        return order
    # What is locked stands where items without a value do, so that its place in the list tells nothing.
    return Case(None, [(getattr(resource.model, PASSWORD) == "", order)], empty)
