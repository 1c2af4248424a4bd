"""What SQLite has of a site's schema: the statements that its parts were made by."""

from __future__ import annotations

from cms.db.reader import Reader

SELECT_INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND name GLOB ?"


def present_indexes(database: Reader, prefix: str) -> dict[str, str]:
    """Return the statements of the indexes whose names begin alike, by name."""
    found = {}
    for row in database.rows(SELECT_INDEXES, (f"{prefix}*",)):
        found[row["name"]] = row["sql"]
    return found
