"""Who may do what with content of one type, as conditions that are evaluated on rows and in queries alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from cms.access.capabilities import Principal
from cms.access.conditions import (
    Always,
    Condition,
    Facts,
    Own,
    ParentFulfils,
    Row,
    Scheduled,
    StatusIn,
    TrashedFrom,
    either,
    every,
    negate,
)
from cms.db.expressions import INHERIT

PUBLIC, PRIVATE = frozenset({"publish"}), frozenset({"private"})


@dataclass(frozen=True, eq=False)
class ContentPolicy:
    """The rules for one type of content, whose capabilities end in its plural (`posts`).

    `public` and `private` name the statuses whose items everybody sees, or only their authors and those with the
    capability.
    """

    plural: str
    public: frozenset[str] = PUBLIC
    private: frozenset[str] = PRIVATE

    def _may(self, principal: Principal, verb: str) -> bool:
        return f"{verb}_{self.plural}" in principal.capabilities

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may write items of their own."""
        return self._may(principal, "edit")

    def may_publish(self, principal: Principal) -> bool:
        """Tell whether the principal may make items public, private or scheduled."""
        return self._may(principal, "publish")

    def may_edit_others(self, principal: Principal) -> bool:
        """Tell whether the principal may edit what others wrote and write in their name."""
        return self._may(principal, "edit_others")

    def may_edit(self, principal: Principal, row: Row) -> bool:
        """Tell whether the principal may change this item."""
        return self.editable(principal).holds(row, Facts("", principal.id))

    def may_delete(self, principal: Principal, row: Row) -> bool:
        """Tell whether the principal may trash or delete this item."""
        return self.deletable(principal).holds(row, Facts("", principal.id))

    def editable(self, principal: Principal) -> Condition:
        """Return the condition under which the principal may change an item."""
        return conditions_for(self, principal.capabilities, principal.id != 0).editable

    def deletable(self, principal: Principal) -> Condition:
        """Return the condition under which the principal may trash or delete an item."""
        return conditions_for(self, principal.capabilities, principal.id != 0).deletable

    def readable(self, principal: Principal) -> Condition:
        """Return the condition under which the principal may read an item, its password apart."""
        return conditions_for(self, principal.capabilities, principal.id != 0).readable


@dataclass(frozen=True)
class Conditions:
    """The conditions of a policy for all who have the same capabilities."""

    editable: Condition
    deletable: Condition
    readable: Condition


@lru_cache(maxsize=1_000)
def conditions_for(policy: ContentPolicy, capabilities: frozenset[str], is_account: bool) -> Conditions:
    """Return the conditions for somebody with these capabilities; visitors have no items of their own."""

    def may(verb: str) -> bool:
        return f"{verb}_{policy.plural}" in capabilities

    def can(verb: str) -> Condition:
        own = is_account and may(verb)
        return changeable(
            policy, own, may(f"{verb}_others"), may(f"{verb}_published"), may(f"{verb}_private")
        )

    reads_own = is_account and (may("edit") or "read" in capabilities)
    editable = can("edit")
    return Conditions(editable, can("delete"), readable(policy, reads_own, may("read_private"), editable))


@lru_cache(maxsize=1_000)
def changeable(policy: ContentPolicy, own: bool, others: bool, published: bool, private: bool) -> Condition:
    """Return the condition under which an item may be changed by somebody with these capabilities.

    What is in the trash counts as what it was before.
    """
    was_public = either([StatusIn(policy.public), TrashedFrom(policy.public)])
    was_private = either([StatusIn(policy.private), TrashedFrom(policy.private)])
    needs_published = either([Always(published), negate(was_public)])
    needs_private = either([Always(private), negate(was_private)])
    by_author = every(
        [Own(), either([every([was_public, Always(published)]), every([negate(was_public), Always(own)])])]
    )
    by_others = every([Always(others), negate(Own()), needs_published, needs_private])
    return either([by_author, by_others])


@lru_cache(maxsize=1_000)
def readable(policy: ContentPolicy, own: bool, private: bool, editable: Condition) -> Condition:
    """Return the condition under which an item may be read by somebody with these capabilities."""
    return either(
        [
            every([StatusIn(policy.public), negate(Scheduled())]),
            every([Own(), Always(own)]),
            every([StatusIn(policy.private), Always(private)]),
            editable,
        ]
    )


@lru_cache(maxsize=1_000)
def inherited(own: Condition, editable: Condition, parents: tuple[tuple[str, Condition], ...]) -> Condition:
    """Return the condition under which items may be read that are attached to others.

    `own` is what holds for those that don't inherit, `parents` are the conditions of the types that they may be
    attached to.
    """
    inherits = StatusIn(frozenset({INHERIT}))
    return either([editable, every([inherits, ParentFulfils(parents)]), every([negate(inherits), own])])
