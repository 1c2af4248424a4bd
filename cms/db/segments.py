"""What is left of a list behind one of its rows, as conditions that an index finds the beginning of."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from peewee import SQL, NodeList, Ordering
from peewee import Field as Column

from cms.db.peewee_types import Expression
from cms.db.plans import QueryPlan
from cms.db.statements import Bound

#: How rows differ from the one that they come behind, in the first value that they don't have in common.
BEHIND, EMPTY, FILLED = "behind", "empty", "filled"
#: What the names of values begin with that say where the row lies.
VALUE = "cursor "


@dataclass(frozen=True)
class Segment:
    """A part of what is left of a list behind a row; its rows come before those of the next segment.

    They have the first `ties` values of what the list is ordered by in common with that row. SQLite finds no index for
    a comparison of all values at once, `(date, id) < (?, ?)`, where the last one is the row's id.
    """

    ties: int
    how: str

    @property
    def key(self) -> Hashable:
        """What the statement's shape has of it."""
        return ("segment", self.ties, self.how)

    def order(self, terms: Sequence[Expression]) -> Sequence[Expression]:
        """Return what its rows are ordered by, of what the list is ordered by."""
        return terms[self.ties :]

    def condition(self, terms: Sequence[Ordering]) -> Expression:
        """Build the condition of its rows, from what the list is ordered by."""
        conditions = []
        for place, term in enumerate(terms[: self.ties]):
            conditions.append(NodeList((term.node, SQL("IS"), Bound(f"{VALUE}{place}")), parens=True))
        first = terms[self.ties]
        if self.how == BEHIND:
            sign = "<" if first.direction == "DESC" else ">"
            how: tuple[Any, ...] = (SQL(sign), Bound(f"{VALUE}{self.ties}"))
        else:
            how = (SQL("IS NULL") if self.how == EMPTY else SQL("IS NOT NULL"),)
        conditions.append(NodeList((first.node, *how), parens=True))
        return NodeList(conditions, glue=" AND ", parens=True)


def can_be_walked(plan: QueryPlan) -> bool:
    """Tell whether a list has an order in which a row's own values say where it lies, its id as the last word."""
    terms = plan.order_terms()
    if plan.listed is not None or not terms or not all(isinstance(term, Ordering) for term in terms):
        return False
    last = terms[-1].node
    is_one_way = len({term.direction for term in terms}) == 1
    return is_one_way and isinstance(last, Column) and bool(last.primary_key)


def segments(plan: QueryPlan, values: Sequence[object]) -> list[Segment]:
    """Return the segments behind the row that has these values, the nearest first."""
    terms, found = plan.order_terms(), []
    for ties in reversed(range(len(terms))):
        may_be_empty = not isinstance(terms[ties].node, Column) or bool(terms[ties].node.null)
        ways = _ways(values[ties], may_be_empty, terms[ties].direction == "DESC")
        found += [Segment(ties, how) for how in ways]
    return found


def _ways(value: object, may_be_empty: bool, is_descending: bool) -> tuple[str, ...]:
    """Return how rows differ that come behind a value: SQLite takes NULL for smaller than all else."""
    if value is None:
        return () if is_descending else (FILLED,)
    return (BEHIND, EMPTY) if is_descending and may_be_empty else (BEHIND,)
