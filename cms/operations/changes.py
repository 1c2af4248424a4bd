"""A write on its way from its arguments to the lock: what was made ready of it, and what refuses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cms.errors import ApiError, InvalidParams
from cms.i18n import _
from cms.operations.permissions import DELETE
from cms.operations.results import Row
from cms.operations.rules import Draft
from cms.schema.resource import Arguments

TRASH = "trash"
#: How often a write is prepared anew without the lock because somebody else has changed the item meanwhile.
MOST_ATTEMPTS = 3

#: Does more in the transaction of a change, before it is stored; gets the item's row.
BeforeStore = Callable[[Any], None]


@dataclass(frozen=True)
class Change:
    """A write that only needs to be stored: its arguments as plugins want them, and what was made ready of them.

    `row` is the item as it was then, None for a new one.
    """

    row: Any
    args: Arguments
    ready: object = None


def needed_permission(action: str) -> str:
    """Return the permission that a write needs: moving to the trash needs that to delete."""
    return DELETE if action == TRASH else action


def check_version(row: Row, versions: frozenset[int] | None) -> None:
    """Raise ApiError where somebody else has changed an item since it was read."""
    if versions is not None and row["version"] not in versions:
        message = _("Somebody has changed this since you read it. Read it again, then repeat your change.")
        raise ApiError("rest_precondition_failed", message, 412)


def would_be_dropped(draft: Draft) -> InvalidParams:
    """Build the refusal of a write of which something would be dropped."""
    faults = {}
    for name, values in draft.ignored.items():
        unknown = ", ".join(map(str, values))
        faults[name] = _("There is no such thing, or it can't be used here: %(values)s.", values=unknown)
    return InvalidParams(faults)
