"""Making what searches look at as a mode has it, whichever engine the database has."""

from __future__ import annotations

from cms.db.connection import Database
from cms.db.sqlite.search_index import (
    Advance,
    bring_search_indexes,
    is_search_index_right,
    make_search_indexes,
)


def make_indexes(database: Database, mode: str, advance: Advance | None = None) -> list[str]:
    """Make the indexes for search in a mode and return their names; `advance` hears how far that is."""
    if database.server:
        from cms.db.postgres import health  # nothing of it is imported for a file

        return health.fold_all(database, mode)
    return make_search_indexes(database, mode, advance)


def bring_indexes(database: Database, mode: str, advance: Advance | None = None) -> list[str]:
    """Make those that aren't as the mode has them, and return their names."""
    if database.server:
        from cms.db.postgres import health

        return health.bring_search(database, mode)
    return bring_search_indexes(database, mode, advance)


def are_indexes_right(database: Database, mode: str) -> bool:
    """Tell whether the indexes for search are as the mode has them."""
    if database.server:
        from cms.db.postgres import health

        return health.is_search_there(database, mode)
    return is_search_index_right(database, mode)
