"""Indexes with the statement that each was made by, which stands in its comment."""

from __future__ import annotations

from cms.db.reader import Reader

SELECT_INDEXES = """
SELECT c.relname, obj_description(c.oid, 'pg_class') FROM pg_class c
WHERE c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace AND starts_with(c.relname::text, ?)
"""
NOTE = "COMMENT ON INDEX {name} IS '{sql}'"


def present_indexes(database: Reader, prefix: str) -> dict[str, str]:
    """Return the statements of the indexes whose names begin alike, by name."""
    found = {}
    for name, sql in database.tuples(SELECT_INDEXES, (prefix,)):
        found[name] = sql or ""
    return found


def note_text(name: str, sql: str) -> str:
    """Return the statement that notes by which one an index was made."""
    return NOTE.format(name=name, sql=sql.replace("'", "''"))
