"""Statements that peewee writes once per shape; their text is kept and values are bound at each run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from peewee import EnclosedNodeList, Node

from cms.db.bounded_table import BoundedTable
from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.reader import Row
from cms.db.sqlite.words import LISTED, places

Build = Callable[[], Any]


class Bound(Node):
    """A place in a statement whose value is given, under a name, when the statement runs."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __sql__(self, ctx: Any) -> Any:
        ctx.literal("?")
        ctx._values.append(self)
        return ctx

    def bind(self, values: Mapping[str, object]) -> Any:
        """Return the value that the database gets."""
        return values[self.name]


class Each(Bound):
    """A whole list in one place: `column.in_(Each("ids"))`, so that its length isn't part of the shape."""

    def __sql__(self, ctx: Any) -> Any:
        ctx.literal(LISTED)
        ctx._values.append(self)
        return ctx

    def bind(self, values: Mapping[str, Any]) -> Any:
        """Return the list as JSON."""
        return json_list(values[self.name])


class Nth(Bound):
    """One value of a list, the first if no place is named."""

    def __init__(self, name: str, place: int = 0) -> None:
        super().__init__(name)
        self.place = place

    def bind(self, values: Mapping[str, Any]) -> Any:
        """Return the value."""
        return values[self.name][self.place]


def only(name: str, place: int = 0) -> Node:
    """Build a list of one bound value: `column.in_(only("ids"))` is an equation, whose rows an index has in order."""
    return EnclosedNodeList([Nth(name, place)])


def place_of_list(name: str, number: int) -> Node:
    """Build the place of a bound list of so many values, whose statement has a shape of its own where it is one."""
    if number == 1:
        return only(name)
    return Each(name)


class ListedPlaces(Each):
    """A list as a table of its own, `listed`: each value with the place where it stands first."""

    def __sql__(self, ctx: Any) -> Any:
        ctx.literal(places("?", "listed"))
        ctx._values.append(self)
        return ctx


@dataclass(frozen=True)
class Statement:
    """A statement's text and, in their order, what is bound to it."""

    sql: str
    places: tuple[Any, ...]

    def values(self, bound: Mapping[str, Any]) -> list[Any]:
        """Return the values to bind, those of `Bound` places taken by name."""
        return [place.bind(bound) if isinstance(place, Bound) else place for place in self.places]


class Statements:
    """The statements of one site, by shape; together they take so many bytes at most."""

    MOST_BYTES = 3_000_000

    def __init__(self, database: Database) -> None:
        self.database = database
        self._cached: BoundedTable[Hashable, Statement] = BoundedTable(self.MOST_BYTES)

    def statement(self, shape: tuple[Hashable, ...], build: Build) -> Statement:
        """Return the statement of this shape, written by `build` when it is new."""
        known = self._cached.get(shape)
        if known is None:
            sql, places = self.database.peewee.get_sql_context().sql(build()).query()
            known = Statement(sql, tuple(places))
            self._cached.put(shape, known, len(sql) + 100 * (len(places) + len(shape)))
        return known

    def rows(self, shape: tuple[Hashable, ...], build: Build, **values: object) -> list[Row]:
        """Run the statement of this shape and return its rows."""
        statement = self.statement(shape, build)
        return self.database.rows(statement.sql, statement.values(values))

    def row(self, shape: tuple[Hashable, ...], build: Build, **values: object) -> Row | None:
        """Run the statement of this shape and return its first row."""
        statement = self.statement(shape, build)
        return self.database.row(statement.sql, statement.values(values))
