"""Whole database files: taking a copy of one, putting another's content into one that is open, looking through one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from cms import forks
from cms.db.sqlite.functions import SQL_FUNCTIONS
from cms.db.sqlite.presence import require_log

#: Milliseconds for which a copy waits for the write lock.
PATIENCE = 30_000
#: Tables whose rows have a version, which requests name in If-Match.
VERSIONED = ("content", "terms", "users", "comments")
HISTORY = "schema_migration"

COUNTS = {
    "items": "SELECT type, COUNT(*) FROM content GROUP BY type ORDER BY type",
    "comments": "SELECT 'comment', COUNT(*) FROM comments",
    "terms": "SELECT taxonomy, COUNT(*) FROM terms GROUP BY taxonomy ORDER BY taxonomy",
    "users": "SELECT 'user', COUNT(*) FROM users",
}
#: A rendition lies in the folder of its original: what is left of its path without the letters of its name.
FILES_OF_ITEMS = """
SELECT file AS key FROM media WHERE file <> ''
UNION SELECT rtrim(m.file, replace(m.file, '/', '')) || json_extract(size.value, '$.file')
FROM media m, json_each(m.details, '$.sizes') size WHERE m.file <> ''
"""
UNUSED_FILES = "SELECT key FROM unused_files"
RAISE_VERSIONS = """
UPDATE {table} SET version = other.version + 1 FROM live.{table} other
WHERE other.id = {table}.id AND other.version > {table}.version
"""
RAISE_IDS = """
UPDATE sqlite_sequence SET seq = MAX(seq, (SELECT seq FROM live.sqlite_sequence l WHERE l.name = sqlite_sequence.name))
WHERE name IN (SELECT name FROM live.sqlite_sequence)
"""
ADD_IDS = """
INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM live.sqlite_sequence
WHERE name NOT IN (SELECT name FROM sqlite_sequence) AND name IN (SELECT name FROM sqlite_schema)
"""


@contextmanager
def connect(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database file past the site, with the functions that its triggers call.

    Raises sqlite3.OperationalError where its log was removed while others have it open.
    """
    require_log(path)
    with forks.inside(), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA busy_timeout = {PATIENCE}")
        for function, places in SQL_FUNCTIONS:
            connection.create_function(function.__name__, places, function, deterministic=True)
        yield connection


def copy_database(source: Path, target: Path) -> None:
    """Write one state of an open database into a file of its own; writers go on, their later writes aren't in it."""
    with connect(source) as live, connect(target) as copy:
        live.backup(copy)


def replace_database(live: Path, source: Path, under_lock: Callable[[], None]) -> None:
    """Give an open database the content of another file in one transaction, which all its connections see at once.

    `under_lock` is called while nobody can write to it and before anything is changed; what it does to `source`
    counts, and where it raises, nothing happens. Readers aren't kept waiting. Raises sqlite3.OperationalError where the
    write lock isn't to be had.
    """
    locked = _Locked(under_lock)
    with connect(source) as wanted, connect(live) as present:
        present.execute("PRAGMA journal_mode = wal")
        present.execute("PRAGMA synchronous = full")
        # The first page takes the lock. SQLite begins anew where the source has changed since.
        wanted.backup(present, pages=1, progress=locked.step)


class _Locked:
    """Calls something once, as soon as a copy has the write lock."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call, self._is_called = call, False

    def step(self, status: int, _remaining: int, _total: int) -> None:
        """Take notice of a page that was copied, or wasn't; raises sqlite3.OperationalError without the lock."""
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise sqlite3.OperationalError("somebody holds the write lock for longer than can be waited for")
        if not self._is_called:
            self._is_called = True
            self._call()


def match_pages(copy: Path, live: Path) -> None:
    """Give a copy pages of the size that the open database has, without which it can't take its place."""
    with connect(live) as present:
        wanted = present.execute("PRAGMA page_size").fetchone()[0]
    with connect(copy) as file:
        if file.execute("PRAGMA page_size").fetchone()[0] != wanted:
            file.execute("PRAGMA journal_mode = delete")
            file.execute(f"PRAGMA page_size = {wanted}")
            file.execute("VACUUM")


def raise_numbers(copy: Path, live: Path) -> None:
    """Raise ids and versions of a copy beyond what was ever given out by the database that it replaces.

    So no later item gets an id that another one had, and no If-Match of what is gone fits what comes.
    """
    with connect(copy) as file:
        file.execute("ATTACH ? AS live", (str(live),))
        there = file.execute("SELECT name FROM live.sqlite_schema WHERE type = 'table'")
        tables = _tables(file) & {row[0] for row in there}
        file.execute("BEGIN IMMEDIATE")
        for table in VERSIONED:
            if table in tables:
                file.execute(RAISE_VERSIONS.format(table=table))
        file.execute(RAISE_IDS)
        file.execute(ADD_IDS)
        file.execute("COMMIT")


def mark(copy: Path, number: int) -> None:
    """Write a number into a database file, which goes wherever its content goes."""
    with connect(copy) as file:
        file.execute(f"PRAGMA user_version = {number}")


def marked(path: Path) -> int:
    """Return the number that was written into a database file last, 0 for none, or for what is no database."""
    try:
        with connect(path) as file:
            return int(file.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError:
        return 0


def data_version(connection: sqlite3.Connection) -> int:
    """Return a number that grows with each commit of another connection than this one."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def find_damage(path: Path) -> str:
    """Return what is wrong inside a database file, an empty text where nothing is."""
    damage = find_corruption(path)
    if damage:
        return damage
    with connect(path) as file:
        broken = file.execute("PRAGMA foreign_key_check").fetchone()
    return f"a row of {broken[0]} points at none of {broken[2]}" if broken else ""


def find_corruption(path: Path) -> str:
    """Return what is wrong with the structure of a database file, an empty text where nothing is."""
    try:
        with connect(path) as file:
            found = file.execute("PRAGMA integrity_check(5)").fetchall()
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == [("ok",)] else "; ".join(row[0] for row in found)


def count_content(path: Path) -> dict[str, int]:
    """Return how many there are of each type of content and taxonomy, of comments and accounts."""
    counts: dict[str, int] = {}
    with connect(path) as file:
        tables = _tables(file)
        for table, statement in COUNTS.items():
            if (table if table != "items" else "content") in tables:
                counts.update(file.execute(statement).fetchall())
    return counts


def file_keys(path: Path) -> list[str]:
    """Return the keys of all uploaded files that a database names, those of deleted items that are still kept too."""
    with connect(path) as file:
        tables = _tables(file)
        parts = [FILES_OF_ITEMS] if "media" in tables else []
        if "unused_files" in tables:
            parts.append(UNUSED_FILES)
        statement = " UNION ".join(parts)
        return sorted(row[0] for row in file.execute(statement)) if parts else []


def needed_keys(path: Path) -> set[str]:
    """Return the keys of the files that items of a database have."""
    with connect(path) as file:
        if "media" not in _tables(file):
            return set()
        return {row[0] for row in file.execute(FILES_OF_ITEMS)}


def applied_migrations(path: Path) -> dict[str, list[str]]:
    """Return the names of the migrations that a database file has had, by plugin; `cms` stands for the core."""
    found: dict[str, list[str]] = {}
    with connect(path) as file:
        for table in sorted(_tables(file)):
            if table == HISTORY or table.startswith(f"{HISTORY}_"):
                owner = table.removeprefix(HISTORY).removeprefix("_") or "cms"
                rows = file.execute(f'SELECT name FROM "{table}" ORDER BY name')  # noqa: S608 (its own table)
                found[owner] = [row[0] for row in rows]
    return found


def _tables(file: sqlite3.Connection) -> set[str]:
    return {row[0] for row in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
