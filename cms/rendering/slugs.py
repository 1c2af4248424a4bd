"""Slugs as they are stored: made of what is sent, and marked in the trash."""

from __future__ import annotations

import re
from urllib.parse import unquote

from cms.rendering.plain import make_slug

MAX_LENGTH = 200
TRASH_MARK = "__trashed"


def clean_slug(sent: str) -> str:
    """Return a sent slug as it is stored: decoded, reduced to what a slug may hold, cut to length."""
    return make_slug(unquote(sent))[:MAX_LENGTH].strip("-")


def mark_trashed(slug: str) -> str:
    """Return a slug with the mark of the trash, under which it is free for others."""
    return f"{slug}{TRASH_MARK}"


def without_trash_mark(slug: str) -> str:
    """Return a slug without the mark of the trash."""
    return re.sub(rf"{TRASH_MARK}(-\d+)?$", "", slug)
