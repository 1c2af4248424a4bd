"""Tells, across all workers, whether the database has changed; and what may be kept until it does."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


class DataVersion:
    """A number that SQLite raises with every commit of any other connection to the file.

    One connection under a lock runs this pragma and nothing else: inside a read transaction the number stands
    still, and a connection's own writes don't count.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._pid = 0
        self._connection: sqlite3.Connection | None = None

    def number(self) -> int:
        """Return the present version; equal numbers from one process mean equal data."""
        with self._lock:
            if self._pid != os.getpid() or self._connection is None:
                self._connection = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
                self._pid = os.getpid()
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Close the connection; the next number opens another."""
        with self._lock:
            if self._connection is not None and self._pid == os.getpid():
                self._connection.close()
            self._connection = None


class DataCache:
    """Values that hold until the database changes, or until an item dated ahead becomes visible."""

    LIMIT = 1_000

    def __init__(
        self, version: DataVersion, next_date: Callable[[str], str | None], writing: Callable[[], bool]
    ) -> None:
        self._version = version
        self._next_date = next_date
        self._writing = writing
        self._state: tuple[int, str | None, dict[Hashable, Any]] = (-1, None, {})

    def get_or_load(self, key: Hashable, now: str, load: Callable[[], T]) -> T:
        """Return the kept value, made anew when what it was made from may have changed."""
        number = self._version.number()
        known, horizon, values = self._state
        valid = number == known and (horizon is None or now < horizon) and len(values) < self.LIMIT
        if valid and key in values:
            found: T = values[key]
            return found
        if self._writing():
            return load()  # made from what isn't committed and may never be
        if not valid:
            values = {}
            self._state = (number, self._next_date(now), values)
        # Stored under the version that was read before: a write in between makes it invalid, never stale.
        loaded = values[key] = load()
        return loaded
