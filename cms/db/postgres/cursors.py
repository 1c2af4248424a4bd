"""Connections and cursors that take statements as they are written for SQLite, and give rows as it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Never

import peewee
import psycopg
from psycopg.adapt import Loader
from psycopg.types.string import TextLoader

from cms.db.limits import Limits
from cms.db.postgres.prepared import Rows, Runner
from cms.db.postgres.translate import translate


class Flag(Loader):
    """Loads true and false as 1 and 0."""

    def load(self, data: bytes | bytearray | memoryview) -> int:
        """Return the number."""
        return int(bytes(data) == b"t")


class WholeNumber(Loader):
    """Loads sums, which have a type of any precision, as whole numbers where they are."""

    def load(self, data: bytes | bytearray | memoryview) -> int | float:
        """Return the number."""
        text = bytes(data).decode()
        return float(text) if "." in text else int(text)


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection of one thread, in which each statement stands for itself unless a transaction is open."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.limits: Limits | None = None
        #: How many rows statements have changed.
        self.total_changes = 0
        self._limited = 0
        self._runner = Runner(self)

    def execute(self, query: Any, params: Any = None, **_options: Any) -> Rows:  # type: ignore[override]  # it has less
        """Run a statement in SQLite's words; raises what peewee raises."""
        found = translate(str(query))
        try:
            if not found.is_plain and not params:
                return self._runner.run_once(found.sql)
            self._limit(found.is_reading)
            rows = self._runner.run(found.sql, found.bind(params or ()))
        except psycopg.Error as error:
            _raise(error)
        if rows.rowcount > 0 and not found.is_reading:
            self.total_changes += rows.rowcount
        return rows

    def run_own(self, statements: str) -> None:
        """Run statements that are written for PostgreSQL."""
        try:
            psycopg.ClientCursor(self).execute(statements.encode())
        except psycopg.Error as error:
            _raise(error)

    def executemany(self, query: str, rows: Sequence[Sequence[Any] | Mapping[str, Any]]) -> None:
        """Run a statement once for each row of values."""
        for values in rows:
            self.execute(query, values)

    def _limit(self, is_reading: bool) -> None:
        """Have the server end the next statement when its time is over."""
        wanted = 0
        if is_reading and self.limits is not None and self.limits.is_counting():
            wanted = int(self.limits.seconds * 1000)
        if wanted != self._limited:
            self._limited = wanted
            self._runner.run_once(b"SET statement_timeout = %d" % wanted)


def open_connection(address: str, limits: Limits | None = None) -> Connection:
    """Open a connection; raises what peewee raises."""
    try:
        connection: Connection = Connection.connect(address, autocommit=True, connect_timeout=10)
    except psycopg.Error as error:
        _raise(error)
    connection.adapters.register_loader("bool", Flag)
    connection.adapters.register_loader("numeric", WholeNumber)
    connection.adapters.register_loader("jsonb", TextLoader)
    connection.limits = limits
    return connection


def _raise(error: psycopg.Error) -> Never:
    for kind in type(error).__mro__:
        known = getattr(peewee, kind.__name__, None)
        if isinstance(known, type) and issubclass(known, peewee.PeeweeException):
            raise known(str(error)) from error
    raise peewee.DatabaseError(str(error)) from error
