"""One connection per thread to one SQLite file, and transactions that lock at their start."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from peewee import SqliteDatabase

from cms.db import forks
from cms.db.reader import Reader, Values
from cms.rendering.folding import fold

PRAGMAS = {
    "journal_mode": "wal",
    "foreign_keys": 1,
    "busy_timeout": 10_000,
    "cache_size": -8_000,
    "mmap_size": 256 * 1024 * 1024,
    "temp_store": "memory",
}


class Database(Reader):
    """Run statements on the site's file; models never hold a database of their own."""

    def __init__(self, path: Path, synchronous: str = "full") -> None:
        self.path = path
        self.peewee = SqliteDatabase(str(path), pragmas={**PRAGMAS, "synchronous": synchronous})
        # Triggers of the search index call it, and searches that scan.
        self.peewee.register_function(fold, "fold", 1, deterministic=True)
        self._inherited: list[Any] = []
        forks.register(self)

    def run(self, query: Any) -> Any:
        """Run a peewee query: a new row's id for inserts, the number of rows for updates and deletes."""
        return query.execute(self.peewee)

    def execute(self, sql: str, values: Values = ()) -> int:
        """Run a writing statement and return how many rows it changed."""
        return int(self.peewee.execute_sql(sql, values).rowcount)

    def insert(self, table: str, values: Mapping[str, object]) -> int:
        """Add a row and return its id; the statement's text is the same for all rows of these columns."""
        cursor = self.peewee.execute_sql(insert_text(table, tuple(values)), tuple(values.values()))
        return int(cursor.lastrowid)

    def update(self, table: str, id: int, values: Mapping[str, object]) -> None:
        """Change columns of the row with an id; the statement's text is the same for all these columns."""
        if values:
            self.peewee.execute_sql(update_text(table, tuple(values)), (*values.values(), id))

    def reserve_id(self, table: str) -> int:
        """Take the next id of a table that has rows already, for a row elsewhere; to be called inside a write."""
        return int(
            self.scalar("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = ? RETURNING seq", (table,))
        )

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
        """Forget the parent's connection and lock in a forked child; closing it there would harm the parent's."""
        self.peewee._lock = threading.Lock()  # type: ignore[attr-defined]  # the stubs leave it out
        if not self.peewee.is_closed():
            self._inherited.append(self.peewee.connection())
            self.peewee._state.reset()  # type: ignore[attr-defined]  # the stubs leave it out

    def _run(self, sql: str, values: Values) -> sqlite3.Cursor:
        cursor: sqlite3.Cursor = self.peewee.connection().execute(sql, values)
        return cursor


@lru_cache(maxsize=1_000)
def insert_text(table: str, columns: tuple[str, ...]) -> str:
    """Return the statement that adds a row with these columns."""
    places = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608 (names of our tables)


@lru_cache(maxsize=1_000)
def update_text(table: str, columns: tuple[str, ...]) -> str:
    """Return the statement that changes these columns of the row with an id."""
    changes = ", ".join(f"{column} = ?" for column in columns)
    return f"UPDATE {table} SET {changes} WHERE id = ?"  # noqa: S608 (names of our tables)
