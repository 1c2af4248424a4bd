"""What the core and all plugins have registered: checked once at boot, then frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pluggy

from cms.catalogue import STATUSES, TAXONOMIES, TYPES, Catalogue, Locale
from cms.fields import Field
from cms.plugins import PluginError, collect
from cms.resource import Resource
from cms.route import Route
from cms.schema import fields_of


@dataclass(frozen=True)
class Registry:
    """The resources, routes and catalogue of one site, by name."""

    resources: dict[str, Resource]
    routes: tuple[Route, ...]
    catalogue: Catalogue


def build_registry(manager: pluggy.PluginManager) -> Registry:
    """Ask every registering hook and put the answers together; raises PluginError for what can't be used."""
    resources = _named(manager, "register_resources", "name")
    for hook, schema_of in (("register_fields", "schema"), ("register_filters", "list_args")):
        _extend(manager, resources, hook, schema_of)
    locales: dict[str, Locale] = _named(manager, "register_locales", "prefix")
    routes = _routes(manager)
    catalogue = Catalogue({t.name: t for t in TYPES}, {t.name: t for t in TAXONOMIES},
                          {s.name: s for s in STATUSES}, locales)
    return Registry(resources, routes, catalogue)


def _named(manager: pluggy.PluginManager, hook: str, key: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    owners: dict[str, str] = {}
    for plugin, items in collect(manager, hook):
        for item in items:
            name = getattr(item, key)
            if name in found:
                raise PluginError(f"plugin {plugin}: {hook}: {name!r} is already registered by {owners[name]}")
            found[name], owners[name] = item, plugin
    return found


def _extend(manager: pluggy.PluginManager, resources: dict[str, Resource], hook: str, schema_of: str) -> None:
    owners: dict[tuple[str, str], str] = {}
    for plugin, additions in collect(manager, hook):
        for name, fields in additions.items():
            if name not in resources:
                raise PluginError(f"plugin {plugin}: {hook}: there is no resource {name!r}")
            taken = {field: owners.get((name, field), "core")
                     for field in fields_of(getattr(resources[name], schema_of))}
            _check_fields(plugin, hook, fields, taken)
            owners |= {(name, field): plugin for field in fields}
            added = (fields, {}) if hook == "register_fields" else ({}, fields)
            resources[name] = resources[name].extend(*added)


def _check_fields(plugin: str, hook: str, fields: Mapping[str, Field], taken: Mapping[str, str]) -> None:
    for name, field in fields.items():
        if name in taken:
            raise PluginError(f"plugin {plugin}: {hook}: the name {name!r} is already registered by {taken[name]}")
        if not field.description:
            raise PluginError(f"plugin {plugin}: {hook}: {name!r} has no description")


def _routes(manager: pluggy.PluginManager) -> tuple[Route, ...]:
    routes: dict[str, Route] = {}
    owners: dict[str, str] = {}
    for plugin, found in collect(manager, "register_routes"):
        for route in found:
            if route.rule in routes:
                raise PluginError(f"plugin {plugin}: the route {route.rule} is already taken by {owners[route.rule]}")
            if any(not endpoint.permission for endpoint in route.endpoints):
                raise PluginError(f"plugin {plugin}: the route {route.rule} doesn't say who may call it")
            routes[route.rule], owners[route.rule] = route, plugin
    return tuple(routes.values())
