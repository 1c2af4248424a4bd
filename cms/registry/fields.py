"""Adding plugins' fields and list filters to resources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import missing

from cms.catalogue import Catalogue
from cms.fields import EDIT, Field, List, Object
from cms.i18n import _
from cms.meta import COLUMN, indexes_of, kept_beside, order_of, value_of
from cms.plugins import collect
from cms.registry.claims import Claims, by_resource, fault, taken
from cms.resource import Resource
from cms.schema import fields_of

FIELDS, FILTERS = "register_fields", "register_filters"


def add_fields(claims: Claims, resources: dict[str, Resource], catalogue: Catalogue) -> dict[str, str]:
    """Extend the resources by all fields; returns the indexes that these ask for, as statements by name."""
    indexes: dict[str, str] = {}
    for plugin, found in collect(claims.plugins, FIELDS, catalogue=catalogue):
        for name, fields in by_resource(plugin, FIELDS, found, resources):
            for field_name, field in fields.items():
                resource = resources[name]
                _refuse_taken(plugin, FIELDS, claims, resource, field_name, resource.schema)
                _check_field(plugin, resource, field_name, field)
                claims.take(plugin, FIELDS, "fields", f"{name}.{field_name}")
                resources[name] = _with_field(claims, plugin, resource, field_name, field)
                if resources[name].is_beside(field_name):
                    indexes |= indexes_of(resource.model._meta.table_name, field_name, field)
    return indexes


def add_filters(claims: Claims, resources: dict[str, Resource], catalogue: Catalogue) -> None:
    """Extend the lists of the resources by all filters."""
    for plugin, found in collect(claims.plugins, FILTERS, catalogue=catalogue):
        for name, fields in by_resource(plugin, FILTERS, found, resources):
            for field_name, field in fields.items():
                if field.where is None:
                    raise fault(plugin, FILTERS, f"{field_name!r} of {name!r} has no where")
                _refuse_taken(plugin, FILTERS, claims, resources[name], field_name, resources[name].list_args)
                claims.take(plugin, FILTERS, "filters", f"{name}.{field_name}")
                resources[name] = resources[name].extend({}, {field_name: field})


def _refuse_taken(plugin: str, hook: str, claims: Claims, resource: Resource, name: str, schema: Any) -> None:
    if name in fields_of(schema):
        kind = "fields" if hook == FIELDS else "filters"
        raise taken(plugin, hook, name, claims.owner(kind, f"{resource.name}.{name}",
                                                     claims.owner_of_resource(resource.name)))


def _check_field(plugin: str, resource: Resource, name: str, field: Field) -> None:
    elsewhere = _is_elsewhere(field)
    told = ""
    if elsewhere and field.store is None and not field.dump_only:
        told = "is read by code but doesn't say how it is written: give store, or readonly=True"
    elif not elsewhere and field.store is not None:
        told = "is stored by code but doesn't say how it is read: give read"
    elif not elsewhere and not hasattr(resource.model, COLUMN):
        told = f"can't be kept beside {resource.name!r}, whose table has no column {COLUMN}: give read and store"
    elif elsewhere and field.filterable and field.where is None:
        told = "is filterable, but has no where"
    elif elsewhere and field.sortable and field.order is None:
        told = "is sortable, but has no order"
    elif not elsewhere and (field.filterable or field.sortable) and isinstance(field, (List, Object)):
        told = "holds more than one value, so it can't be filterable or sortable"
    if told:
        raise fault(plugin, FIELDS, f"{name!r} of {resource.name!r} {told}")


def _is_elsewhere(field: Field) -> bool:
    return field.reader is not None or field.column is not None


def _with_field(claims: Claims, plugin: str, resource: Resource, name: str, field: Field) -> Resource:
    added = field if _is_elsewhere(field) else kept_beside(name, field)
    filters: Mapping[str, Field] = {}
    orders: Mapping[str, Any] = {}
    if field.filterable:
        _refuse_taken(plugin, FILTERS, claims, resource, name, resource.list_args)
        claims.take(plugin, FILTERS, "filters", f"{resource.name}.{name}")
        filters = {name: _filter(resource, name, field)}
    if field.sortable:
        orders = {name: field.order or order_of(resource.model, name, field)}
        by = fields_of(resource.list_args).get("orderby")
        if by is None or name in getattr(by, "enum", ()):
            raise fault(plugin, FIELDS, f"lists of {resource.name!r} can't be ordered by {name!r}: "
                        f"{'the name is taken' if by else 'they have no order to choose'}")
    guarded = {name} if set(field.contexts) <= {EDIT} and (filters or orders) else set()
    return resource.extend({name: added}, filters, orders, guarded)


def _filter(resource: Resource, name: str, field: Field) -> Field:
    """Return the argument that narrows a list to the items of which the field has a value."""
    return field.copy(description=_("Only items whose field %(name)s has this value.", name=name),
                      load_default=missing, required=False, dump_only=False, null=missing,
                      where=field.where or _equals(resource, name, field))


def _equals(resource: Resource, name: str, field: Field) -> Any:
    build = value_of(resource.model, name, field)
    return lambda bound: build() == bound
