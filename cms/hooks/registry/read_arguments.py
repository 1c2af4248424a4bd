"""Adding plugins' arguments to the reading of one item."""

from __future__ import annotations

from dataclasses import replace

from cms.hooks.calling import registrations
from cms.hooks.manager import CORE
from cms.hooks.registry.names import NameRegistry, by_resource, name_conflict
from cms.schema.content_types import ContentRegistry
from cms.schema.resource import Resource
from cms.schema.schemas import extend, fields_of

HOOK = "register_read_arguments"


def add_read_arguments(
    names: NameRegistry, resources: dict[str, Resource], content_registry: ContentRegistry
) -> None:
    """Extend what requests for one item may send; a name that is there already is refused."""
    for plugin, found in registrations(names.plugins, HOOK, content_registry=content_registry):
        for name, fields in by_resource(plugin, HOOK, found, resources):
            for field_name, field in fields.items():
                resource, place = resources[name], f"{name}.{field_name}"
                names.check_free(plugin, HOOK, "read arguments", place, field_name)
                if field_name in fields_of(resource.get_args):
                    raise name_conflict(plugin, HOOK, field_name, CORE)
                names.claim(plugin, HOOK, "read arguments", place)
                resources[name] = replace(resource, get_args=extend(resource.get_args, {field_name: field}))
