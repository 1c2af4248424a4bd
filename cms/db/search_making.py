"""Making what searches look at once more, whichever engine the database has."""

from __future__ import annotations

from cms.db.connection import Database
from cms.db.sqlite.search_index import Advance, make_search_indexes


def make_indexes(database: Database, mode: str, advance: Advance | None = None) -> list[str]:
    """Make the indexes for search in a mode and return their names; `advance` hears how far that is."""
    if database.server:
        from cms.db.postgres import health  # nothing of it is imported for a file

        return health.fold_all(database)
    return make_search_indexes(database, mode, advance)
