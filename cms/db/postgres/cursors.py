"""Connections and cursors that take statements as they are written for SQLite, and give rows as it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Never

import peewee
import psycopg
from psycopg import ClientCursor
from psycopg.adapt import Loader
from psycopg.types.string import TextLoader

from cms.db.limits import Limits
from cms.db.postgres.translate import translate

READING = ("SELECT", "WITH", "VALUES", "SHOW")


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


class Cursor(ClientCursor[tuple[Any, ...]]):
    """Runs statements in SQLite's words; raises what peewee raises."""

    connection: Connection

    def execute(self, query: Any, params: Any = None, **options: Any) -> Cursor:
        """Run a statement."""
        found = translate(str(query))
        self.connection.trace(query)
        self.connection.limit(query)
        try:
            super().execute(found.sql.encode(), found.bind(params or ()), **options)
        except psycopg.Error as error:
            _raise(error)
        if self.rowcount > 0 and not _is_reading(query):
            self.connection.total_changes += self.rowcount
        return self

    def executemany(self, query: Any, params_seq: Any, *, returning: bool = False) -> None:
        """Run a statement once for each row of values."""
        for values in params_seq:
            self.execute(query, values)


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection of one thread, in which each statement stands for itself unless a transaction is open."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.cursor_factory = Cursor
        self.limits: Limits | None = None
        #: How many rows statements have changed.
        self.total_changes = 0
        self._limited = 0
        self._trace: Callable[[str], object] | None = None

    def __del__(self) -> None:  # type: ignore[override]  # it takes nothing
        """Say nothing of the connection of a thread that has ended: the driver closes it, but in a forked child."""

    def set_trace_callback(self, trace: Callable[[str], object] | None) -> None:
        """Have a function called with the text of each statement, as it is written for SQLite; None for none."""
        self._trace = trace

    def trace(self, statement: str) -> None:
        """Say that a statement is run."""
        if self._trace is not None:
            self._trace(statement)

    def limit(self, statement: str) -> None:
        """Have the server end the next statement when its time is over."""
        wanted = 0
        if self.limits is not None and self.limits.is_counting() and _is_reading(statement):
            wanted = int(self.limits.seconds * 1000)
        if wanted != self._limited:
            self._limited = wanted
            ClientCursor(self).execute(f"SET statement_timeout = {wanted}".encode())

    def execute(self, query: Any, params: Any = None, **options: Any) -> Cursor:
        """Run a statement."""
        return Cursor(self).execute(query, params, **options)

    def run_own(self, statements: str) -> None:
        """Run statements that are written for PostgreSQL."""
        try:
            ClientCursor(self).execute(statements.encode())
        except psycopg.Error as error:
            _raise(error)

    def rows_of_own(self, statement: str, values: Sequence[Any] | None = None) -> list[tuple[Any, ...]]:
        """Run a statement that is written for PostgreSQL, its places as %s, and return its rows."""
        cursor = ClientCursor(self)
        try:
            cursor.execute(statement.encode(), values)
            return cursor.fetchall()
        except psycopg.Error as error:
            _raise(error)

    def executemany(self, query: str, rows: Sequence[Sequence[Any] | Mapping[str, Any]]) -> None:
        """Run a statement once for each row of values."""
        Cursor(self).executemany(query, rows)


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


def _is_reading(statement: str) -> bool:
    return statement.lstrip()[:6].upper().startswith(READING)


def _raise(error: psycopg.Error) -> Never:
    for kind in type(error).__mro__:
        known = getattr(peewee, kind.__name__, None)
        if isinstance(known, type) and issubclass(known, peewee.PeeweeException):
            raise known(str(error)) from error
    raise peewee.DatabaseError(str(error)) from error
