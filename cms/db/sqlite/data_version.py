"""The number by which SQLite says that a database file has changed, whichever process did it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from cms import forks
from cms.db.own_connection import OwnConnection

#: How many bits SQLite's number has.
COUNTED_BITS = 32


class FileVersion(OwnConnection[sqlite3.Connection]):
    """A number that SQLite raises with every commit of any other connection to the file.

    One connection under a lock runs this pragma and nothing else: inside a read transaction the number stands
    still, and a connection's own writes don't count.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        #: How many connections there were: SQLite counts anew with each, also with that of a forked child.
        self._opened = 0

    def number(self) -> int:
        """Return the present version; equal numbers from one process mean equal data."""
        with forks.inside(), self._lock:
            if self._connection is None:
                self._connection = self._open()
                self._opened += 1
            (counted,) = self._connection.execute("PRAGMA data_version").fetchone()
            return self._opened << COUNTED_BITS | int(counted)

    def _open(self) -> sqlite3.Connection:
        """Open the file, never make one: beside an empty file SQLite throws the log of the lost one away."""
        place = f"{self._path.absolute().as_uri()}?mode=rw"
        return sqlite3.connect(place, uri=True, check_same_thread=False, isolation_level=None)
