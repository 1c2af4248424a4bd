"""Thousands of sites in one process: what werkzeug compiles for the rules of the first is used by all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule

Builder = Callable[..., tuple[str, str]]


def share_builders() -> None:
    """Have equal rules share the functions that build addresses, which take most of the time of making an application."""
    compile_builder = Rule._compile_builder
    known: dict[Any, Builder] = {}

    def compile_once(rule: Rule, append_unknown: bool = True) -> Builder:
        converters = tuple((name, type(converter)) for name, converter in rule._converters.items())
        key = (rule.rule, tuple(rule._trace), converters, repr(rule.defaults), append_unknown)
        if key not in known:
            known[key] = compile_builder(rule, append_unknown)
        return known[key]

    Rule._compile_builder = compile_once  # type: ignore[method-assign]
