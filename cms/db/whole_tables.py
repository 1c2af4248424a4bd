"""What is copied where a whole site moves to another database: tables, their rows, sums by which both are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import orjson

from cms.db.reader import Reader

#: How many numbers a sum can be.
NUMBERS = 1 << 128
#: What migrations note by themselves, and what is made anew.
NOT_COPIED = ("schema_migration", "content_search", "comment_search", "site_version", "indexed_ahead")

Values = tuple[object, ...]
#: Called with a stage, what is done of it, and how much there is in all where that is known.
Advance = Callable[[str, int, int | None], None]


class CopyRefused(Exception):
    """Say why a site can't be copied; the target holds nothing of it."""


@dataclass(frozen=True)
class WholeTable:
    """A table with its columns in their order, and those by which its rows are known."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def listed(self) -> str:
        """The names of the columns as statements have them."""
        return ", ".join(map(quoted, self.columns))

    def select(self) -> str:
        """Return the statement that reads all rows."""
        return f"SELECT {self.listed} FROM {quoted(self.name)}"  # noqa: S608 (names of our tables)

    def count(self) -> str:
        """Return the statement that counts the rows."""
        return f"SELECT COUNT(*) FROM {quoted(self.name)}"  # noqa: S608 (names of our tables)

    def place_of(self, row: Values) -> str:
        """Return words for where a row stands: the table, and the values of its key."""
        known = dict(zip(self.columns, row, strict=True))
        key = ", ".join(f"{name} {known[name]}" for name in self.keys)
        return f"table {self.name}, row {key}" if key else f"table {self.name}"


@dataclass(frozen=True)
class Source:
    """One state of the site that is copied; `last_ids` are those that tables have used last."""

    reader: Reader
    tables: Mapping[str, WholeTable]
    last_ids: Mapping[str, int]


@dataclass(frozen=True)
class SiteSchema:
    """What a new database gets: folders of plugins' migrations, indexes of their fields, the mode of search."""

    migrations: Mapping[str, Path]
    indexes: Mapping[str, str]
    search_mode: str


class Receiver(Protocol):
    """A new database that takes the rows of a site, and isn't there for others before it has all."""

    @property
    def tables(self) -> Mapping[str, WholeTable]:
        """The tables that take rows, by name."""

    def fit(self, row: Values) -> Values:
        """Return a row as the database can store it."""

    def write(self, table: WholeTable, rows: Iterable[Values]) -> None:
        """Add rows to a table; raises CopyRefused for one that the database doesn't take."""

    def finish(self, source: Source, advance: Advance | None) -> None:
        """Make indexes, triggers and what searches look at, once all rows are there; raises CopyRefused."""

    def read(self, table: WholeTable) -> Iterator[Values]:
        """Yield the rows of a table as they are now."""


class RowSum:
    """Counts rows and adds up hashes of each, so that their order makes no difference."""

    def __init__(self) -> None:
        self.rows, self._sum = 0, 0

    def add(self, row: Values) -> None:
        """Take a row in."""
        text = orjson.dumps(row, default=_plain)
        self._sum = (self._sum + int.from_bytes(blake2b(text, digest_size=16).digest())) % NUMBERS
        self.rows += 1

    @property
    def hash(self) -> str:
        """The sum as hexadecimal digits."""
        return f"{self._sum:032x}"


def is_copied(name: str) -> bool:
    """Tell whether the rows of a table are copied, and not made anew."""
    return not name.startswith(NOT_COPIED)


def tables_of(columns: Iterable[tuple[str, str, bool]]) -> dict[str, WholeTable]:
    """Return the tables that are copied, given the columns of all, each with its table and whether it is of the key."""
    names: dict[str, list[str]] = {}
    keys: dict[str, list[str]] = {}
    for table, column, is_key in columns:
        if is_copied(table):
            names.setdefault(table, []).append(column)
            keys.setdefault(table, []).extend([column] if is_key else [])
    tables = {}
    for table, found in names.items():
        tables[table] = WholeTable(table, tuple(found), tuple(keys[table]))
    return tables


def quoted(name: str) -> str:
    """Return a name as statements have it."""
    return '"' + name.replace('"', '""') + '"'


def _plain(value: object) -> str:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    raise TypeError(f"a database doesn't give {type(value).__name__}")
