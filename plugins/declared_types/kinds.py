"""The kinds of fields, and which options each takes in a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .declarations import FieldDeclaration
from .source import Table

#: Takes an option from a table; None where it isn't there.
Take = Callable[[Table, str], object]
TYPES = 'a list of types, such as ["post"], or one in quotes'


def _whole(table: Table, name: str) -> object:
    return table.number(name)


def _count(table: Table, name: str) -> object:
    return table.number(name, least=0)


def _number(table: Table, name: str) -> object:
    return table.number(name, whole=False)


def _text(table: Table, name: str) -> object:
    return table.text(name) or None


def _default_text(table: Table, name: str) -> object:
    return table.text(name) if table.has(name) else None


def _flag(table: Table, name: str) -> object:
    return table.flag(name) if table.has(name) else None


def _texts(table: Table, name: str) -> object:
    return table.texts(name) or None


def _targets(table: Table, name: str) -> object:
    """Take the types that a relation leads to: one in quotes or a list."""
    if isinstance(table.values.get(name), str):
        return (table.text(name),)
    found = table.texts(name)
    if not found:
        table.refuse(name, f"a relation leads to items of a type. Write {name} = {TYPES}")
    return found


def _taxonomy(table: Table, name: str) -> object:
    found = table.text(name)
    if not found:
        table.refuse(name, f'a field of terms needs its taxonomy. Write {name} = "category"')
    return found


def _choices(table: Table, name: str) -> object:
    """Take the values of a choice with their labels: a list, or a table of labels."""
    value = table.values.get(name)
    if isinstance(value, dict):
        table.known[name] = "table"
        inner = Table(table.source, value, (*table.place, name))
        return {each: inner.label(each) for each in value}
    return {each: (each, {}) for each in table.texts(name)} or None


TEXT: dict[str, Take] = {
    "default": _default_text,
    "min_length": _count,
    "max_length": _count,
    "pattern": _text,
}
ADDRESS: dict[str, Take] = {"default": _text, "max_length": _count}
COUNTS: dict[str, Take] = {"min_items": _count, "max_items": _count}
NUMBER: dict[str, Take] = {"default": _number, "minimum": _number, "maximum": _number}


@dataclass(frozen=True)
class Kind:
    """A kind of field: the options that it takes besides those of all, and what lists can do with it."""

    options: Mapping[str, Take]
    is_single: bool = True
    is_relation: bool = False


KINDS: dict[str, Kind] = {
    "text": Kind(TEXT),
    "long_text": Kind(TEXT),
    "html": Kind({"default": _default_text, "max_length": _count}),
    "integer": Kind({"default": _whole, "minimum": _whole, "maximum": _whole}),
    "number": Kind(NUMBER),
    "boolean": Kind({"default": _flag}),
    "date": Kind({"default": _text}),
    "datetime": Kind({}),
    "choice": Kind({"choices": _choices, "default": _text}),
    "choices": Kind({"choices": _choices, "default": _texts, **COUNTS}, is_single=False),
    "media": Kind({}, is_single=False, is_relation=True),
    "media_list": Kind(COUNTS, is_single=False, is_relation=True),
    "relation": Kind({"to": _targets}, is_single=False, is_relation=True),
    "relations": Kind({"to": _targets, **COUNTS}, is_single=False, is_relation=True),
    "terms": Kind({"taxonomy": _taxonomy, **COUNTS}, is_single=False, is_relation=True),
    "url": Kind(ADDRESS),
    "email": Kind(ADDRESS),
    "colour": Kind({"default": _text}),
    "json": Kind({}, is_single=False),
    "group": Kind({}, is_single=False),
    "repeat": Kind(COUNTS, is_single=False),
}


def check_pattern(table: Table, declared: FieldDeclaration) -> None:
    """Refuse a pattern that isn't a regular expression."""
    pattern = declared.options.get("pattern")
    if not isinstance(pattern, str):
        return
    try:
        re.compile(pattern)
    except re.error as error:
        table.refuse(
            "pattern", f"pattern isn't a regular expression: {error}. Write one such as '[A-Z]{{2}}[0-9]+'"
        )
