"""Adding plugins' arguments to the reading of one item."""

from __future__ import annotations

from dataclasses import replace

from cms.hooks import collect
from cms.hooks.registry.names import Claims, by_resource, taken
from cms.schema.content_types import Catalogue
from cms.schema.resource import Resource
from cms.schema.schemas import extend, fields_of

HOOK = "register_read_arguments"


def add_read_arguments(claims: Claims, resources: dict[str, Resource], catalogue: Catalogue) -> None:
    """Extend what requests for one item may send; a name that is there already is refused."""
    for plugin, found in collect(claims.plugins, HOOK, catalogue=catalogue):
        for name, fields in by_resource(plugin, HOOK, found, resources):
            for field_name, field in fields.items():
                resource, place = resources[name], f"{name}.{field_name}"
                if field_name in fields_of(resource.get_args):
                    raise taken(plugin, HOOK, field_name, claims.owner("read arguments", place))
                claims.take(plugin, HOOK, "read arguments", place)
                resources[name] = replace(resource, get_args=extend(resource.get_args, {field_name: field}))
