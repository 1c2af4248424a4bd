"""What an export of ours holds besides the format: JSON in an element of our own, which other programs pass over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import orjson

from cms.dates import to_gmt
from cms.transfer.wxr.xml import FORBIDDEN, element

NAMESPACE = "urn:headless-cms:export:1"
TAG = "cms:more"
UNREADABLE = f"{TAG} can't be read and was left out"

More = Mapping[str, Any]
NOTHING: More = MappingProxyType({})


def write_more(values: More, localized: Mapping[str, str]) -> str:
    """Return the element with these values, or nothing where none is worth telling.

    Of the texts that the format holds, given as `said`, it repeats those that XML can't hold as they are.
    """
    unfit = {name: text for name, text in localized.items() if FORBIDDEN.search(text)}
    told = {name: value for name, value in {**values, "texts": unfit}.items() if value}
    return element(TAG, json.dumps(told)) if told else ""


def read_more(text: str) -> More | None:
    """Return the values in an element's text, or None where they can't be read."""
    try:
        values = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return values if isinstance(values, dict) else None


def text_of(more: More, name: str) -> str:
    """Return a value that is a text, or an empty one."""
    value = more.get(name)
    return value if isinstance(value, str) else ""


def texts_of(more: More) -> dict[str, str]:
    """Return the texts that XML couldn't hold as they are."""
    texts = more.get("texts")
    return (
        {name: text for name, text in texts.items() if isinstance(text, str)}
        if isinstance(texts, dict)
        else {}
    )


def moment_of(more: More, name: str) -> str | None:
    """Return a moment in GMT as it is stored, or None where there is none."""
    try:
        return to_gmt(datetime.fromisoformat(text_of(more, name)), UTC)
    except (ValueError, OverflowError):
        return None
