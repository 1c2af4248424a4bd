"""What states of content in an export are stored as."""

from __future__ import annotations

from cms.schema.content_types import Catalogue

TRASH, INHERIT, AUTO_DRAFT = "trash", "inherit", "auto-draft"


def usual_state(catalogue: Catalogue, kind: str) -> str:
    """Return the state of an item whose own isn't known."""
    return INHERIT if catalogue.types[kind].inherits else "draft"


def stored_state(catalogue: Catalogue, kind: str, given: str) -> str | None:
    """Return what a state is stored as, None where items of the type can't have it.

    What is scheduled is stored as published, at a date ahead.
    """
    if given == INHERIT:
        return INHERIT if catalogue.types[kind].inherits else None
    if given == "future":
        return "publish"
    return given if given == TRASH or given in catalogue.writable else None


def is_unfinished(catalogue: Catalogue, kind: str, given: str) -> bool:
    """Tell whether an item was never meant to be kept."""
    return given == AUTO_DRAFT or (given == INHERIT and not catalogue.types[kind].inherits)
