"""The extension of the format: JSON in an element of our own, which other programs ignore."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from cms.dates import to_gmt
from cms.rendering.characters import FORBIDDEN
from cms.transfer.wxr.xml import element

NAMESPACE = "urn:headless-cms:export:1"
TAG = "cms:more"
UNREADABLE = f"{TAG} can't be read and was left out"

More = Mapping[str, Any]
EMPTY: More = {}


def write_more(values: More, localized: Mapping[str, str]) -> str:
    """Return the element with these values, those left out that are empty; an empty text where none is left.

    Of the `localized` texts, which the format has, it repeats those that XML can't hold unchanged.
    """
    unfit = {name: text for name, text in localized.items() if FORBIDDEN.search(text)}
    written = {name: value for name, value in {**values, "texts": unfit}.items() if value}
    if not written:
        return ""
    return element(TAG, json.dumps(written))


def read_more(text: str) -> More | None:
    """Return the values in an element's text, or None where they can't be read."""
    try:
        values = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(values, dict):
        return None
    return values


def text_of(more: More, name: str) -> str:
    """Return a value that is a text, or an empty one."""
    value = more.get(name)
    if not isinstance(value, str):
        return ""
    return value


def texts_of(more: More) -> dict[str, str]:
    """Return the texts that XML couldn't hold unchanged, by the names of their elements."""
    texts = more.get("texts")
    if not isinstance(texts, dict):
        return {}
    return {name: text for name, text in texts.items() if isinstance(text, str)}


def moment_of(more: More, name: str) -> str | None:
    """Return a moment in GMT in the form of the database, or None where there is none."""
    try:
        return to_gmt(datetime.fromisoformat(text_of(more, name)), UTC)
    except (ValueError, OverflowError):
        return None
