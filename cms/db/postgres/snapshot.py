"""One state of the data on a server, read to its end while others write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count

from cms import forks
from cms.db.postgres.cursors import Connection, open_connection
from cms.db.reader import Cursor, Reader, Row, Values

BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
#: How many rows are fetched at once where there may be many.
BATCH = 500


class ServerSnapshot(Reader):
    """Read rows as they were when the snapshot was taken."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection, self._numbers = connection, count(1)

    def each(self, sql: str, values: Values = ()) -> Iterator[Row]:
        """Yield the rows of a statement one by one; the server keeps those that nobody has asked for."""
        name = f"rows_{next(self._numbers)}"
        self._connection.execute(f"DECLARE {name} NO SCROLL CURSOR FOR {sql}", values)
        while rows := self.rows(f"FETCH {BATCH} FROM {name}"):
            yield from rows
        self._connection.execute(f"CLOSE {name}")

    def _execute(self, sql: str, values: Values) -> Cursor:
        return self._connection.execute(sql, values)


@contextmanager
def take_server_snapshot(server: str) -> Iterator[ServerSnapshot]:
    """Hold one state of a database by a connection of its own."""
    with forks.inside(), closing(open_connection(server)) as connection:
        connection.execute(BEGIN)
        connection.execute("SELECT 1 FROM site_version")  # the state is that of the first read
        yield ServerSnapshot(connection)
