"""Connections to one SQLite file, one per thread: all are known, and whether their files are there still."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from peewee import SqliteDatabase

from cms.db.limits import Limits
from cms.db.sqlite.functions import PRAGMAS, SQL_FUNCTIONS, WRITE_SECONDS
from cms.db.sqlite.presence import (
    LogGone,
    Presence,
    identity_of,
    log_of,
    require_log,
    require_same_log,
    rescue_log,
)
from cms.db.sqlite.slow import Connection, TimedConnection
from cms.db.sqlite.write_queue import WriteQueue

#: After how many steps of its machine SQLite asks whether a statement may go on: some milliseconds.
STEPS = 100_000

#: Of a copy that is gone when what it is made for ends: nothing of it has to outlive the machine.
COPY_PRAGMAS = {
    "journal_mode": "memory",
    "synchronous": "off",
    "recursive_triggers": 1,
    "cache_size": -8_000,
    "mmap_size": 0,
}


class Place(threading.local):
    """The file that this thread works on instead of the site's own."""

    def __init__(self) -> None:
        self.path: Path | None = None


class ThreadConnections(SqliteDatabase):
    """Peewee's database, which remembers the connections of all threads."""

    def __init__(self, path: Path, synchronous: str, limits: Limits, slow: float) -> None:
        """Prepare; statements that take `slow` seconds are logged, none where it is 0."""
        self._limits, self._path, self._log = limits, path, log_of(path)
        self._remembered: weakref.WeakSet[Connection] = weakref.WeakSet()
        self._is_read_only = False
        self.place = Place()
        self.presence = Presence(path)
        factory: Any = partial(TimedConnection, slow) if slow else Connection
        self.queue = WriteQueue(path, WRITE_SECONDS)
        pragmas = {**PRAGMAS, "synchronous": synchronous}
        super().__init__(str(path), pragmas=pragmas, factory=factory, check_same_thread=False)
        for function, places in SQL_FUNCTIONS:
            self.register_function(function, function.__name__, places, deterministic=True)

    def close_all(self) -> None:
        """Close the connections of all threads, none of which is using its own; each opens another when it needs it."""
        for connection in self.connections():
            connection.close()
        self.forget_all()

    def forget_all(self) -> None:
        """Begin without connections, whatever threads had open."""
        self._is_read_only = False
        self._remembered.clear()
        self._state = type(self._state)()  # type: ignore[has-type]  # the stubs leave it out
        self._lock = threading.Lock()

    def insert(self, sql: str, values: Sequence[object]) -> int:
        """Run the statement that adds a row, and return the row's id."""
        return int(self.execute_sql(sql, values).lastrowid)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open a transaction that holds the write lock from its start.

        Raises sqlite3.OperationalError where the lock isn't to be had, or the files were removed.
        """
        if self.uses_copy():
            with self.atomic("IMMEDIATE"):
                yield
            return
        with self.queue.turn(), self.rescuing(), self.atomic("IMMEDIATE"):
            self.require_files()
            yield
            self.require_files()

    def changes(self) -> int:
        """Return how many rows this thread's present connection has changed."""
        return int(self.connection().total_changes)

    def restored(self) -> int:
        """Return the number of the restore that the present content comes from, 0 where there was none."""
        return int(self.connection().execute("PRAGMA user_version").fetchone()[0])

    def uses_copy(self) -> bool:
        """Return whether this thread works on another file."""
        return self.place.path is not None

    @contextmanager
    def using_copy(self, path: Path) -> Iterator[None]:
        """Give this thread a connection to another file inside, and its own one back behind."""
        own, self.place.path = self._state.conn, path
        self._state.reset()
        try:
            yield
        finally:
            self.close()
            self.place.path = None
            if own is not None:
                self._state.set_connection(own)

    def connections(self) -> list[Connection]:
        """Return the open connections of all threads."""
        return list(self._remembered)

    def _connect(self) -> sqlite3.Connection:
        place = self.place.path
        connection = self._connect_here() if place is None else self._connect_to(place)
        self._remembered.add(connection)
        connection.set_progress_handler(self._limits.is_over, STEPS)
        return connection

    def _connect_here(self) -> Connection:
        self.presence.require()  # SQLite would make an empty file
        with self.rescuing():
            require_log(self._path)
        connection: Connection = super()._connect()  # type: ignore[misc]  # the stubs leave it out
        self.presence.remember()
        connection.log = identity_of(self._log)
        self._is_read_only |= not os.access(self._path, os.W_OK)
        return connection

    def require_files(self) -> None:
        """Raise sqlite3.OperationalError where the database or its log isn't the one that this thread has open."""
        self.presence.require()
        connection = cast(Connection, self.connection())
        if connection.log is None:
            connection.log = identity_of(self._log)  # made by the first write
        require_same_log(self._log, connection.log)

    def is_writable_again(self) -> bool:
        """Return whether the file was read-only when it was opened, and isn't any more.

        All connections of a process share what SQLite found then, so all have to be closed before any can write.
        """
        return self._is_read_only and os.access(self._path, os.W_OK)

    @contextmanager
    def rescuing(self) -> Iterator[None]:
        """Bring what stands in the log into the database where it is noticed inside that the log was removed."""
        try:
            yield
        except LogGone as gone:
            if not gone.is_handled:
                self._rescue_log()
            gone.is_handled = True
            raise

    def _rescue_log(self) -> None:
        """Bring the log in through whichever thread's connection has it open: this thread may have none."""
        own = self._state.conn
        for connection in sorted(self.connections(), key=lambda each: each is not own):
            if connection.log is not None and rescue_log(connection, self._path):
                return

    def _connect_to(self, path: Path) -> Connection:
        connection = sqlite3.connect(path, isolation_level=None, **self.connect_params)
        self._add_conn_hooks(connection)  # type: ignore[attr-defined]  # the stubs leave it out
        for name, value in COPY_PRAGMAS.items():
            connection.execute(f"PRAGMA {name} = {value}")
        return cast(Connection, connection)
