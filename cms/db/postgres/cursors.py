"""Connections and cursors that take statements as they are written for SQLite, and give rows as it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, Never

import psycopg
from psycopg.adapt import Loader
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.types.string import TextLoader

from cms.db.errors import ServerUnavailable
from cms.db.limits import Limits
from cms.db.postgres.breaker import breaker_of
from cms.db.postgres.failures import FAILURES, is_lost, raise_known
from cms.db.postgres.planning import BY_VALUES, ONCE, SETTINGS
from cms.db.postgres.prepared import Rows, Runner
from cms.db.postgres.translate import Translated, translate
from cms.db.slow_statements import log_slow_statement

#: Has the server look after its side of a connection as libpq does after ours: locks of hosts that are gone are freed.
WATCH = "SELECT set_config(name, value, false) FROM (VALUES {}) AS wanted (name, value)"
#: The server's names of what the address says to libpq.
WATCHED = {
    "tcp_user_timeout": "tcp_user_timeout",
    "tcp_keepalives_idle": "keepalives_idle",
    "tcp_keepalives_interval": "keepalives_interval",
    "tcp_keepalives_count": "keepalives_count",
}
#: What undoes a transaction, or a part of it.
UNDO = "ROLLBACK"


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
        #: Returns what takes this connection's place where it was lost.
        self.renew: Callable[[], Connection] | None = None
        #: How many rows statements have changed.
        self.total_changes = 0
        #: Seconds from which on a statement is logged, 0 for never.
        self.slow = 0.0
        #: The seconds that a statement has, and whether it is planned by its values; None for what isn't known.
        self._limited: float | None = 0.0
        self._is_by_values: bool | None = False
        self._trace: Callable[[str], object] | None = None
        self._runner = Runner(self)

    def __del__(self) -> None:  # type: ignore[override]  # it takes nothing
        """Say nothing of the connection of a thread that has ended: the driver closes it, but in a forked child."""

    def set_trace_callback(self, trace: Callable[[str], object] | None) -> None:
        """Have a function called with the text of each statement, as it is written for SQLite; None for none."""
        self._trace = trace

    def execute(self, query: Any, params: Any = None, **_options: Any) -> Rows:  # type: ignore[override]  # it has less
        """Run a statement in SQLite's words; raises what peewee raises.

        One that changes nothing is run once more on a new connection where this one was lost.
        """
        if not self.slow:
            return self._execute_or_renew(query, params)
        began = perf_counter()
        try:
            return self._execute_or_renew(query, params)
        finally:
            spent = perf_counter() - began
            if spent >= self.slow:
                log_slow_statement(query, spent)

    def _execute_or_renew(self, query: str, params: Any) -> Rows:
        found = translate(query)
        is_free = self.pgconn.transaction_status == TransactionStatus.IDLE
        try:
            return self._execute(query, found, params)
        except ServerUnavailable:
            if self.renew is None or not is_free or not (query == "BEGIN" or found.is_reading):
                raise
        return self.renew()._execute(query, found, params)

    def _execute(self, query: str, found: Translated, params: Any) -> Rows:
        if self._trace is not None:
            self._trace(query)
        try:
            if not found.is_plain and not params:
                if query.startswith(UNDO):
                    self._forget_settings()
                return self._runner.run_once(found.sql)
            self._limit(found.is_reading)
            bound = found.bind(params or ())
            sql, by_values = found.planned_for(bound)
            self._plan(by_values)
            rows = self._runner.run(sql, bound)
        except FAILURES as error:
            self.fail(error)
        if rows.rowcount > 0 and not found.is_reading:
            self.total_changes += rows.rowcount
        return rows

    def fail(self, error: psycopg.Error | MemoryError) -> Never:
        """Raise what stands for an error; a connection that the server can't be asked by any more is closed."""
        if self.closed or is_lost(error):
            self.close()
            raise ServerUnavailable(str(error)) from error
        raise_known(error)

    def rollback(self) -> None:
        """Undo the open transaction."""
        super().rollback()
        self._forget_settings()

    def run_own(self, statements: str) -> None:
        """Run statements that are written for PostgreSQL."""
        if statements.startswith(UNDO):
            self._forget_settings()
        try:
            psycopg.ClientCursor(self).execute(statements.encode())
        except psycopg.Error as error:
            self.fail(error)

    def rows_of_own(self, statement: str, values: Sequence[Any] | None = None) -> list[tuple[Any, ...]]:
        """Run a statement that is written for PostgreSQL, its places as %s, and return its rows."""
        cursor = psycopg.ClientCursor(self)
        try:
            cursor.execute(statement.encode(), values)
            return cursor.fetchall()
        except psycopg.Error as error:
            self.fail(error)

    def executemany(self, query: str, rows: Sequence[Sequence[Any] | Mapping[str, Any]]) -> None:
        """Run a statement once for each row of values."""
        for values in rows:
            self.execute(query, values)

    def _limit(self, is_reading: bool) -> None:
        """Have the server end the next statement when its time is over."""
        wanted = 0.0
        if is_reading and self.limits is not None and self.limits.is_counting():
            wanted = self.limits.seconds
        if wanted != self._limited:
            self._limited = wanted
            self._runner.run_once(b"SET statement_timeout = %d" % (wanted * 1_000))

    def _plan(self, by_values: bool) -> None:
        """Have the server plan the next statement for its values, or once for all."""
        if by_values != self._is_by_values:
            self._is_by_values = by_values
            mode = BY_VALUES if by_values else ONCE
            self._runner.run_once(b"SET plan_cache_mode = " + mode.encode())

    def _forget_settings(self) -> None:
        """Take nothing for granted of what was set: it is undone with a transaction that is."""
        self._limited = self._is_by_values = None


def open_connection(address: str, limits: Limits | None = None, lock_seconds: int = 0) -> Connection:
    """Open a connection; raises ServerUnavailable where the server can't be reached, or wasn't a moment ago.

    Its statements wait for a lock for so many seconds, 0 for any time.
    """
    try:
        with breaker_of(address).attempt():
            connection: Connection = Connection.connect(address, autocommit=True)
    except psycopg.Error as error:
        raise_known(error)
    connection.adapters.register_loader("bool", Flag)
    connection.adapters.register_loader("numeric", WholeNumber)
    connection.adapters.register_loader("jsonb", TextLoader)
    connection.limits = limits
    _watch(connection, address, lock_seconds)
    return connection


def _watch(connection: Connection, address: str, lock_seconds: int) -> None:
    said = conninfo_to_dict(address)
    wanted = {"lock_timeout": str(lock_seconds * 1_000), **SETTINGS}
    for name, ours in WATCHED.items():
        if ours in said:
            wanted[name] = str(said[ours])
    places = ", ".join(["(?, ?)"] * len(wanted))
    values = [part for pair in wanted.items() for part in pair]
    connection.execute(WATCH.format(places), values)
