"""The number that each write raises in its own transaction, and that readers look up before the data."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from cms import forks
from cms.db.own_connection import OwnConnection
from cms.db.postgres.cursors import Connection, open_connection
from cms.db.postgres.seen_numbers import SeenNumbers

SELECT_NUMBER = "SELECT number FROM site_version"


class Held(threading.local):
    """What this thread knows of versions that stay as they are: those of databases whose write lock it holds."""

    def __init__(self) -> None:
        self._numbers: dict[str, int | None] = {}

    def get(self, address: str) -> int | None:
        """Return the number of a database, None where it can change or hasn't been looked up."""
        return self._numbers.get(address)

    def note(self, address: str, number: int) -> None:
        """Note a number that was looked up, where it stays."""
        if address in self._numbers:
            self._numbers[address] = number

    @contextmanager
    def holding(self, address: str) -> Iterator[None]:
        """Tell that the write lock of a database is held while this is open (`with`)."""
        is_outermost = address not in self._numbers
        self._numbers.setdefault(address, None)
        try:
            yield
        finally:
            if is_outermost:
                del self._numbers[address]


HELD = Held()


class RowVersion(OwnConnection[Connection]):
    """Looks the number up, by a connection of its own: inside a transaction it would be that of its beginning."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        #: What notes the numbers for those who read from replicas.
        self.seen: SeenNumbers | None = None

    def number(self) -> int:
        """Return the present version; equal numbers mean equal data, on all hosts."""
        held = HELD.get(self._address)
        if held is None:
            held = self._look_up()
            HELD.note(self._address, held)
        return held

    def _look_up(self) -> int:
        with forks.inside(), self._lock:
            connection = self._renewed()
            asked = self.seen.now() if self.seen is not None else 0.0
            number = int(connection.execute(SELECT_NUMBER).fetchone()[0])  # type: ignore[index]  # the row is there
            if self.seen is not None:
                self.seen.note(number, asked)
            return number

    def _renewed(self) -> Connection:
        if self._connection is None or self._connection.closed:
            self._connection = open_connection(self._address)
            self._connection.renew = self._renewed
        return self._connection
