"""Dates and values of plugins as an export has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

import orjson

from cms.transfer.wxr.xml import element

#: Makes of a stored text what is read of it (`OwnFiles.show`).
Show = Callable[[str], str]


def read_meta(column: str, show: Show) -> dict[str, Any]:
    """Return the values of plugins in a column `meta`, which may be of any type that JSON has."""
    meta = orjson.loads(show(column))
    return meta if isinstance(meta, dict) else {}


def as_datetime(stored: str) -> datetime:
    """Return the moment of a stored date."""
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)


def as_gmt(stored: str) -> str:
    """Return a stored date in the form of the format."""
    return stored.replace("T", " ")


def as_local(stored: str, zone: tzinfo) -> str:
    """Return the local time of a stored date; next to the ends of the calendar that of GMT."""
    try:
        return f"{as_datetime(stored).astimezone(zone).replace(tzinfo=None)}"
    except OverflowError:
        return as_gmt(stored)


def as_texts(meta: Mapping[str, object]) -> dict[str, str]:
    """Return values as the texts that the format has, JSON of those that aren't texts."""
    found: dict[str, str] = {}
    for name, value in meta.items():
        found[name] = value if isinstance(value, str) else orjson.dumps(value).decode()
    return found


def pair(tag: str, name: str, value: str) -> str:
    """Return an element that has a value by its name."""
    return f"<{tag}>\n{element('wp:meta_key', name)}{element('wp:meta_value', value)}</{tag}>\n"
