"""Headers that say what a stored file is, whoever sends it."""

from __future__ import annotations

from urllib.parse import quote

from cms.media.names import ending_of
from cms.media.types import BY_ENDING


def content_type_of(key: str) -> str:
    """Return the type that a file is sent as, by the ending of its key."""
    kind = BY_ENDING.get(ending_of(key))
    if kind is None:
        return "application/octet-stream"
    if kind.mime.startswith("text/"):
        return f"{kind.mime}; charset=utf-8"
    return kind.mime


def disposition_of(key: str) -> str:
    """Return whether browsers show a file or save it, and under which name."""
    kind = BY_ENDING.get(ending_of(key))
    disposition = "attachment"
    if kind and kind.inline:
        disposition = "inline"
    return f"{disposition}; filename*=UTF-8''{quote(key.rpartition('/')[2])}"
