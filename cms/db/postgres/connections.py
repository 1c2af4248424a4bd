"""Connections to a PostgreSQL database, one per thread, and transactions in which one writes at a time."""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, cast

from peewee import PostgresqlDatabase

from cms.db.errors import ServerBusy
from cms.db.limits import Limits
from cms.db.postgres.cursors import Connection, open_connection
from cms.db.postgres.folded_texts import fold_new_texts
from cms.db.postgres.prepared import Rows
from cms.db.postgres.version import HELD
from cms.db.sqlite.functions import WRITE_SECONDS

#: The lock of those who write to a site; it is of this database alone.
WRITE_LOCK = 7_411
RAISE_VERSION = "UPDATE site_version SET number = number + 1"
WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE)\b", re.IGNORECASE)
INTO = re.compile(r"INSERT INTO (\w+)")
#: An id among the columns: those that are given out lie behind it, as in SQLite.
OWN_ID = re.compile(r" \((?:\w+, )*id\b")
RAISE_SEQUENCE = """
SELECT setval(s.name, s.id) FROM (SELECT CAST(? AS bigint) AS id, pg_get_serial_sequence(?, 'id')::regclass AS name) s
WHERE s.name IS NOT NULL AND COALESCE(pg_sequence_last_value(s.name), 0) < s.id
"""
#: Tables whose rows have no id of their own.
SELECT_ID_COLUMN = """
SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
WHERE i.indisprimary AND i.indnatts = 1 AND i.indrelid = to_regclass(?)
"""


class NoQueue:
    """Stands for the queue of writers of a file: the server's lock has a queue of its own."""

    def close(self) -> None:
        """Do nothing."""

    def forget_threads(self) -> None:
        """Do nothing."""


class Place(threading.local):
    """What this thread reads by: a reader of a replica, or None for its own connection."""

    reader: Any = None


class PostgresConnections(PostgresqlDatabase):
    """Peewee's database, which remembers the connections of all threads; statements come in SQLite's words."""

    param = "?"
    #: As peewee writes them for SQLite.
    operations = {"LIKE": "GLOB", "ILIKE": "LIKE"}
    compound_select_parentheses = 0

    def __init__(self, address: str, limits: Limits, most: int, slow: float) -> None:
        """Prepare for so many connections at most, 0 for any number.

        Statements that take `slow` seconds are logged, none where it is 0.
        """
        self.limits, self._address, self._most, self.slow = limits, address, most, slow
        self.place = Place()
        self._remembered: weakref.WeakSet[Connection] = weakref.WeakSet()
        self._keys: dict[str, str] = {}
        self.queue = NoQueue()
        super().__init__(address, prefer_psycopg3=True)

    def _connect(self) -> Connection:
        if self._most and sum(not connection.closed for connection in self.connections()) >= self._most:
            raise ServerBusy(f"this process has {self._most} connections already (database_connections)")
        connection = open_connection(self._address, self.limits, WRITE_SECONDS)
        connection.renew, connection.slow = self.leave_replica, self.slow
        self._remembered.add(connection)
        return connection

    def connection(self) -> Any:
        """Return this thread's connection, or the reader of a replica that stands for it now."""
        return self.place.reader or self.leave_replica()

    def leave_replica(self) -> Connection:
        """Return this thread's own connection, which it reads by from now on.

        It is a new one where that was lost outside of a transaction.
        """
        self.place.reader = None
        found = super().connection()
        if found.closed and not self.in_transaction():
            self.close()
            found = super().connection()
        return cast(Connection, found)

    def execute_sql(self, sql: str, params: Any = None, *arguments: Any) -> Any:
        """Run a statement; one that writes outside of a transaction gets its own."""
        alone = WRITES.match(sql) is not None and not self.in_transaction()
        with self.writing() if alone else nullcontext():
            return self.connection().execute(sql, params)

    def insert(self, sql: str, values: Sequence[object]) -> int:
        """Run the statement that adds a row, and return the row's id; 0 for a row without one."""
        self.place.reader = None
        table = INTO.match(sql)
        key = self._key_of(table[1]) if table else ""
        returning = f" RETURNING {key}" if key else ""
        has_id = table is not None and OWN_ID.match(sql, table.end()) is not None
        with nullcontext() if self.in_transaction() else self.writing():
            cursor: Rows = self.connection().execute(sql + returning, values)
            found = cursor.fetchone() if key else None
            if has_id and found and table:
                self.connection().execute(RAISE_SEQUENCE, (found[0], table[1]))
        return found[0] if found and isinstance(found[0], int) else 0

    def _key_of(self, table: str) -> str:
        if table not in self._keys:
            found = self.connection().execute(SELECT_ID_COLUMN, (table,)).fetchone()
            self._keys[table] = found[0] if found else ""
        return self._keys[table]

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open a transaction that holds the write lock from its start; its last statement raises the version."""
        self.place.reader = None
        with self.atomic():
            connection = cast(Connection, self.connection())
            connection.execute("SELECT pg_advisory_xact_lock(?)", (WRITE_LOCK,))
            with HELD.holding(self._address):
                yield
            fold_new_texts(connection)
            connection.execute(RAISE_VERSION)

    def get_tables(self, schema: str | None = None) -> list[str]:
        """Return the names of the tables."""
        found = self.connection().execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        )
        return [row[0] for row in found]

    def begin(self, isolation_level: Any = None) -> None:
        """Begin a transaction."""
        self.connection().execute("BEGIN")

    def commit(self) -> None:
        """Commit the transaction."""
        super().connection().execute("COMMIT")

    def rollback(self) -> None:
        """Undo a transaction; with a connection that was lost the server has undone it."""
        connection = super().connection()
        if not connection.closed:
            connection.execute("ROLLBACK")

    def changes(self) -> int:
        """Return how many rows this thread's present connection has changed."""
        return int(self.connection().total_changes)

    def restored(self) -> int:
        """Return the number of the restore that the present content comes from: there is none."""
        return 0

    def is_writable_again(self) -> bool:
        """Return False: there is no file that could have been read-only."""
        return False

    def require_files(self) -> None:
        """Raise ServerUnavailable where the server can't be reached: its files are its own."""
        self.connection().execute("SELECT 1")

    @contextmanager
    def rescuing(self) -> Iterator[None]:
        """Do nothing: the server sees to its log."""
        yield

    def using_copy(self, path: Path) -> Any:
        """Refuse: there is no copy to work on."""
        raise NotImplementedError(f"{path}: a database of PostgreSQL isn't copied")

    def uses_copy(self) -> bool:
        """Return False: there is no copy."""
        return False

    def connections(self) -> list[Connection]:
        """Return the open connections of all threads."""
        return list(self._remembered)

    def close_all(self) -> None:
        """Close the connections of all threads, none of which is using its own; each opens another when it needs it."""
        for connection in self.connections():
            connection.close()
        self.forget_all()

    def forget_all(self) -> None:
        """Begin without connections, whatever threads had open."""
        self._remembered.clear()
        self._state = type(self._state)()  # type: ignore[has-type]  # the stubs leave it out
        self._lock = threading.Lock()
