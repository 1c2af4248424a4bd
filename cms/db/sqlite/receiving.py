"""A new file that takes the rows of a whole site; it gets its name when it has all of them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from cms.db.connection import Database
from cms.db.file_locks import try_lock
from cms.db.migrate import migrate
from cms.db.sqlite.copies import connect
from cms.db.sqlite.presence import holders_of
from cms.db.sqlite.search_index import make_search_indexes
from cms.db.sqlite.snapshot import Snapshot
from cms.db.sqlite.whole_tables import file_tables
from cms.db.sqlite.working_copy import finish_working_copy
from cms.db.whole_tables import Advance, CopyRefused, SiteSchema, Source, Values, WholeTable, quoted

#: What the file is called until it has all.
ENDING = ".copying"
#: The file is gone where anything fails, so nothing has to be undone in it.
PRAGMAS = ("journal_mode = off", "synchronous = off", "foreign_keys = off", "cache_size = -64000")
SELECT_PARTS = """
SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY type, rowid
"""
#: What SQLite plans by; it forgets that of an index with the index.
SELECT_STATISTICS = "SELECT tbl, idx, stat FROM sqlite_stat1"
NUMBERED = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"


class FileReceiver:
    """The file under the name that it has until it is whole."""

    def __init__(self, path: Path, schema: SiteSchema) -> None:
        self._path, self._schema = path, schema
        self._make()
        with connect(path) as file:
            self.tables = file_tables(Snapshot(file))
            self._parts = file.execute(SELECT_PARTS).fetchall()
            self._statistics = file.execute(SELECT_STATISTICS).fetchall()
            for kind, name, _sql in self._parts:
                file.execute(f"DROP {kind} {quoted(name)}")
            for table in self.tables:
                file.execute(f"DELETE FROM {quoted(table)}")  # noqa: S608 (names of our tables)

    def fit(self, row: Values) -> Values:
        """Return a row as it is: a file stores all that another database does."""
        return row

    def write(self, table: WholeTable, rows: Iterable[Values]) -> None:
        """Add rows to a table; raises CopyRefused for one that the file doesn't take."""
        places = ", ".join("?" * len(table.columns))
        insert = f"INSERT INTO {quoted(table.name)} ({table.listed}) VALUES ({places})"  # noqa: S608 (our tables)
        with self._open() as file:
            file.execute("BEGIN")
            try:
                file.executemany(insert, rows)
            except sqlite3.Error as error:
                raise CopyRefused(f"table {table.name}: {error}") from error
            file.execute("COMMIT")

    def finish(self, source: Source, advance: Advance | None) -> None:
        """Make indexes, triggers and what searches look at, once all rows are there; raises CopyRefused."""
        with self._open() as file:
            for _kind, _name, sql in self._parts:
                file.execute(sql)
            file.execute("DELETE FROM sqlite_stat1")
            file.executemany("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", self._statistics)
            self._go_on_behind(file, source)
            broken = file.execute("PRAGMA foreign_key_check").fetchone()
        if broken:
            raise CopyRefused(f"table {broken[0]}: a row points at none of {broken[2]}")
        with self._database() as database:
            make_search_indexes(database, self._schema.search_mode, advance)
        self._make()

    def read(self, table: WholeTable) -> Iterator[Values]:
        """Yield the rows of a table as they are now."""
        with connect(self._path) as file:
            yield from file.execute(table.select())

    def _make(self) -> None:
        """Bring the schema up to date, and with it the indexes of plugins' fields, which depend on the rows."""
        with self._database() as database:
            schema = self._schema
            migrate(database, schema.migrations, schema.indexes, schema.search_mode)

    def _go_on_behind(self, file: sqlite3.Connection, source: Source) -> None:
        """Let new rows have ids behind all that the site has given out."""
        file.execute("DELETE FROM sqlite_sequence")
        for (name,) in file.execute(NUMBERED).fetchall():
            highest = file.execute(f"SELECT MAX(id) FROM {quoted(name)}").fetchone()[0]  # noqa: S608 (our tables)
            last = max(highest or 0, source.last_ids.get(name, 0))
            if last:
                file.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, last))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with connect(self._path) as file:
            for pragma in PRAGMAS:
                file.execute(f"PRAGMA {pragma}")
            yield file

    @contextmanager
    def _database(self) -> Iterator[Database]:
        with closing(Database(self._path, "off")) as database:
            yield database


@contextmanager
def receiving_file(path: Path, schema: SiteSchema) -> Iterator[FileReceiver]:
    """Make a file for the rows of a site, which is at the path when all went well, and nowhere otherwise.

    Raises CopyRefused where there is a file already, or somebody else makes it.
    """
    _require_free(path)
    part = path.with_name(path.name + ENDING)
    with _held(path.parent) as folder:
        _remove(part)
        part.touch(mode=0o640)
        try:
            yield FileReceiver(part, schema)
            finish_working_copy(part)
            os.replace(part, path)
            os.fsync(folder)
        finally:
            _remove(part)


def _require_free(path: Path) -> None:
    if not path.parent.is_dir():
        raise CopyRefused(f"there is no folder {path.parent}. Make it first")
    if holders_of(path):
        raise CopyRefused(f"{path} is a site that is served. Name a file that isn't there yet")
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise CopyRefused(f"{path} is there already. Name a file that isn't there yet")


@contextmanager
def _held(folder: Path) -> Iterator[int]:
    """Hold a lock on a folder; raises CopyRefused where another copy into it runs."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if not try_lock(descriptor):
            raise CopyRefused(f"another copy into {folder} is running")
        yield descriptor
    finally:
        os.close(descriptor)


def _remove(part: Path) -> None:
    """Remove what there is of a copy that isn't whole, and its locks."""
    for ending in ("", "-journal", "-wal", "-shm"):
        part.with_name(part.name + ending).unlink(missing_ok=True)
    for ending in (".migrating", ".writing"):
        part.with_suffix(ending).unlink(missing_ok=True)
