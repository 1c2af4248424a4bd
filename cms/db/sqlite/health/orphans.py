"""Rows that point at rows which aren't there."""

from __future__ import annotations

from cms.db.connection import Database

#: What is nothing without the row that its column names: table, column, the other table. None of them holds a text that
#: could still be read.
DEPENDENT = (
    ("content_terms", "content_id", "content"),
    ("content_terms", "term_id", "terms"),
    ("term_items", "content_id", "content"),
    ("term_items", "term_id", "terms"),
    ("comments", "post_id", "content"),
    ("revisions", "parent_id", "content"),
    ("media", "content_id", "content"),
    ("scheduled", "content_id", "content"),
    ("old_slugs", "content_id", "content"),
    ("tokens", "user_id", "users"),
    ("second_factors", "user_id", "users"),
    ("deliveries", "event_id", "events"),
)
ORPHANS = "FROM {table} WHERE {column} NOT IN (SELECT id FROM {other})"


def find_orphans(database: Database) -> dict[str, int]:
    """Return how many rows of each table point at nothing and can go; tables without any are left out."""
    found: dict[str, int] = {}
    for table, column, other in DEPENDENT:
        number = database.scalar("SELECT COUNT(*) " + ORPHANS.format(table=table, column=column, other=other))
        if number:
            found[table] = found.get(table, 0) + int(number)
    return found


def remove_orphans(database: Database) -> int:
    """Remove what `find_orphans` finds in one transaction, and return how many rows that were."""
    removed = 0
    with database.write():
        for table, column, other in DEPENDENT:
            removed += database.execute("DELETE " + ORPHANS.format(table=table, column=column, other=other))
    return removed


def broken_references(database: Database) -> dict[tuple[str, str], int]:
    """Return how many rows point at none of another table, by both tables, which can't be removed."""
    dependent = {(table, other) for table, _column, other in DEPENDENT}
    found: dict[tuple[str, str], int] = {}
    for table, _rowid, other, _key in database.tuples("PRAGMA foreign_key_check"):
        if (table, other) not in dependent:
            found[table, other] = found.get((table, other), 0) + 1
    return found
