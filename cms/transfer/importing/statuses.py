"""What statuses of content in an export are stored as."""

from __future__ import annotations

from cms.db.expressions import DRAFT, FUTURE, INHERIT, TRASH, stored_status
from cms.schema.content_types import ContentRegistry

#: The status of an item that was never saved by anybody.
AUTO_DRAFT = "auto-draft"


def default_status(registry: ContentRegistry, type: str) -> str:
    """Return the status of an item whose own isn't known."""
    return INHERIT if registry.types[type].inherits else DRAFT


def imported_status(registry: ContentRegistry, type: str, status: str) -> str | None:
    """Return what a status is stored as, None where items of the type can't have it."""
    if status == INHERIT:
        return INHERIT if registry.types[type].inherits else None
    if status in (FUTURE, TRASH) or status in registry.writable:
        return stored_status(status)
    return None


def is_unfinished(registry: ContentRegistry, type: str, status: str) -> bool:
    """Tell whether an item is a draft that was never saved, or an earlier version."""
    return status == AUTO_DRAFT or (status == INHERIT and not registry.types[type].inherits)
