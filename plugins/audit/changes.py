"""What a write changed, as an entry tells it: names of fields, short values, no secrets."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

import orjson

from cms.plugin import Row

#: What is always left out: what the site makes of other columns, and what every write changes.
DERIVED = re.compile(r"version|rendered_by|modified_gmt|source_(site|id|mark)|sort_\w+|\w+_html|parent|id")
SECRET = re.compile(r"password|secret|token|digest|hash|api_?key|credential", re.IGNORECASE)
#: What tells what an item is called, the best first.
TITLES = ("title", "name", "login", "author_name", "url", "slug")
#: The longest value that is kept as it is, in characters; of longer ones the size and a digest are.
LONGEST = 200
LONGEST_TITLE = 200

Changes = dict[str, list[object]]


def changes_of(row: Row | None, previous: Row | None) -> Changes:
    """Return before and after of what differs, by the name of the field; None stands for what wasn't there."""
    before, after = _fields(previous), _fields(row)
    changes: Changes = {}
    for name in {**before, **after}:
        old, new = before.get(name), after.get(name)
        if old != new and not (previous is None and new in ("", 0, None)):
            changes[name] = [None, None] if SECRET.search(name) else [shown(old), shown(new)]
    return changes


def title_of(row: Row) -> str:
    """Return what an item is called, shortened."""
    for name in TITLES:
        if row.get(name):
            return str(row[name])[:LONGEST_TITLE]
    return ""


def shown(value: object) -> object:
    """Return a value as an entry keeps it: a long one by size and digest; what lies in objects isn't searched."""
    if value is None or isinstance(value, (int, float)):
        return value
    text = value if isinstance(value, str) else orjson.dumps(value, default=str).decode()
    if isinstance(value, str) and len(text) <= LONGEST:
        return text
    if not isinstance(value, str) and len(text) <= LONGEST and not SECRET.search(text):
        return value
    data = text.encode()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _fields(row: Row | None) -> dict[str, object]:
    """Return the fields of a row by name, with those that are kept beside the item."""
    if row is None:
        return {}
    found: dict[str, object] = {}
    for name, value in row.items():
        if name == "meta":
            found |= _beside(value)
        elif not DERIVED.fullmatch(name):
            found[name] = value
    return found


def _beside(meta: object) -> Mapping[str, object]:
    try:
        values = orjson.loads(meta) if isinstance(meta, (str, bytes)) else meta
    except orjson.JSONDecodeError:
        return {}
    return values if isinstance(values, dict) else {}
