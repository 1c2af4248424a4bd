"""Lists of values as one bound text, for `IN` with `LISTED`."""

from __future__ import annotations

from collections.abc import Iterable

import orjson


def json_list(values: Iterable[object]) -> str:
    """Return values as a JSON list."""
    return orjson.dumps(list(values)).decode()
