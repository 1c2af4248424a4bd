"""Asking every registering hook once, in the order in which their answers build on each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from cms.hooks.calling import registrations
from cms.hooks.manager import CORE, PluginError, Plugins
from cms.hooks.registry.content_types import build_content_registry
from cms.hooks.registry.fields import add_fields, add_filters, field_indexes
from cms.hooks.registry.names import NameRegistry, listed, name_conflict, named_fields, registration_error
from cms.hooks.registry.page_editors import collect_editors
from cms.hooks.registry.read_arguments import add_read_arguments
from cms.hooks.registry.routes import collect_routes
from cms.schema.checks import LEVELS, Check
from cms.schema.content_types import ContentRegistry
from cms.schema.registry import Registry
from cms.schema.resource import FieldTaken, Resource, TypeFault
from cms.schema.schemas import fields_of

#: Groups of commands that the core has and plugins add to.
JOINED = ("types",)


def build_registry(plugins: Plugins) -> Registry:
    """Ask every registering hook and put the answers together; raises PluginError for what can't be used."""
    with plugins.locating():
        return _build_registry(plugins)


def _build_registry(plugins: Plugins) -> Registry:
    names = NameRegistry(plugins)
    content_registry = build_content_registry(plugins, names)
    resources = _resources(names, content_registry)
    add_fields(names, resources, content_registry)
    add_filters(names, resources, content_registry)
    add_read_arguments(names, resources, content_registry)
    routes = collect_routes(names, content_registry, resources)
    return Registry(
        resources,
        tuple(route for route, _owner in routes),
        content_registry,
        _migrations(plugins),
        field_indexes(resources, content_registry),
        _claimed_commands(names),
        {route.rule: owner for route, owner in routes},
        _uncached_resources(names, resources),
        _checks(names),
        collect_editors(names, content_registry.types),
    )


def _checks(names: NameRegistry) -> tuple[Check, ...]:
    """Return the checks of plugins, each named after its plugin, so that none takes the name of another's."""
    hook, found = "register_checks", []
    for plugin, check in listed(names.plugins, hook, Check):
        if check.level not in LEVELS:
            raise registration_error(
                plugin, hook, f"{check.name!r} has the level {check.level!r}. Levels: {', '.join(LEVELS)}"
            )
        if not callable(check.look):
            raise registration_error(
                plugin, hook, f"{check.name!r} can't look: {check.look!r} isn't a function"
            )
        name = f"{plugin}.{check.name}"
        names.claim(plugin, hook, "checks", name)
        found.append(replace(check, name=name))
    return tuple(found)


def _uncached_resources(names: NameRegistry, resources: Mapping[str, Resource]) -> frozenset[str]:
    hook, found = "register_uncached_resources", set()
    for plugin, name in listed(names.plugins, hook, str):
        if name not in resources:
            raise registration_error(
                plugin, hook, f"there is no resource {name!r}. Resources: {', '.join(resources)}"
            )
        found.add(name)
    return frozenset(found)


def _resources(names: NameRegistry, content_registry: ContentRegistry) -> dict[str, Resource]:
    hook, found = "register_resources", {}
    try:
        for plugin, resource in listed(names.plugins, hook, Resource, content_registry=content_registry):
            if plugin != CORE:
                _check_declarations(plugin, hook, resource)
            names.claim(plugin, hook, "resources", resource.name)
            found[resource.name] = resource
    except PluginError as error:
        raise _attribute_error_to_plugin(error, names, content_registry) from None
    return found


def _check_declarations(plugin: str, hook: str, resource: Resource) -> None:
    named_fields(plugin, hook, fields_of(resource.schema), repr(resource.name), of_items=True)
    for schema in (resource.list_args, resource.get_args, resource.delete_args):
        named_fields(plugin, hook, fields_of(schema), repr(resource.name))


def _attribute_error_to_plugin(
    error: PluginError, names: NameRegistry, content_registry: ContentRegistry
) -> PluginError:
    """Name the plugin whose type or taxonomy is at fault, where the core can't make a resource of it."""
    cause = error.__cause__
    if isinstance(cause, TypeFault):
        return registration_error(names.owner("types", cause.type), "register_types", cause.reason)
    if not isinstance(cause, FieldTaken):
        return error
    content_type, name = content_registry.types[cause.resource], f"{cause.resource}.{cause.field}"
    type_owner = names.owner("types", content_type.name)
    if not cause.taxonomy:
        return name_conflict(type_owner, "register_types", name, CORE)
    hook, taxonomy_owner = "register_taxonomies", names.owner("taxonomies", cause.taxonomy)
    for taxonomy in content_registry.taxonomies_of(content_type.name):
        if taxonomy.name != cause.taxonomy and cause.field in (taxonomy.field, f"{taxonomy.field}_exclude"):
            return names.name_conflict(taxonomy_owner, hook, name, names.owner("taxonomies", taxonomy.name))
    is_of_type = cause.field in (*content_type.fields, *content_type.filters)
    return name_conflict(taxonomy_owner, hook, name, type_owner if is_of_type else CORE)


def _migrations(plugins: Plugins) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for plugin, answer in registrations(plugins, "register_migrations"):
        if not isinstance(answer, (str, Path)) or not Path(answer).is_dir():
            raise registration_error(plugin, "register_migrations", f"there is no folder {str(answer)!r}")
        names = sorted(path.stem for path in Path(answer).glob("[0-9]*.py"))
        if not names:
            raise registration_error(
                plugin, "register_migrations", f"{answer} holds no migration such as 0001_tables.py"
            )
        found[plugin] = Path(answer)
        for name in names:
            plugins.loaded[plugin].note("migrations", name)
    return found


def build_commands(plugins: Plugins) -> tuple[tuple[str, click.Command], ...]:
    """Ask for commands alone, each with its plugin; raises PluginError for what can't be used."""
    with plugins.locating():
        return _claimed_commands(NameRegistry(plugins))


def _claimed_commands(names: NameRegistry) -> tuple[tuple[str, click.Command], ...]:
    found = []
    for plugin, command in listed(names.plugins, "register_commands", click.Command):
        if not command.name:
            raise registration_error(plugin, "register_commands", "a command has no name")
        for name in _names_of(command):
            names.claim(plugin, "register_commands", "commands", name)
        found.append((plugin, command))
    return tuple(found)


def _names_of(command: click.Command) -> list[str]:
    """Return the names that a command takes: its own, or those inside a group that several may add to."""
    if isinstance(command, click.Group) and command.name in JOINED:
        return [f"{command.name} {name}" for name in command.commands]
    return [command.name or ""]
