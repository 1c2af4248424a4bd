"""The number that each write raises in its own transaction, and that readers look up before the data."""

from __future__ import annotations

import threading

from cms import forks
from cms.db.postgres.cursors import Connection, open_connection

SELECT_NUMBER = "SELECT number FROM site_version"


class RowVersion:
    """Looks the number up, by a connection of its own: inside a transaction it would be that of its beginning."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._inherited: list[Connection] = []
        forks.register_connected(self)

    def number(self) -> int:
        """Return the present version; equal numbers mean equal data, on all hosts."""
        with forks.inside(), self._lock:
            if self._connection is None or self._connection.closed:
                self._connection = open_connection(self._address)
            return int(self._connection.execute(SELECT_NUMBER).fetchone()[0])  # type: ignore[index]  # the row is there

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
