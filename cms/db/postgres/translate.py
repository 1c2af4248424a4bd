"""Statements in PostgreSQL's words, made once of each text that is written for SQLite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from cms.db.postgres.definitions import translate_definition
from cms.db.postgres.rewriting import ARRAY, give_literals, rewrite, take_literals

#: Behind the name of a list that is bound as an array; by the name alone it is bound as JSON.
AS_ARRAY = "_as_array"
PLACE = re.compile(r"\?|(?<!:):[a-z_]\w*")


@dataclass(frozen=True)
class Translated:
    """A statement with what its places are called, in their order or by name, and which of them are lists."""

    sql: str
    is_named: bool
    lists: frozenset[int | str]

    def bind(self, values: Sequence[Any] | Mapping[str, Any]) -> Any:
        """Return the values as the driver takes them."""
        if self.is_named and isinstance(values, Mapping):
            bound = {name: _bound(value, False) for name, value in values.items()}
            for name in self.lists:
                bound[f"{name}{AS_ARRAY}"] = _bound(values[str(name)], True)
            return bound
        return [_bound(value, place in self.lists) for place, value in enumerate(values)]


@lru_cache(maxsize=5_000)
def translate(sql: str) -> Translated:
    """Return what says the same to PostgreSQL."""
    defined = translate_definition(sql)
    if defined is not None:
        return Translated(defined.replace("%", "%%"), False, frozenset())
    text, literals = take_literals(sql)
    text, is_named, lists = _place(rewrite(text).replace("%", "%%"))
    doubled = [literal.replace("%", "%%") for literal in literals]
    return Translated(give_literals(text, doubled), is_named, lists)


def _place(text: str) -> tuple[str, bool, frozenset[int | str]]:
    """Write the places as the driver does; they are numbered from 0, or have names."""
    lists: set[int | str] = set()
    names: list[str] = []

    def place(match: re.Match[str]) -> str:
        is_list = text[match.start() - 1 : match.start()] == ARRAY
        found = match[0]
        names.append(found)
        if is_list:
            lists.add(len(names) - 1 if found == "?" else found[1:])
        if found == "?":
            return "%s"
        return f"%({found[1:]}{AS_ARRAY if is_list else ''})s"

    placed = PLACE.sub(place, text).replace(ARRAY, "")
    return placed, bool(names) and names[0] != "?", frozenset(lists)


def _bound(value: Any, is_list: bool) -> Any:
    if is_list:
        return array_text(orjson.loads(value))
    if isinstance(value, str):
        return value.replace("\0", "")
    return int(value) if isinstance(value, bool) else value


def array_text(values: Sequence[Any]) -> str:
    """Return a list as the text of an array, whose type PostgreSQL takes from where it stands."""
    return "{" + ",".join(map(_element, values)) + "}"


def _element(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float)):
        return str(value)
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
