"""The number that each write raises in its own transaction, and that readers look up before the data."""

from __future__ import annotations

from cms import forks
from cms.db.own_connection import OwnConnection
from cms.db.postgres.cursors import Connection, open_connection
from cms.db.postgres.seen_numbers import SeenNumbers

SELECT_NUMBER = "SELECT number FROM site_version"


class RowVersion(OwnConnection[Connection]):
    """Looks the number up, by a connection of its own: inside a transaction it would be that of its beginning."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        #: What notes the numbers for those who read from replicas.
        self.seen: SeenNumbers | None = None

    def number(self) -> int:
        """Return the present version; equal numbers mean equal data, on all hosts."""
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
