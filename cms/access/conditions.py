"""Conditions on a row of content that are stated once: evaluated on a row, or turned into SQL, from the same tree.

A tree depends on what a principal may do, never on who it is: the values `now` and `principal` are bound when a
statement runs, or are given as facts when a row is looked at. So one prepared statement serves all principals with
the same capabilities, and `key` names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_
from typing import Any

import orjson
from peewee import SQL, fn

from cms.db import Bound
from cms.db.expressions import FUTURE, is_scheduled, of_type, scheduled, stored_status
from cms.db.models import Content
from cms.db.peewee_types import Expression

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Facts:
    """What a condition depends on besides the row: the time in GMT, and the id of who asks (0 for a visitor)."""

    now: str
    principal: int


class Condition:
    """A part of a tree; a row is a row of content, with the column `parent` where it inherits (see `parent_of`)."""

    def holds(self, row: Row, facts: Facts) -> bool:
        """Tell whether a row fulfils the condition; the class itself raises NotImplementedError."""
        raise NotImplementedError

    def sql(self, content: Any = Content) -> Expression:
        """Build the condition for a query of content, or of an alias of it; `now` and `principal` are bound.

        The class itself raises NotImplementedError.
        """
        raise NotImplementedError

    def for_status(self, status: str) -> Condition:
        """Return the condition that is left for rows that are shown with this status."""
        return self

    @cached_property
    def key(self) -> str:
        """What tells this condition from all others; it is part of the shape of a prepared statement."""
        return repr(self)


@dataclass(frozen=True)
class Always(Condition):
    """The same for every row."""

    value: bool

    def holds(self, row: Row, facts: Facts) -> bool:
        """Return the value."""
        return self.value

    def sql(self, content: Any = Content) -> Expression:
        """Build a constant."""
        return SQL("TRUE" if self.value else "FALSE")


@dataclass(frozen=True)
class StatusIn(Condition):
    """The row is stored with one of these statuses."""

    statuses: frozenset[str]

    def holds(self, row: Row, facts: Facts) -> bool:
        """Look at the row's status."""
        return row["status"] in self.statuses

    def sql(self, content: Any = Content) -> Expression:
        """Build the comparison."""
        return content.status.in_(sorted(self.statuses))

    def for_status(self, status: str) -> Condition:
        """Return whether it holds: the status is known."""
        return Always(stored_status(status) in self.statuses)


@dataclass(frozen=True)
class Scheduled(Condition):
    """The row is published at a date that lies ahead."""

    def holds(self, row: Row, facts: Facts) -> bool:
        """Compare the row's date with the present."""
        return is_scheduled(row, facts.now)

    def sql(self, content: Any = Content) -> Expression:
        """Build the comparison."""
        return scheduled(content)

    def for_status(self, status: str) -> Condition:
        """Return whether it holds: the status is known."""
        return Always(status == FUTURE)


@dataclass(frozen=True)
class TrashedFrom(Condition):
    """The row is in the trash and had one of these statuses before."""

    statuses: frozenset[str]

    def holds(self, row: Row, facts: Facts) -> bool:
        """Look at the row's status and at the one before."""
        return row["status"] == "trash" and row["trashed_status"] in self.statuses

    def sql(self, content: Any = Content) -> Expression:
        """Build the comparison."""
        return (content.status == "trash") & content.trashed_status.in_(sorted(self.statuses))

    def for_status(self, status: str) -> Condition:
        """Return that it can't hold where the row isn't in the trash."""
        return self if status == "trash" else Always(False)


@dataclass(frozen=True)
class Own(Condition):
    """The principal wrote the row; a visitor wrote none."""

    def holds(self, row: Row, facts: Facts) -> bool:
        """Compare the row's author."""
        return facts.principal != 0 and row["author_id"] == facts.principal

    def sql(self, content: Any = Content) -> Expression:
        """Build the comparison."""
        return content.author_id == Bound("principal")


@dataclass(frozen=True)
class Not(Condition):
    """The opposite of another condition."""

    part: Condition

    def holds(self, row: Row, facts: Facts) -> bool:
        """Return the opposite."""
        return not self.part.holds(row, facts)

    def sql(self, content: Any = Content) -> Expression:
        """Build the opposite."""
        return ~self.part.sql(content)

    def for_status(self, status: str) -> Condition:
        """Return what is left of the opposite."""
        return negate(self.part.for_status(status))


@dataclass(frozen=True)
class All(Condition):
    """Several conditions at once."""

    parts: tuple[Condition, ...]

    def holds(self, row: Row, facts: Facts) -> bool:
        """Tell whether all parts hold."""
        return all(part.holds(row, facts) for part in self.parts)

    def sql(self, content: Any = Content) -> Expression:
        """Build all parts."""
        return reduce(and_, [part.sql(content) for part in self.parts])

    def for_status(self, status: str) -> Condition:
        """Return what is left of the parts."""
        return every(part.for_status(status) for part in self.parts)


@dataclass(frozen=True)
class Either(Condition):
    """One condition out of several."""

    parts: tuple[Condition, ...]

    def holds(self, row: Row, facts: Facts) -> bool:
        """Tell whether any part holds."""
        return any(part.holds(row, facts) for part in self.parts)

    def sql(self, content: Any = Content) -> Expression:
        """Build all parts."""
        return reduce(or_, [part.sql(content) for part in self.parts])

    def for_status(self, status: str) -> Condition:
        """Return what is left of the parts."""
        return either(part.for_status(status) for part in self.parts)


@dataclass(frozen=True)
class ParentFulfils(Condition):
    """What the row is attached to fulfils the condition of its type; a row that is attached to nothing fulfils it."""

    conditions: tuple[tuple[str, Condition], ...]

    def holds(self, row: Row, facts: Facts) -> bool:
        """Look at what the row is attached to; nobody sees what hangs on something that is gone."""
        if not row["parent_id"]:
            return True
        parent = parent_of(row)
        condition = dict(self.conditions).get(parent["type"]) if parent else None
        return parent is not None and condition is not None and condition.holds(parent, facts)

    def sql(self, content: Any = Content) -> Expression:
        """Build the look at the other rows."""
        parent = content.alias()
        fulfils = reduce(
            or_, [of_type(type, parent) & condition.sql(parent) for type, condition in self.conditions]
        )
        # One parent for each row: a list of all that fulfil it would hold most of the table.
        seen = parent.select(SQL("1")).where((parent.id == content.parent_id) & fulfils)
        return (content.parent_id == 0) | fn.EXISTS(seen)


def every(parts: Iterable[Condition]) -> Condition:
    """Return the condition that all parts hold, without those that always do."""
    left = [part for part in parts if part != Always(True)]
    if Always(False) in left:
        return Always(False)
    if not left:
        return Always(True)
    return left[0] if len(left) == 1 else All(tuple(left))


def either(parts: Iterable[Condition]) -> Condition:
    """Return the condition that any part holds, without those that never do."""
    left = [part for part in parts if part != Always(False)]
    if Always(True) in left or any(Not(part) in left for part in left):
        return Always(True)
    if not left:
        return Always(False)
    return left[0] if len(left) == 1 else Either(tuple(left))


def negate(part: Condition) -> Condition:
    """Return the opposite of a condition."""
    return Always(not part.value) if isinstance(part, Always) else Not(part)


def parent_of(row: Row) -> Row | None:
    """Return what a row is attached to, from its column `parent`: JSON, or None where there is no such row."""
    parent = row["parent"]
    loaded: Row | None = orjson.loads(parent) if isinstance(parent, str) else parent
    return loaded
