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

READING = ("SELECT", "WITH", "VALUES", "SHOW")
WRITING = ("INSERT", "UPDATE", "DELETE")
PLACE = re.compile(r"\?|(?<!:):[a-z_]\w*")


@dataclass(frozen=True)
class Translated:
    """A statement with numbered places: how they are called, in their order, and which of them are lists.

    Values for places without names come in the order of the places.
    """

    sql: bytes
    names: tuple[str, ...]
    lists: frozenset[int | str]
    #: Whether the statement is one of those that can be prepared.
    is_plain: bool
    is_reading: bool

    def bind(self, values: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        """Return the values in the order of the numbers; raises KeyError where one isn't there."""
        bound = []
        if isinstance(values, Mapping):
            for name in self.names:
                bound.append(_bound(values[name], name in self.lists))
        else:
            for place, value in enumerate(values):
                bound.append(_bound(value, place in self.lists))
        return bound


@lru_cache(maxsize=5_000)
def translate(sql: str) -> Translated:
    """Return what says the same to PostgreSQL."""
    defined = translate_definition(sql)
    if defined is not None:
        return Translated(defined.encode(), (), frozenset(), is_plain=False, is_reading=False)
    text, literals = take_literals(sql)
    text, names, lists = _place(rewrite(text))
    word = sql.lstrip()[:6].upper()
    is_reading = word.startswith(READING)
    is_plain = is_reading or word in WRITING
    return Translated(give_literals(text, literals).encode(), names, lists, is_plain, is_reading)


def _place(text: str) -> tuple[str, tuple[str, ...], frozenset[int | str]]:
    """Number the places, those of one name alike; return their names too, and the numbers from 0 or names of lists."""
    lists: set[int | str] = set()
    names: list[str] = []
    count = 0

    def place(match: re.Match[str]) -> str:
        nonlocal count
        is_list = text[match.start() - 1 : match.start()] == ARRAY
        found = match[0].removeprefix(":")
        if is_list:
            lists.add(count if found == "?" else found)
        if found == "?":
            count += 1
            return f"${count}"
        if found not in names:
            names.append(found)
        return f"${names.index(found) + 1}"

    placed = PLACE.sub(place, text).replace(ARRAY, "")
    return placed, tuple(names), frozenset(lists)


def _bound(value: Any, is_list: bool) -> Any:
    if is_list:
        return array_text(orjson.loads(value))
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
