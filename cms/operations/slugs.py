"""Slugs that nothing else has yet."""

from __future__ import annotations

import re
from urllib.parse import unquote

from cms.db import Database
from cms.rendering.plain import make_slug

LONGEST = 200


def clean_slug(given: str) -> str:
    """Return a sent slug as it is stored: decoded, reduced to what a slug may hold, cut to length."""
    return make_slug(unquote(given))[:LONGEST].strip("-")


def free_slug(wanted: str, taken: set[str]) -> str:
    """Return the slug, or the first one with a number behind it that isn't taken."""
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted[: LONGEST - 8]}-{number}" in taken:
        number += 1
    return f"{wanted[: LONGEST - 8]}-{number}"


def taken_slugs(
    database: Database, table: str, wanted: str, where: str, values: tuple[object, ...]
) -> set[str]:
    """Return the slugs in use that `wanted` could collide with; `where` and its values narrow the rows."""
    stem = wanted[: LONGEST - 8]
    # A range on the index instead of LIKE, whose signs would need escaping.
    sql = f"SELECT slug FROM {table} WHERE slug >= ? AND slug < ? AND {where}"  # noqa: S608 (our own texts)
    return {row["slug"] for row in database.rows(sql, (stem, stem + "\U0010ffff", *values))}


def without_mark(slug: str) -> str:
    """Return a slug without the mark that the trash puts behind it."""
    return re.sub(r"__trashed(-\d+)?$", "", slug)
