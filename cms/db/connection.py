"""One connection per thread to one SQLite file, and transactions that lock at their start."""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from peewee import SqliteDatabase

PRAGMAS = {
    "journal_mode": "wal",
    "foreign_keys": 1,
    "busy_timeout": 10_000,
    "cache_size": -8_000,
    "mmap_size": 256 * 1024 * 1024,
    "temp_store": "memory",
}

Row = sqlite3.Row


class _Sqlite(SqliteDatabase):
    def _connect(self) -> sqlite3.Connection:
        connection: sqlite3.Connection = super()._connect()  # type: ignore[misc]  # the stubs leave it out
        connection.row_factory = sqlite3.Row
        return connection


class Database:
    """Run statements on the site's file; models never hold a database of their own."""

    def __init__(self, path: Path, synchronous: str = "full") -> None:
        self.path = path
        self.peewee = _Sqlite(str(path), pragmas={**PRAGMAS, "synchronous": synchronous})
        self._inherited: list[Any] = []
        _databases.add(self)

    def rows(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """Run a reading statement and return its rows."""
        return self.peewee.connection().execute(sql, values).fetchall()  # type: ignore[no-any-return]

    def row(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> Row | None:
        """Run a reading statement and return its first row."""
        return self.peewee.connection().execute(sql, values).fetchone()  # type: ignore[no-any-return]

    def run(self, query: Any) -> Any:
        """Run a peewee query: a new row's id for inserts, the number of rows for updates and deletes."""
        return query.execute(self.peewee)

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Run a writing statement."""
        self.peewee.execute_sql(sql, values)

    def reserve_id(self, table: str) -> int:
        """Take the next id of a table that has rows already, for a row elsewhere; to be called inside a write."""
        sql = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = ? RETURNING seq"
        return int(self.peewee.connection().execute(sql, (table,)).fetchall()[0][0])

    @contextmanager
    def write(self) -> Iterator[None]:
        """Open a transaction that holds the write lock from its start; inside one it is a savepoint."""
        nested = self.peewee.in_transaction()
        with self.peewee.atomic() if nested else self.peewee.atomic("IMMEDIATE"):
            yield

    def close(self) -> None:
        """Close this thread's connection."""
        if not self.peewee.is_closed():
            self.peewee.close()

    def leave_to_parent(self) -> None:
        """Forget the parent's connection in a forked child; closing it there would harm the parent's."""
        if not self.peewee.is_closed():
            self._inherited.append(self.peewee.connection())
            self.peewee._state.reset()  # type: ignore[attr-defined]  # the stubs leave it out


_databases: weakref.WeakSet[Database] = weakref.WeakSet()


def _after_fork() -> None:
    for database in list(_databases):
        database.leave_to_parent()


os.register_at_fork(after_in_child=_after_fork)
