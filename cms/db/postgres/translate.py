"""Statements in PostgreSQL's words, made once of each text that is written for SQLite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from cms.db.postgres.definitions import translate_definition
from cms.db.postgres.paging import Places, first_page, places_of
from cms.db.postgres.planning import depends_on_values, order_by_beginnings
from cms.db.postgres.rewriting import ARRAY, SAME, give_literals, rewrite, take_literals

READING = ("SELECT", "WITH", "VALUES", "SHOW")
WRITING = ("INSERT", "UPDATE", "DELETE")
PLACE = re.compile(rf"(\?|(?<!:):[a-z_]\w*|{SAME})( IS (?:NOT )?NULL\b)?")


@dataclass(frozen=True)
class Translated:
    """A statement with numbered places: how these are called, where they have names, and which are lists, from 0."""

    sql: bytes
    names: tuple[str, ...]
    lists: frozenset[int]
    #: Whether the statement is one of those that can be prepared.
    is_plain: bool
    is_reading: bool
    #: Whether it is planned for the values that it gets.
    by_values: bool = False
    pages: Places = ()

    def planned_for(self, bound: Sequence[Any]) -> tuple[bytes, bool]:
        """Return the statement as it is run with values, and whether it is planned for them."""
        if not self.pages:
            return self.sql, self.by_values
        first = first_page(self.sql, self.pages, bound)
        return first or self.sql, self.by_values or first is None

    def bind(self, values: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        """Return the values in the order of the places; raises KeyError where one isn't there."""
        ordered: Iterable[Any] = values
        if isinstance(values, Mapping):
            ordered = map(values.__getitem__, self.names)
        bound = []
        for place, value in enumerate(ordered):
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
    text = order_by_beginnings(give_literals(text, literals))
    final = text.encode()
    return Translated(final, names, lists, is_plain, is_reading, depends_on_values(text), places_of(final))


def _place(text: str) -> tuple[str, tuple[str, ...], frozenset[int]]:
    """Number the places, each its own; return what they are called too, and the numbers of lists, from 0.

    The server finds out what type each is from what stands around it; of one that may be null that says nothing.
    """
    lists: set[int] = set()
    names: list[str] = []

    def place(match: re.Match[str]) -> str:
        if match[0] == SAME:
            return f"${len(names)}"
        if text[match.start() - 1 : match.start()] == ARRAY:
            lists.add(len(names))
        names.append(match[1].removeprefix(":"))
        number = f"${len(names)}"
        return f"CAST({number} AS text){match[2]}" if match[2] else number

    placed = PLACE.sub(place, text).replace(ARRAY, "")
    return placed, tuple(names), frozenset(lists)


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
