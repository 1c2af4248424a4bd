"""Adding plugins' fields and list filters to resources."""

from __future__ import annotations

from cms.hooks.calling import registrations
from cms.hooks.manager import PluginError
from cms.hooks.registry.names import NameRegistry, by_resource, name_conflict, registration_error
from cms.schema.content_types import ContentRegistry
from cms.schema.entries import ENTRY_SCHEMAS, entry_field_fault
from cms.schema.extension import FieldFault, with_field
from cms.schema.fields import Field
from cms.schema.meta import indexes_of
from cms.schema.resource import FieldTaken, Resource
from cms.schema.schemas import fields_of

FIELDS, FILTERS = "register_fields", "register_filters"
CORE_TYPES = ("post", "page", "attachment")


def add_fields(
    names: NameRegistry, resources: dict[str, Resource], content_registry: ContentRegistry
) -> None:
    """Extend the resources by all fields; raises PluginError for one that can't be added."""
    known = (*resources, *ENTRY_SCHEMAS)
    for plugin, found in registrations(names.plugins, FIELDS, content_registry=content_registry):
        for name, fields in by_resource(plugin, FIELDS, found, known):
            for field_name, field in fields.items():
                try:
                    if name in resources:
                        resources[name] = with_field(resources[name], field_name, field)
                    else:
                        _add_to_entries(content_registry, name, field_name, field)
                except FieldTaken:
                    raise _conflict(names, plugin, FIELDS, name, field_name) from None
                except FieldFault as error:
                    raise registration_error(plugin, FIELDS, f"{field_name!r} of {name!r} {error}") from None
                names.claim(plugin, FIELDS, "fields", f"{name}.{field_name}")
                if field.filterable:
                    names.claim(plugin, FIELDS, "filters", f"{name}.{field_name}")


def _add_to_entries(content_registry: ContentRegistry, kind: str, name: str, field: Field) -> None:
    """Add a field to types, statuses or taxonomies; raises FieldTaken or FieldFault where that can't be."""
    fault, added = entry_field_fault(field), content_registry.entry_fields.setdefault(kind, {})
    if name in added or name in fields_of(ENTRY_SCHEMAS[kind]):
        raise FieldTaken(kind, name)
    if fault:
        raise FieldFault(fault)
    added[name] = field


def add_filters(
    names: NameRegistry, resources: dict[str, Resource], content_registry: ContentRegistry
) -> None:
    """Extend the lists of the resources by all filters; raises PluginError for one that can't be added."""
    for plugin, found in registrations(names.plugins, FILTERS, content_registry=content_registry):
        for name, fields in by_resource(plugin, FILTERS, found, resources):
            for field_name, field in fields.items():
                if field.where is None:
                    raise registration_error(plugin, FILTERS, f"{field_name!r} of {name!r} has no where")
                if field_name in fields_of(resources[name].list_args):
                    raise _conflict(names, plugin, FILTERS, name, field_name)
                names.claim(plugin, FILTERS, "filters", f"{name}.{field_name}")
                resources[name] = resources[name].extend({}, {field_name: field})


def _conflict(names: NameRegistry, plugin: str, hook: str, resource: str, name: str) -> PluginError:
    """Build the refusal of a field or filter; what no plugin has added is the resource's own plugin's."""
    place = f"{resource}.{name}"
    try:
        for kind in ("fields", "filters"):
            names.check_free(plugin, hook, kind, place, name)
    except PluginError as error:
        return error
    return name_conflict(plugin, hook, name, names.owner_of_resource(resource))


def field_indexes(resources: dict[str, Resource], content_registry: ContentRegistry) -> dict[str, str]:
    """Return the indexes that fields kept beside their items ask for, as statements by name.

    Those of a type that a plugin brings hold its items alone; the core's types share theirs.
    """
    found: dict[str, str] = {}
    for resource in resources.values():
        is_own = resource.name in content_registry.types and resource.name not in CORE_TYPES
        for name, field in fields_of(resource.schema).items():
            if field.in_meta:
                type = resource.name if is_own or (field.unique and resource.table == "content") else ""
                found |= indexes_of(resource.table, name, field, type)
    return found
