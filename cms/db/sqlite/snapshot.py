"""One state of the data, read to its end while others write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from cms import forks
from cms.db.reader import Reader, Values
from cms.db.sqlite.presence import require_log


class Snapshot(Reader):
    """Read rows as they were when the snapshot was taken."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def _execute(self, sql: str, values: Values) -> sqlite3.Cursor:
        return self._connection.execute(sql, values)


@contextmanager
def take_snapshot(path: Path) -> Iterator[Snapshot]:
    """Hold one state of the database for reading; writers don't wait for it, nor it for them.

    It has a connection of its own: what a site keeps in memory stays of the present. The connection maps no part of
    the file into memory, where a large one would stay until the process ends. Raises sqlite3.OperationalError where the
    log of the database was removed while others have it open.
    """
    require_log(path)
    with forks.inside(), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("query_only = 1", "mmap_size = 0", "busy_timeout = 10000"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()  # the state is that of the first read
        yield Snapshot(connection)
