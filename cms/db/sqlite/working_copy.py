"""A copy of the site's database that keeps account of its changes: keys of new rows, changed rows as they were.

Triggers of the site's tables aren't in it, nor what they keep: they do their work when the changes come into the site.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

#: What triggers keep, and what the index for search has ahead.
DERIVED_TABLES = frozenset({"content_counts", "term_items", "scheduled", "indexed_ahead"})
#: Columns that triggers keep in tables that are written otherwise.
DERIVED_COLUMNS = {"terms": frozenset({"count"})}
SELECT_TABLES = """
SELECT l.name FROM pragma_table_list l JOIN sqlite_schema s ON s.name = l.name
WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT GLOB 'sqlite_*' ORDER BY s.rowid
"""
SELECT_COLUMNS = "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid"
CAPTURE = """
CREATE TABLE {new} ({keys}, PRIMARY KEY ({keys})) WITHOUT ROWID;
CREATE TABLE {old} AS SELECT {columns} FROM {name} WHERE 0;
CREATE UNIQUE INDEX {by_key} ON {old} ({keys});
CREATE TRIGGER {on_insert} AFTER INSERT ON {name}
WHEN NOT EXISTS (SELECT 1 FROM {old} o WHERE {same_as_new}) BEGIN
    INSERT OR IGNORE INTO {new} ({keys}) VALUES ({new_keys});
END;
CREATE TRIGGER {on_update} AFTER UPDATE ON {name}
WHEN NOT EXISTS (SELECT 1 FROM {new} o WHERE {same_as_old}) BEGIN
    INSERT OR IGNORE INTO {old} ({columns}) VALUES ({old_columns});
END;
CREATE TRIGGER {on_delete} AFTER DELETE ON {name}
WHEN NOT EXISTS (SELECT 1 FROM {new} o WHERE {same_as_old}) BEGIN
    INSERT OR IGNORE INTO {old} ({columns}) VALUES ({old_columns});
END;
"""


@dataclass(frozen=True)
class CopiedTable:
    """A table whose changes are kept account of: the keys of new rows in `new`, changed rows as they were in `old`."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def new(self) -> str:
        """The name of the table of keys."""
        return f"new_of_{self.name}"

    @property
    def old(self) -> str:
        """The name of the table of old rows."""
        return f"old_of_{self.name}"

    @property
    def own_columns(self) -> tuple[str, ...]:
        """The columns that no trigger keeps."""
        derived = DERIVED_COLUMNS.get(self.name, frozenset[str]())
        return tuple(column for column in self.columns if column not in derived)

    def same(self, one: str, other: str) -> str:
        """Return the condition that two rows have the same key."""
        return " AND ".join(f"{one}.{quoted(key)} = {other}.{quoted(key)}" for key in self.keys)

    def capture(self) -> str:
        """Return the statements that make what keeps account."""
        return CAPTURE.format(
            name=quoted(self.name),
            new=quoted(self.new),
            old=quoted(self.old),
            on_insert=quoted(f"{self.new}_insert"),
            on_update=quoted(f"{self.new}_update"),
            on_delete=quoted(f"{self.new}_delete"),
            by_key=quoted(f"{self.old}_keys"),
            keys=listed(self.keys),
            columns=listed(self.columns),
            new_keys=listed(self.keys, "new."),
            old_columns=listed(self.columns, "old."),
            same_as_new=self.same("o", "new"),
            same_as_old=self.same("o", "old"),
        )


def quoted(name: str) -> str:
    """Return a name as statements have it: those of plugins' tables may be words of SQL."""
    return '"' + name.replace('"', '""') + '"'


def listed(names: Iterable[str], before: str = "") -> str:
    """Return names of columns with commas, each with the same text before it."""
    return ", ".join(f"{before}{quoted(name)}" for name in names)


def make_working_copy(site: Path, path: Path, last_ids: dict[str, int]) -> list[CopiedTable]:
    """Copy the database of a site and return the tables of the copy in the order in which rows may come.

    `last_ids` are the ids behind which new rows of tables go on. Others may write into the site meanwhile.
    """
    remove_working_copy(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        path.chmod(site.stat().st_mode & 0o777)
        with closing(sqlite3.connect(site, isolation_level=None)) as source:
            source.execute("PRAGMA query_only = 1")
            source.backup(copy)
        copy.execute("PRAGMA journal_mode = MEMORY")
        copy.execute("PRAGMA synchronous = OFF")
        copy.execute("BEGIN")
        tables = list(_tables(copy))
        for (trigger,) in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            copy.execute(f"DROP TRIGGER {quoted(trigger)}")
        for table in tables:
            _run_all(copy, table.capture())
        for name, last in last_ids.items():
            copy.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", (last, name))
        copy.execute("COMMIT")
    return tables


def finish_working_copy(path: Path) -> None:
    """Have a copy written to the disk, where it outlives the machine."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_working_copy(path: Path) -> None:
    """Remove a copy, and what SQLite may have left beside it."""
    for ending in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _tables(copy: sqlite3.Connection) -> Iterator[CopiedTable]:
    for (name,) in copy.execute(SELECT_TABLES).fetchall():
        if name not in DERIVED_TABLES:
            columns = copy.execute(SELECT_COLUMNS, (name,)).fetchall()
            keys = tuple(column for column, place in columns if place)
            if keys:
                yield CopiedTable(name, tuple(column for column, _place in columns), keys)


def _run_all(copy: sqlite3.Connection, statements: str) -> None:
    """Run statements in the present transaction, which `executescript` would end."""
    statement = ""
    for line in statements.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            copy.execute(statement)
            statement = ""
