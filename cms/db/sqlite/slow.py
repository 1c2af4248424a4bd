"""Connections to a file, and those whose statements are timed."""

from __future__ import annotations

import sqlite3
from time import perf_counter
from typing import Any

from cms.db.slow_statements import log_slow_statement


class Connection(sqlite3.Connection):
    """A connection that can be remembered without being kept, and which file its log was when it was opened."""

    #: The log of writes, None where there was none yet.
    log: tuple[int, int] | None = None


class TimedConnection(Connection):
    """A connection whose statements are timed."""

    def __init__(self, bound: float, *arguments: Any, **options: Any) -> None:
        """Open it; statements that take more than `bound` seconds are logged."""
        super().__init__(*arguments, **options)
        self.bound = bound

    def cursor(self, factory: Any = None) -> Any:
        """Return a cursor that takes the time."""
        return super().cursor(factory or TimedCursor)  # type: ignore[arg-type]  # the stubs leave it out

    def execute(self, sql: str, values: Any = (), /) -> Any:
        """Run a statement; without this the library would make a cursor of its own."""
        return self.cursor().execute(sql, values)


class TimedCursor(sqlite3.Cursor):
    """Takes the time that its statement needs: to be run, and to bring its rows."""

    def __init__(self, connection: TimedConnection) -> None:
        super().__init__(connection)
        self._bound = connection.bound
        self._sql, self._spent = "", 0.0

    def execute(self, sql: str, values: Any = (), /) -> TimedCursor:
        """Run a statement."""
        self._sql, self._spent = sql, 0.0
        began = perf_counter()
        try:
            super().execute(sql, values)
        finally:
            self._add(began)
        return self

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""
        began = perf_counter()
        try:
            return super().fetchall()
        finally:
            self._add(began)

    def fetchone(self) -> Any:
        """Return the next row, None behind the last one."""
        return next(self, None)

    def __next__(self) -> Any:
        """Return the next row."""
        began = perf_counter()
        try:
            return super().__next__()
        finally:
            self._add(began)

    def _add(self, began: float) -> None:
        before = self._spent
        self._spent += perf_counter() - began
        if before < self._bound <= self._spent:
            log_slow_statement(self._sql, self._spent)
