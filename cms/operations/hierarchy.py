"""Things that stand below one another: pages, terms."""

from __future__ import annotations

from cms.db import Database


def is_ancestor_or_self(database: Database, table: str, id: int, other: int) -> bool:
    """Tell whether a row is another one or stands above it; a chain that loops ends where it was before."""
    seen: set[int] = set()
    while other and other not in seen:
        if other == id:
            return True
        seen.add(other)
        row = database.row(f"SELECT parent_id FROM {table} WHERE id = ?", (other,))  # noqa: S608 (our own names)
        other = row["parent_id"] if row else 0
    return False
