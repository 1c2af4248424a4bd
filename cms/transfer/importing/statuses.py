"""What states of content in an export are stored as."""

from __future__ import annotations

from cms.schema.content_types import ContentRegistry

TRASH, INHERIT, AUTO_DRAFT = "trash", "inherit", "auto-draft"


def usual_state(content_registry: ContentRegistry, kind: str) -> str:
    """Return the state of an item whose own isn't known."""
    return INHERIT if content_registry.types[kind].inherits else "draft"


def stored_state(content_registry: ContentRegistry, kind: str, given: str) -> str | None:
    """Return what a state is stored as, None where items of the type can't have it.

    What is scheduled is stored as published, at a date ahead.
    """
    if given == INHERIT:
        return INHERIT if content_registry.types[kind].inherits else None
    if given == "future":
        return "publish"
    return given if given == TRASH or given in content_registry.writable else None


def is_unfinished(content_registry: ContentRegistry, kind: str, given: str) -> bool:
    """Tell whether an item was never meant to be kept."""
    return given == AUTO_DRAFT or (given == INHERIT and not content_registry.types[kind].inherits)
