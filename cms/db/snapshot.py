"""One state of the data, read to its end while others write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

Row = sqlite3.Row


class Snapshot:
    """Read rows as they were when the snapshot was taken."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def each(self, sql: str, values: Sequence[Any] = ()) -> Iterator[Row]:
        """Yield the rows of a statement one by one, so that they are never in memory all at once."""
        return self._connection.execute(sql, values)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Return the rows of a statement that gives few."""
        return list(self.each(sql, values))

    def row(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        """Return the first row of a statement."""
        return self._connection.execute(sql, values).fetchone()  # type: ignore[no-any-return]


@contextmanager
def take_snapshot(path: Path) -> Iterator[Snapshot]:
    """Hold one state of the database for reading; writers don't wait for it, nor it for them.

    It has a connection of its own: what a site keeps in memory stays of the present. The connection maps no part of
    the file into memory, where a large one would stay until the process ends.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        for pragma in ("query_only = 1", "mmap_size = 0", "busy_timeout = 10000"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()  # the state is that of the first read
        yield Snapshot(connection)
