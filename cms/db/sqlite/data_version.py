"""The number by which SQLite says that a database file has changed, whichever process did it."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from cms import forks


class FileVersion:
    """A number that SQLite raises with every commit of any other connection to the file.

    One connection under a lock runs this pragma and nothing else: inside a read transaction the number stands
    still, and a connection's own writes don't count.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._inherited: list[sqlite3.Connection] = []
        forks.register_connected(self)

    def number(self) -> int:
        """Return the present version; equal numbers from one process mean equal data."""
        with forks.inside(), self._lock:
            if self._connection is None:
                self._connection = self._open()
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _open(self) -> sqlite3.Connection:
        """Open the file, never make one: beside an empty file SQLite throws the log of the lost one away."""
        place = f"{self._path.absolute().as_uri()}?mode=rw"
        return sqlite3.connect(place, uri=True, check_same_thread=False, isolation_level=None)

    def close(self) -> None:
        """Close the connection; the next number opens another."""
        with forks.inside(), self._lock:
            self._drop()

    def close_before_fork(self) -> None:
        """Close the connection, for this process and its child to open their own."""
        with forks.taken(self._lock) as taken:
            if taken:
                self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def leave_to_parent(self) -> None:
        """Forget the parent's connection and lock in a forked child; closing it there would harm the parent's."""
        if self._connection is not None:
            self._inherited.append(self._connection)
        self._connection = None
        self._lock = threading.Lock()
