"""Asking every registering hook once, in the order in which their answers build on each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import click

from cms.hooks import PluginError, Plugins, collect
from cms.hooks.registry.content_types import build_catalogue
from cms.hooks.registry.fields import add_fields, add_filters, field_indexes
from cms.hooks.registry.names import Claims, fault, listed, taken
from cms.hooks.registry.read_arguments import add_read_arguments
from cms.hooks.registry.routes import collect_routes
from cms.schema.content_types import Catalogue
from cms.schema.endpoint import Route
from cms.schema.resource import FieldTaken, Resource, TypeFault


@dataclass(frozen=True)
class Registry:
    """What is registered on one site.

    `migrations` are the plugins' folders by plugin, `indexes` the statements that make the indexes of plugins'
    fields by the index's name, `commands` by the plugin that brings them.
    """

    resources: dict[str, Resource]
    routes: tuple[Route, ...]
    catalogue: Catalogue
    migrations: dict[str, Path] = field(default_factory=dict)
    indexes: dict[str, str] = field(default_factory=dict)
    commands: tuple[tuple[str, click.Command], ...] = ()


def build_registry(plugins: Plugins) -> Registry:
    """Ask every registering hook and put the answers together; raises PluginError for what can't be used."""
    claims = Claims(plugins)
    catalogue = build_catalogue(plugins, claims)
    resources = _resources(claims, catalogue)
    add_fields(claims, resources, catalogue)
    add_filters(claims, resources, catalogue)
    add_read_arguments(claims, resources, catalogue)
    routes = collect_routes(claims, catalogue, resources)
    return Registry(
        resources, routes, catalogue, _migrations(plugins), field_indexes(resources), _commands(claims)
    )


def _resources(claims: Claims, catalogue: Catalogue) -> dict[str, Resource]:
    hook, found = "register_resources", {}
    try:
        for plugin, resource in listed(claims.plugins, hook, Resource, catalogue=catalogue):
            claims.take(plugin, hook, "resources", resource.name)
            found[resource.name] = resource
    except PluginError as error:
        raise _blamed(error, claims, catalogue) from None
    return found


def _blamed(error: PluginError, claims: Claims, catalogue: Catalogue) -> PluginError:
    """Name the plugin whose type or taxonomy is at fault, where the core can't make a resource of it."""
    cause = error.__cause__
    if isinstance(cause, TypeFault):
        return fault(claims.owner("types", cause.type), "register_types", cause.why)
    if not isinstance(cause, FieldTaken):
        return error
    kind, name = catalogue.types[cause.resource], f"{cause.resource}.{cause.field}"
    if not cause.taxonomy:
        return taken(claims.owner("types", kind.name), "register_types", name, "core")
    other = claims.owner("types", kind.name) if cause.field in (*kind.fields, *kind.filters) else "core"
    for taxonomy in catalogue.taxonomies_of(kind.name):
        if taxonomy.name != cause.taxonomy and cause.field in (taxonomy.field, f"{taxonomy.field}_exclude"):
            other = claims.owner("taxonomies", taxonomy.name)
    return taken(claims.owner("taxonomies", cause.taxonomy), "register_taxonomies", name, other)


def _migrations(plugins: Plugins) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for plugin, answer in collect(plugins, "register_migrations"):
        if not isinstance(answer, (str, Path)) or not Path(answer).is_dir():
            raise fault(plugin, "register_migrations", f"there is no folder {str(answer)!r}")
        names = sorted(path.stem for path in Path(answer).glob("[0-9]*.py"))
        if not names:
            raise fault(plugin, "register_migrations", f"{answer} holds no migration such as 0001_tables.py")
        found[plugin] = Path(answer)
        for name in names:
            plugins.loaded[plugin].note("migrations", name)
    return found


def _commands(claims: Claims) -> tuple[tuple[str, click.Command], ...]:
    found = []
    for plugin, command in listed(claims.plugins, "register_commands", click.Command):
        if not command.name:
            raise fault(plugin, "register_commands", "a command has no name")
        claims.take(plugin, "register_commands", "commands", command.name)
        found.append((plugin, command))
    return tuple(found)
