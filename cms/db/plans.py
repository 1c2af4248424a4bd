"""What a list will ask the database, gathered part by part, each with its share of the statement's shape."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import and_, or_
from typing import Any

from peewee import SQL

from cms.db.peewee_types import Build


@dataclass(frozen=True)
class Source:
    """What leads to the few rows that a list is made of; SQLite looks there first, whatever it takes for quicker.

    `table` stands first in FROM, `id` is its column with the ids of rows, each once; `condition` narrows it. `order`
    is what its rows lie in the order of, where that is the order of the list.
    """

    table: Any
    id: Any
    condition: Any = None
    order: tuple[Any, ...] = ()


@dataclass
class QueryPlan:
    """What a list will ask the database: conditions and an order, each with its part of the shape.

    A condition is a function that builds a peewee expression; it is called when no statement of this shape was
    written before, so whatever it depends on must be in its key, and values must be `Bound`.
    """

    shape: list[Hashable] = field(default_factory=list)
    conditions: list[Build] = field(default_factory=list)
    ordering: list[Build] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    #: The column whose values a list gives the order of, and the name under which the list is bound.
    listed: tuple[str, str] | None = None
    #: Builds the `Source` of the list, None where its own table is read.
    source: Build | None = None
    #: Builds the total from numbers that are kept, None where rows must be counted.
    kept_total: Build | None = None
    #: The place of a condition among the others, and the parts of which a row fulfils one and no other.
    alternatives: tuple[int, Sequence[Build]] | None = None

    def where(self, key: Hashable, build: Build, **values: object) -> None:
        """Narrow the list; raises ValueError where the name of a value stands for another one already."""
        self.shape.append(key)
        self.conditions.append(build)
        self.bind(values)

    def where_one_of(
        self, key: Hashable, builds: Sequence[Build], whole: Build | None = None, **values: object
    ) -> None:
        """Narrow the list to rows that fulfil one of these conditions, of which no row fulfils two.

        `whole` builds the same as one condition, where that isn't just to join them. Raises ValueError as `where` does.
        """
        if self.alternatives is None and len(builds) > 1:
            self.alternatives = (len(self.conditions), builds)
        self.where(key, whole or partial(_any, builds), **values)

    def look_in(self, key: Hashable, build: Build, **values: object) -> None:
        """Find the rows by a `Source`, the first that is given; raises ValueError as `where` does."""
        if self.source is None:
            self.source = build
            self.shape.append(("source", key))
            self.bind(values)

    def order(self, key: Hashable, build: Build, **values: object) -> None:
        """Add an attribute to order by, after those that are there."""
        self.shape.append(key)
        self.ordering.append(build)
        self.bind(values)

    def order_by_list(self, key: Hashable, column: str, name: str) -> None:
        """Order by where a column's value stands in the list that is bound under a name; other rows come last."""
        self.listed = (column, name)
        self.order(key, lambda: SQL("listed.place NULLS LAST"))

    def bind(self, values: Mapping[str, object]) -> None:
        """Give values by name; raises ValueError for a name that stands for another value in this statement."""
        for name, value in values.items():
            if name in self.values and self.values[name] != value:
                raise ValueError(f"the value {name!r} is bound already; take a name of your own")
        self.values.update(values)

    def order_terms(self) -> list[Any]:
        """Build what to order by."""
        return [build() for build in self.ordering]

    def condition(self) -> Any:
        """Build all conditions as one expression, or None."""
        return _all(self.conditions)

    def split_conditions(self) -> list[Any]:
        """Build all conditions once for each of the alternatives, of which the list is put together."""
        if self.alternatives is None:
            return [self.condition()]
        place, builds = self.alternatives
        before, after = self.conditions[:place], self.conditions[place + 1 :]
        return [_all([*before, build, *after]) for build in builds]


def _all(builds: Sequence[Build]) -> Any:
    built = [build() for build in builds]
    return reduce(and_, built) if built else None


def _any(builds: Sequence[Build]) -> Any:
    return reduce(or_, [build() for build in builds])
