"""The database file as such: its journal, its log, the library that reads it, its newest dates."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from cms.db.connection import Database
from cms.db.sqlite.copies import connect

#: Versions of SQLite in which two checkpoints at the wrong moment can lose a committed write or damage the file: from
#: the first with a log until the repair; and the later ones of two branches that have the repair too.
FIRST_BROKEN, FIRST_REPAIRED = (3, 7, 0), (3, 51, 3)
REPAIRED_BRANCHES = ((3, 44, 6), (3, 50, 7))
NEWEST = """
SELECT MAX(at) FROM (
    SELECT MAX(modified_gmt) AS at FROM content
    UNION ALL SELECT MAX(date_gmt) FROM revisions
    UNION ALL SELECT MAX(at_gmt) FROM events
    UNION ALL SELECT MAX(created_gmt) FROM tokens
) dates
"""


def sqlite_version() -> str:
    """Return the version of the library that this process reads databases with."""
    return sqlite3.sqlite_version


def sqlite_version_numbers() -> tuple[int, ...]:
    """Return the same version in numbers that can be compared."""
    return sqlite3.sqlite_version_info


def has_reset_bug(version: tuple[int, ...]) -> bool:
    """Tell whether a version of SQLite may damage a database with a log that several connections write to."""
    for branch in REPAIRED_BRANCHES:
        if version[:2] == branch[:2]:
            return version < branch
    return FIRST_BROKEN <= version < FIRST_REPAIRED


def journal_mode(path: Path) -> str:
    """Return how a database file keeps its journal, without changing it."""
    with connect(path) as file:
        return str(file.execute("PRAGMA journal_mode").fetchone()[0])


def empty_log(database: Database) -> None:
    """Bring what stands in the log into the database file, and cut it, where no reader needs it any more."""
    database.tuples("PRAGMA wal_checkpoint(TRUNCATE)")


def newest_write(database: Database) -> str:
    """Return the newest date that a write was given by the clock, an empty text where there was none."""
    return str(database.scalar(NEWEST) or "")
