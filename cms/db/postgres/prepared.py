"""Statements that are run by the driver's innermost layer, those that come again prepared on the server.

The driver's cursors do more than is asked of them here, and in Python; for short statements that is most of the time.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import psycopg
from psycopg import errors, pq
from psycopg.adapt import Transformer

#: After how many times a statement is prepared, and how many a connection has prepared at once.
THRESHOLD, MOST = 2, 200
#: What numbers and bytes are to the server, as if they stood in the statement; texts are what their place wants.
INTEGER, LONG, NUMERIC, BYTES, UNKNOWN = 23, 20, 1700, 17, 0
SMALL, LARGE = 1 << 31, 1 << 63
#: What the server says where a prepared statement doesn't fit any more: tables have changed, or it is gone.
OUTDATED = (errors.FeatureNotSupported, errors.InvalidSqlStatementName)
DONE = (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.EMPTY_QUERY)

#: Statements whose columns become others when a migration adds one.
ALL_COLUMNS = re.compile(rb"(SELECT |\.)\*")

Key = tuple[bytes, tuple[int, ...]]


class Rows:
    """What a statement has found, as cursors give it."""

    __slots__ = ("_next", "_rows", "description", "rowcount")

    def __init__(
        self, description: tuple[tuple[str], ...], rowcount: int, rows: list[tuple[Any, ...]]
    ) -> None:
        self.description, self.rowcount = description, rowcount
        self._rows, self._next = rows, 0

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row, None behind the last one."""
        if self._next >= len(self._rows):
            return None
        self._next += 1
        return self._rows[self._next - 1]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows that are left."""
        found = self._rows[self._next :] if self._next else self._rows
        self._next = len(self._rows)
        return found

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.fetchall())

    def close(self) -> None:
        """Do nothing: all rows are here."""


class Adapting:
    """What a connection's values are loaded by, without the connection: a cycle would keep both until it is found."""

    connection = None

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.adapters = connection.adapters


class Runner:
    """Runs the statements of one connection."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._pgconn = connection.pgconn
        self._loading = Transformer(Adapting(connection))
        self._prepared: OrderedDict[Key, bytes] = OrderedDict()
        self._uses: OrderedDict[Key, int] = OrderedDict()
        self._columns: dict[bytes, tuple[tuple[str], ...]] = {}
        self._wide: set[bytes] = set()
        self._count = 0

    def run_once(self, sql: bytes) -> Rows:
        """Run statements that have no places for values; raises psycopg.Error."""
        try:
            return self._found(self._pgconn.exec_(sql))
        except MemoryError as error:
            raise self._lost() from error

    def run(self, sql: bytes, values: Sequence[object]) -> Rows:
        """Run a statement with values for its places, which are numbered; raises psycopg.Error."""
        try:
            return self._run(sql, values)
        except MemoryError as error:
            raise self._lost() from error

    def _run(self, sql: bytes, values: Sequence[object]) -> Rows:
        kinds, texts = [], []
        for value in values:
            kind, text = _bound(value)
            kinds.append(kind)
            texts.append(text)
        name = self._name_of((sql, tuple(kinds)))
        if not name or (name in self._wide and not self._is_alone()):
            return self._found(self._pgconn.exec_params(sql, texts, kinds))
        try:
            return self._found(self._pgconn.exec_prepared(name, texts), name)  # type: ignore[arg-type]  # None is null
        except OUTDATED:
            self._prepared.clear()
            if not self._is_alone():
                raise
            self.run_once(b"DEALLOCATE ALL")
        return self._found(self._pgconn.exec_params(sql, texts, kinds))

    def _is_alone(self) -> bool:
        """Tell whether no transaction is open, which an outdated statement would end."""
        return self._pgconn.transaction_status == pq.TransactionStatus.IDLE

    def _name_of(self, key: Key) -> bytes:
        """Return the name of a prepared statement, an empty one where it hasn't been run often enough."""
        name = self._prepared.get(key)
        if name:
            self._prepared.move_to_end(key)
            return name
        uses = self._uses.pop(key, 0) + 1
        if uses > THRESHOLD:
            return self._prepare(key)
        self._uses[key] = uses
        if len(self._uses) > MOST:
            self._uses.popitem(last=False)
        return b""

    def _prepare(self, key: Key) -> bytes:
        self._count += 1
        name = b"cms_%d" % self._count
        self._found(self._pgconn.prepare(name, *key))
        self._prepared[key] = name
        if ALL_COLUMNS.search(key[0]):
            self._wide.add(name)
        if len(self._prepared) > MOST:
            _key, oldest = self._prepared.popitem(last=False)
            self._columns.pop(oldest, None)
            self._wide.discard(oldest)
            self.run_once(b"DEALLOCATE " + oldest)
        return name

    def _found(self, result: pq.abc.PGresult, name: bytes = b"") -> Rows:
        """Return what a statement has found; raises the psycopg.Error that the server answers with."""
        changed = result.command_tuples
        if result.status == pq.ExecStatus.TUPLES_OK:
            self._loading.set_pgresult(result)
            rows = self._loading.load_rows(0, result.ntuples, tuple)
            return Rows(self._described(result, name), changed or 0, rows)
        if result.status in DONE:
            return Rows((), -1 if changed is None else changed, [])
        error = errors.error_from_result(result, encoding="utf-8")
        is_lost = error.sqlstate is None and self._pgconn.status == pq.ConnStatus.BAD
        raise self._lost() if is_lost else error

    def _lost(self) -> psycopg.OperationalError:
        """Return the error of a connection without a server, of which libpq has no answer at all."""
        return psycopg.OperationalError(self._pgconn.error_message.decode() or "the connection is lost")

    def _described(self, result: pq.abc.PGresult, name: bytes) -> tuple[tuple[str], ...]:
        """Return the names of the columns, which a prepared statement always has the same."""
        if name in self._columns:
            return self._columns[name]
        names = []
        for place in range(result.nfields):
            names.append(((result.fname(place) or b"").decode(),))
        found = tuple(names)
        if name:
            self._columns[name] = found
        return found


def _bound(value: object) -> tuple[int, bytes | None]:
    """Return what kind of value the server gets, and the value as a text; raises psycopg.DataError for others."""
    if isinstance(value, str):
        if "\0" in value:
            raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        return UNKNOWN, value.encode()
    if value is None:
        return UNKNOWN, None
    if isinstance(value, int):
        return _integer(value), b"%d" % value
    if isinstance(value, float):
        return NUMERIC, repr(value).encode()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return BYTES, b"\\x" + bytes(value).hex().encode()
    if isinstance(value, datetime):  # the names of migrations are noted with it
        return UNKNOWN, value.isoformat(" ").encode()
    raise psycopg.DataError(f"no column takes {type(value).__name__}")


def _integer(value: int) -> int:
    if -SMALL <= value < SMALL:
        return INTEGER
    return LONG if -LARGE <= value < LARGE else NUMERIC
