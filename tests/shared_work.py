"""Thousands of sites in one process: what is the same for all of them is worked out for the first alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from pluggy import PluginManager
from werkzeug.routing import Rule

from cms import assembly
from cms.db import migrate
from cms.db.connection import Database
from cms.hooks import sources
from cms.hooks.manager import CORE, Plugins
from cms.schema.registry import Registry


def share_work() -> None:
    """Have sites share what takes most of the time of making an application, and can't be changed by one of them."""
    Rule.compile = _compile_once(Rule.compile)  # type: ignore[method-assign]
    assembly.build_registry = _build_once(assembly.build_registry)  # type: ignore[attr-defined]
    sources.entry_points = _find_once(tuple(sys.path))  # type: ignore[attr-defined]
    migrate.list_pending = _list_once(migrate.list_pending)
    for name in ("parse_hookspec_opts", "parse_hookimpl_opts"):
        setattr(PluginManager, name, _look_once(getattr(PluginManager, name)))


def _compile_once(compile_rule: Callable[[Rule], None]) -> Callable[[Rule], None]:
    known: dict[Any, Rule] = {}

    def compile_once(rule: Rule) -> None:
        place = (rule.rule, rule.host, rule.subdomain, rule.merge_slashes, rule.map.host_matching)
        key = (*place, repr(rule.defaults), frozenset(rule.map.converters.items()))
        if key not in known:
            compile_rule(rule)
            known[key] = rule
            return
        equal = known[key]
        rule._parts, rule._trace, rule._converters = equal._parts, equal._trace, equal._converters
        rule.arguments |= equal.arguments
        rule._build = equal._build.__func__.__get__(rule, None)
        rule._build_unknown = equal._build_unknown.__func__.__get__(rule, None)

    return compile_once


def _list_once(list_pending: Callable[..., list[str]]) -> Callable[..., list[str]]:
    """Return what compares the core's migrations once with those that a database has."""
    known: dict[frozenset[str], list[str]] = {}

    def list_once(database: Database, folders: Mapping[str, Path]) -> list[str]:
        if folders or database.server or not database.peewee.table_exists("schema_migration"):
            return list_pending(database, folders)
        applied = frozenset(database.column("SELECT name FROM schema_migration"))
        if applied not in known:
            known[applied] = list_pending(database, folders)
        return [*known[applied]]

    return list_once


def _look_once(look: Callable[[PluginManager, Any, str], Any]) -> Callable[[PluginManager, Any, str], Any]:
    """Return what looks once at what each name of the core's modules is to hooks."""
    known: dict[tuple[str, str], Any] = {}

    def look_once(manager: PluginManager, holder: Any, name: str) -> Any:
        if not isinstance(holder, ModuleType) or not holder.__name__.startswith("cms."):
            return look(manager, holder, name)
        place = (holder.__name__, name)
        if place not in known:
            known[place] = look(manager, holder, name)
        return known[place]

    return look_once


def _find_once(searched: tuple[str, ...]) -> Callable[..., EntryPoints]:
    """Return what looks for installed plugins anew only where a test has installed something in a folder of its own."""
    known = cache(lambda group: entry_points(group=group))

    def find_once(*, group: str) -> EntryPoints:
        for folder in set(sys.path).difference(searched):
            if any(Path(folder).glob("*.dist-info")):
                return entry_points(group=group)
        return known(group)

    return find_once


def _build_once(build_registry: Callable[[Plugins], Registry]) -> Callable[[Plugins], Registry]:
    """Return what asks the core once for what it registers on sites without plugins."""
    known: list[tuple[Registry, dict[str, list[str]]]] = []

    def build_once(plugins: Plugins) -> Registry:
        if [*plugins.loaded] != [CORE]:
            return build_registry(plugins)
        if not known:
            registry = build_registry(plugins)
            known.append((registry, plugins.loaded[CORE].registered))
        registry, registered = known[0]
        plugins.loaded[CORE].registered = {kind: [*names] for kind, names in registered.items()}
        return registry

    return build_once
