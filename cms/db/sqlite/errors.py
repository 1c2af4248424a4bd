"""What SQLite's driver raises."""

from __future__ import annotations

import sqlite3

#: Whatever the database itself says, and what it says of files, locks and statements that were ended.
DATABASE_ERROR: type[Exception] = sqlite3.DatabaseError
OPERATIONAL_ERROR: type[Exception] = sqlite3.OperationalError


def says_damage(error: BaseException) -> bool:
    """Tell whether an error says that a file is no database, or not a whole one."""
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
