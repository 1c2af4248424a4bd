"""The table of the files of one import, in a database of its own without a name, so that memory doesn't grow."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypedDict, cast

TABLES = """
CREATE TABLE claimed (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE files (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,           -- what the item is recognised by
    line INTEGER NOT NULL DEFAULT 0,     -- 0 for one that the site has and the export doesn't
    item INTEGER,
    address TEXT NOT NULL DEFAULT '',
    place TEXT NOT NULL DEFAULT '',      -- the address in its normal form
    base TEXT NOT NULL DEFAULT '',       -- the last part of the place
    attached TEXT NOT NULL DEFAULT '',   -- the path below the uploads of the old site
    month TEXT NOT NULL DEFAULT '',
    content_id INTEGER,
    known INTEGER NOT NULL DEFAULT 0,    -- whether the site has the item
    other INTEGER NOT NULL DEFAULT 0,    -- whether the site has something else of that name
    key TEXT NOT NULL DEFAULT '',
    fresh INTEGER NOT NULL DEFAULT 0,    -- whether this import brought the file
    mime TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0,
    details TEXT NOT NULL DEFAULT '{}',
    reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX files_place ON files (place);
CREATE INDEX files_base ON files (base);
"""
INSERT_FILE = """
INSERT INTO files (name, line, item, address, place, base, attached, month)
VALUES (:name, :line, :item, :address, :place, :base, :attached, :month)
"""
SELECT_WANTED = """
SELECT number, name, line, item, address, attached, month,
    (SELECT COUNT(*) FROM (
        SELECT 1 FROM files other WHERE other.base = files.base AND other.line > 0 LIMIT 2)) > 1 AS shares_name
FROM files WHERE number > ? AND line > 0 AND key = '' AND other = 0 ORDER BY number LIMIT 200
"""
SET_KNOWN = """
INSERT INTO files (name, content_id, known, address, place, base, key, mime, details)
VALUES (:name, :content_id, 1, :address, :place, :base, :key, :mime, :details)
ON CONFLICT (name) DO UPDATE SET content_id = excluded.content_id, known = 1, key = iif(fresh, key, excluded.key),
    mime = iif(fresh, mime, excluded.mime), details = iif(fresh, details, excluded.details)
"""
ASSIGN_IDS = """
UPDATE files SET content_id = assigned.id FROM (
    SELECT number, ? + row_number() OVER (ORDER BY number) AS id FROM files WHERE line > 0 AND NOT known AND NOT other
) assigned WHERE files.number = assigned.number
"""
FILE_AT_PLACE = (
    "SELECT key, mime, details, fresh FROM files WHERE place = ? AND key <> '' ORDER BY number LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file that an attachment of the export wants: its address there, and the month that it is stored under.

    `attached` is its path below the old site's uploads; `shares_name` tells whether another file has the same name.
    """

    number: int
    name: str
    line: int
    item: int | None
    address: str
    attached: str
    month: str
    shares_name: bool


class NewFile(TypedDict):
    """The columns of a file that the export names."""

    name: str
    line: int
    item: int | None
    address: str
    place: str
    base: str
    attached: str
    month: str


class KnownFile(TypedDict):
    """The columns of a file whose item the site has; `key` is empty where it has the item without the file."""

    name: str
    content_id: int
    address: str
    place: str
    base: str
    key: str
    mime: str
    details: str


class StoredFileRow(TypedDict):
    """A file that the site has: its key in the storage, its details as JSON, 1 where this import brought it."""

    key: str
    mime: str
    details: str
    fresh: int


class FileRow(StoredFileRow):
    """All that is known of a file; `known`, `other` and `fresh` are 0 or 1."""

    number: int
    name: str
    line: int
    item: int | None
    address: str
    place: str
    base: str
    attached: str
    month: str
    content_id: int
    known: int
    other: int
    size: int
    reason: str


class FileIndex:
    """The files of one import by name and by place; for one thread alone."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)  # gone when it is closed
        self._connection.row_factory = _as_dict
        self._connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {TABLES}")
        self._run = self._connection.execute

    def close(self) -> None:
        """Drop the table."""
        self._connection.close()

    def claim(self, name: str) -> bool:
        """Tell whether a name occurs for the first time in the export."""
        return self._run("INSERT OR IGNORE INTO claimed VALUES (?)", (name,)).rowcount > 0

    def clear_claims(self) -> None:
        """Forget which names have occurred: the export is read a second time."""
        self._run("DELETE FROM claimed")

    def insert(self, file: NewFile) -> None:
        """Add a file of the export; raises sqlite3.IntegrityError where its name is taken."""
        self._run(INSERT_FILE, file)

    def clear_known(self) -> None:
        """Forget which items the site has."""
        self._run("UPDATE files SET content_id = NULL, known = 0, other = 0")

    def set_known(self, file: KnownFile) -> None:
        """Note an item that the site has; a file that this import brought stays the item's."""
        self._run(SET_KNOWN, file)

    def mark_other(self, name: str) -> None:
        """Note that the site has something else of a name."""
        self._run("UPDATE files SET other = 1 WHERE name = ?", (name,))

    def assign_ids(self, last: int) -> int:
        """Assign ids to the new items, beginning after `last`; return how many there are."""
        return self._run(ASSIGN_IDS, (last,)).rowcount

    def find_wanted(self) -> Iterator[WantedFile]:
        """Yield the files of the export that the site hasn't; they are read in batches."""
        last = 0
        while rows := self._run(SELECT_WANTED, (last,)).fetchall():
            for row in rows:
                yield WantedFile(**row)
            last = rows[-1]["number"]

    def count_wanted(self) -> int:
        """Return how many files of the export the site hasn't."""
        row = self._run(
            "SELECT COUNT(*) AS files FROM files WHERE line > 0 AND key = '' AND other = 0"
        ).fetchone()
        return int(row["files"])

    def set_stored(self, number: int, key: str, mime: str, size: int, details: str) -> None:
        """Note where this import has stored a file; `size` is in bytes, `details` are JSON."""
        self._run(
            "UPDATE files SET key = ?, fresh = 1, mime = ?, size = ?, details = ? WHERE number = ?",
            (key, mime, size, details, number),
        )

    def set_missing(self, number: int, reason: str) -> None:
        """Note why a file couldn't be brought."""
        self._run("UPDATE files SET reason = ? WHERE number = ?", (reason, number))

    def find_by_name(self, name: str) -> FileRow | None:
        """Return what is known of an attachment, or None."""
        return cast("FileRow | None", self._run("SELECT * FROM files WHERE name = ?", (name,)).fetchone())

    def id_of(self, source_id: int) -> int | None:
        """Return the id that an attachment of the export has in the site."""
        row = self._run("SELECT content_id FROM files WHERE name = ?", (str(source_id),)).fetchone()
        return row["content_id"] if row else None

    def find_by_place(self, place: str) -> StoredFileRow | None:
        """Return the file that the site has from a place of the old one, or None."""
        return cast("StoredFileRow | None", self._run(FILE_AT_PLACE, (place,)).fetchone())

    def get_hosts(self) -> set[str]:
        """Return the hosts that the files which the site has came from."""
        sql = "SELECT DISTINCT substr(place, 1, instr(place, '/') - 1) AS host FROM files WHERE key <> ''"
        return {row["host"] for row in self._run(sql)}

    def has_fresh(self) -> bool:
        """Tell whether this import brought any file."""
        return self._run("SELECT 1 FROM files WHERE fresh LIMIT 1").fetchone() is not None

    def get_fresh(self) -> Iterator[StoredFileRow]:
        """Yield the files that this import brought."""
        yield from self._run("SELECT key, mime, details, fresh FROM files WHERE fresh")


def _as_dict(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
    names = [column[0] for column in cursor.description]
    return dict(zip(names, row, strict=True))
