"""Thousands of sites in one process: what is the same for all of them is worked out for the first alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from typing import Any

from werkzeug.routing import Rule

from cms import assembly
from cms.hooks import sources
from cms.hooks.manager import CORE, Plugins
from cms.schema.registry import Registry


def share_work() -> None:
    """Have sites share what takes most of the time of making an application, and can't be changed by one of them."""
    Rule.compile = _compile_once(Rule.compile)  # type: ignore[method-assign]
    assembly.build_registry = _build_once(assembly.build_registry)  # type: ignore[attr-defined]
    sources.entry_points = _find_once(tuple(sys.path))  # type: ignore[attr-defined]


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
