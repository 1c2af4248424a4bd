"""The first pages of lists: their statements say how long a page is, so that the server plans for it and plans once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

PLACE = re.compile(rb"\b(LIMIT|OFFSET) \$(\d+)")

#: Of each place of a LIMIT or an OFFSET its number, from 0, and whether it is an OFFSET.
Places = tuple[tuple[int, bool], ...]


def places_of(sql: bytes) -> Places:
    """Return the places of a statement that say which page is wanted."""
    found = []
    for match in PLACE.finditer(sql):
        found.append((int(match[2]) - 1, match[1] == b"OFFSET"))
    return tuple(found)


def first_page(sql: bytes, places: Places, bound: Sequence[Any]) -> bytes | None:
    """Return a statement with the length of the page in it; None for a page behind the first.

    The server doesn't know how far a list is read of which that is bound, and expects a tenth of it. The values stay as
    they are: it takes more than a statement has places for.
    """
    numbers = []
    for place, is_offset in places:
        number = bound[place]
        if not isinstance(number, int) or number < 0 or (is_offset and number):
            return None
        numbers.append(number)
    return _with(sql, tuple(numbers))


@lru_cache(maxsize=2_000)
def _with(sql: bytes, numbers: tuple[int, ...]) -> bytes:
    left = iter(numbers)
    return PLACE.sub(lambda match: b"%s %d" % (match[1], next(left)), sql)
