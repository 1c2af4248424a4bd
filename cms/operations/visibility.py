"""Who may read an item of content, whatever its type: one condition per type, for rows and for queries."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial, reduce
from operator import or_

from cms.access.capabilities import Principal
from cms.access.conditions import Always, Condition, Facts
from cms.access.policy import conditions_for, inherited
from cms.db.bounded_table import BoundedTable
from cms.db.expressions import INHERIT, with_status
from cms.db.peewee_types import Build, Expression
from cms.operations.results import Row
from cms.schema.content_types import ContentRegistry, ContentType

#: A condition as its key, and what builds it for each status.
Alternatives = tuple[str, list[Build]]
#: How many bytes of them are kept.
MOST_BYTES = 1_000_000


class ContentVisibility:
    """The visibility of content on one site; items of a type that is gone are seen by nobody."""

    def __init__(self, registry: ContentRegistry) -> None:
        self._types = registry.types
        # Of a type and all who have the same capabilities; who asks is bound when a statement runs.
        self._inherited = lru_cache(maxsize=1_000)(self._build_inherited)
        self._readable_in_full: BoundedTable[tuple[str, tuple[str, ...]], bool] = BoundedTable(MOST_BYTES)
        self._alternatives: BoundedTable[tuple[str, tuple[str, ...]], Alternatives] = BoundedTable(MOST_BYTES)

    def readable(self, type: ContentType, principal: Principal) -> Condition:
        """Return the condition under which the principal may read items of a type, their passwords apart."""
        if not type.inherits:
            return type.policy.readable(principal)
        return self._inherited(type, principal.capabilities, principal.id != 0)

    def _build_inherited(
        self, type: ContentType, capabilities: frozenset[str], is_account: bool
    ) -> Condition:
        own = conditions_for(type.policy, capabilities, is_account)
        parents = []
        for other in self._types.values():
            if other.public and not other.inherits:
                readable = conditions_for(other.policy, capabilities, is_account).readable
                parents.append((other.name, readable))
        return inherited(own.readable, own.editable, tuple(parents))

    def may_read(self, principal: Principal, row: Row, now: str) -> bool:
        """Tell whether the principal may read an item, its password apart; a row that inherits has `parent`."""
        type = self._types.get(row["type"])
        return type is not None and self.readable(type, principal).holds(row, Facts(now, principal.id))

    def may_edit(self, principal: Principal, row: Row) -> bool:
        """Tell whether the principal may change an item."""
        type = self._types.get(row["type"])
        return type is not None and type.policy.may_edit(principal, row)

    def filter(self, type: ContentType, principal: Principal, statuses: Iterable[str]) -> tuple[str, Build]:
        """Return the condition that items of a type are shown with one of these statuses and may be read.

        It comes as its key and what builds it; `now` and `principal` are bound.
        """
        key, builds = self.alternatives(type, principal, statuses)
        return key, lambda: reduce(or_, [build() for build in builds])

    def alternatives(self, type: ContentType, principal: Principal, statuses: Iterable[str]) -> Alternatives:
        """Return the same condition as its key and what builds it for each status; no item fulfils two of them."""
        condition, wanted = self.readable(type, principal), tuple(dict.fromkeys(statuses))
        known = self._alternatives.get((condition.key, wanted))
        if known is None:
            known = _build_alternatives(condition, wanted)
            self._alternatives.put((condition.key, wanted), known, len(condition.key) + 500 * len(wanted))
        return known

    def is_readable_in_full(self, type: ContentType, principal: Principal, statuses: Iterable[str]) -> bool:
        """Tell whether the principal may read every item of a type that is shown with one of these statuses."""
        condition = self.readable(type, principal)
        key = condition.key, tuple(statuses)
        known = self._readable_in_full.get(key)
        if known is None:
            known = all(condition.for_status(status) == Always(True) for status in key[1])
            self._readable_in_full.put(key, known, len(condition.key))
        return known

    @property
    def public_types(self) -> list[ContentType]:
        """The types whose items front ends show."""
        return [type for type in self._types.values() if type.public]


def nobody() -> Expression:
    """Build the condition that no row fulfils."""
    return Always(False).sql()


def _build_alternatives(condition: Condition, statuses: tuple[str, ...]) -> Alternatives:
    builds: list[Build] = []
    for status in statuses:
        left = condition.for_status(status)
        if left != Always(False):
            builds.append(partial(_shown_with, status, left))
    return f"{','.join(statuses)} {condition.key}", builds or [nobody]


def _shown_with(status: str, condition: Condition) -> Expression:
    shown = with_status(status)
    return shown if condition == Always(True) else shown & condition.sql()


def inherits(row: Row) -> bool:
    """Tell whether a row's visibility is that of what it is attached to."""
    return bool(row["status"] == INHERIT)
