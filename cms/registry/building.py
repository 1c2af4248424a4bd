"""Asking every registering hook once, in the order in which their answers build on each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import click

from cms.catalogue import Catalogue
from cms.plugins import PluginError, Plugins, collect
from cms.registry.catalogue import build_catalogue
from cms.registry.claims import Claims, fault, listed, taken
from cms.registry.fields import add_fields, add_filters
from cms.registry.routes import collect_routes
from cms.resource import FieldTaken, Resource
from cms.route import Route


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
    indexes = add_fields(claims, resources, catalogue)
    add_filters(claims, resources, catalogue)
    routes = collect_routes(claims, catalogue, resources)
    return Registry(resources, routes, catalogue, _migrations(plugins), indexes, _commands(claims))


def _resources(claims: Claims, catalogue: Catalogue) -> dict[str, Resource]:
    hook, found = "register_resources", {}
    try:
        for plugin, resource in listed(claims.plugins, hook, Resource, catalogue=catalogue):
            claims.take(plugin, hook, "resources", resource.name)
            found[resource.name] = resource
    except PluginError as error:
        if isinstance(error.__cause__, FieldTaken):
            raise _blamed(error.__cause__, claims, catalogue) from None
        raise
    return found


def _blamed(error: FieldTaken, claims: Claims, catalogue: Catalogue) -> PluginError:
    """Name the plugin whose type or taxonomy brings a field that the items of a type have already, and who has it."""
    hook = "register_taxonomies" if error.kind == "taxonomies" else "register_types"
    kind, other = catalogue.types[error.type], "core"
    if error.kind == "taxonomies" and error.field in (*kind.fields, *kind.filters):
        other = claims.owner("types", error.type)
    for taxonomy in catalogue.taxonomies_of(error.type):
        if taxonomy.name != error.name and error.field in (taxonomy.field, f"{taxonomy.field}_exclude"):
            other = claims.owner("taxonomies", taxonomy.name)
    return taken(claims.owner(error.kind, error.name), hook, f"{error.type}.{error.field}", other)


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
