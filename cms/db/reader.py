"""What comes back from a reading statement: dicts by column name, tuples, single values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from cms import forks
from cms.db.limits import Limits

#: A row by the names of its columns; which columns a table has is declared beside its model.
Row = dict[str, Any]
#: Columns of a row that is written, by name.
Columns = dict[str, Any]
#: The same where they are only read.
ColumnValues = Mapping[str, Any]
#: Values to bind: in the order of their places, or by name.
Values = Sequence[Any] | Mapping[str, Any]


class Cursor(Protocol):
    """What a statement has found, as drivers of databases give it."""

    @property
    def description(self) -> Any:
        """The columns, each by its name and more."""

    @property
    def rowcount(self) -> int:
        """How many rows the statement has changed."""

    def fetchone(self) -> Any:
        """Return the next row, None behind the last one."""

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows that are left."""


class Connection(Protocol):
    """A connection to a database, as drivers give it."""

    def execute(self, sql: str, values: Any = (), /) -> Cursor:
        """Run a statement."""

    def executemany(self, sql: str, rows: Any, /) -> object:
        """Run a statement once for each row of values."""


class Reader:
    """Run reading statements; where they run is up to the database or the snapshot that this is."""

    def __init__(self) -> None:
        self._limits = Limits()

    def each(self, sql: str, values: Values = ()) -> Iterator[Row]:
        """Yield the rows of a statement one by one, so that they are never in memory all at once."""
        with forks.inside(), self._limits:
            cursor = self._execute(sql, values)
            names = [column[0] for column in cursor.description]
            for row in cursor:
                yield dict(zip(names, row, strict=True))

    def rows(self, sql: str, values: Values = ()) -> list[Row]:
        """Run a statement and return its rows, each a dict by column name."""
        with forks.inside(), self._limits:
            cursor = self._execute(sql, values)
            found = cursor.fetchall()
        if not found:
            return []
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    def row(self, sql: str, values: Values = ()) -> Row | None:
        """Run a statement and return its first row as a dict by column name, None where it has none."""
        with forks.inside(), self._limits:
            cursor = self._execute(sql, values)
            found = cursor.fetchone()
        if found is None:
            return None
        return {column[0]: value for column, value in zip(cursor.description, found, strict=True)}

    def tuples(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows as tuples."""
        with forks.inside(), self._limits:
            found: list[tuple[Any, ...]] = self._execute(sql, values).fetchall()
        return found

    def scalar(self, sql: str, values: Values = ()) -> Any:
        """Run a statement and return the first column of its first row, None where it has none."""
        with forks.inside(), self._limits:
            found = self._execute(sql, values).fetchone()
        return None if found is None else found[0]

    def column(self, sql: str, values: Values = ()) -> list[Any]:
        """Run a statement and return the first column of all its rows."""
        return [row[0] for row in self.tuples(sql, values)]

    def exists(self, sql: str, values: Values = ()) -> bool:
        """Tell whether a statement has any row."""
        with forks.inside(), self._limits:
            return self._execute(sql, values).fetchone() is not None

    def _execute(self, sql: str, values: Values) -> Cursor:
        """Run a statement on this reader's connection."""
        raise NotImplementedError
