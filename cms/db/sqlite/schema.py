"""What SQLite has of a site's schema: the statements that its parts were made by."""

from __future__ import annotations

from cms.db.reader import Reader
from cms.db.sqlite.thread_connections import ThreadConnections

SELECT_INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND name GLOB ?"

SELECT_PARTS = """
SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL
ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, rowid
"""


def made_parts(engine: ThreadConnections) -> dict[str, str]:
    """Return the statements of all tables, indexes and triggers, by name, in the order in which they can be made."""
    return dict(engine.execute_sql(SELECT_PARTS).fetchall())


def present_indexes(database: Reader, prefix: str) -> dict[str, str]:
    """Return the statements of the indexes whose names begin alike, by name."""
    found = {}
    for row in database.rows(SELECT_INDEXES, (f"{prefix}*",)):
        found[row["name"]] = row["sql"]
    return found
