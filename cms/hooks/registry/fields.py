"""Adding plugins' fields and list filters to resources."""

from __future__ import annotations

from cms.hooks import collect
from cms.hooks.registry.names import Claims, by_resource, fault, taken
from cms.schema.content_types import Catalogue
from cms.schema.extension import FieldFault, with_field
from cms.schema.meta import indexes_of
from cms.schema.resource import FieldTaken, Resource
from cms.schema.schemas import fields_of

FIELDS, FILTERS = "register_fields", "register_filters"


def add_fields(claims: Claims, resources: dict[str, Resource], catalogue: Catalogue) -> None:
    """Extend the resources by all fields."""
    for plugin, found in collect(claims.plugins, FIELDS, catalogue=catalogue):
        for name, fields in by_resource(plugin, FIELDS, found, resources):
            for field_name, field in fields.items():
                try:
                    resources[name] = with_field(resources[name], field_name, field)
                except FieldTaken:
                    raise taken(
                        plugin, FIELDS, field_name, _owner(claims, f"{name}.{field_name}", name)
                    ) from None
                except FieldFault as error:
                    raise fault(plugin, FIELDS, f"{field_name!r} of {name!r} {error}") from None
                claims.take(plugin, FIELDS, "fields", f"{name}.{field_name}")
                if field.filterable:
                    claims.take(plugin, FIELDS, "filters", f"{name}.{field_name}")


def add_filters(claims: Claims, resources: dict[str, Resource], catalogue: Catalogue) -> None:
    """Extend the lists of the resources by all filters."""
    for plugin, found in collect(claims.plugins, FILTERS, catalogue=catalogue):
        for name, fields in by_resource(plugin, FILTERS, found, resources):
            for field_name, field in fields.items():
                if field.where is None:
                    raise fault(plugin, FILTERS, f"{field_name!r} of {name!r} has no where")
                if field_name in fields_of(resources[name].list_args):
                    raise taken(plugin, FILTERS, field_name, _owner(claims, f"{name}.{field_name}", name))
                claims.take(plugin, FILTERS, "filters", f"{name}.{field_name}")
                resources[name] = resources[name].extend({}, {field_name: field})


def _owner(claims: Claims, name: str, resource: str) -> str:
    """Return which plugin has a field or filter; what none has added is that of the resource's own plugin."""
    usual = claims.owner_of_resource(resource)
    return claims.owner("fields", name, claims.owner("filters", name, usual))


def field_indexes(resources: dict[str, Resource]) -> dict[str, str]:
    """Return the indexes that fields kept beside their items ask for, as statements by name."""
    found: dict[str, str] = {}
    for resource in resources.values():
        for name, field in fields_of(resource.schema).items():
            if field.beside:
                found |= indexes_of(resource.model._meta.table_name, name, field)
    return found
