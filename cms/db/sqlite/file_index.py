"""The table of the files of one import, in a database of its own without a name, so that memory doesn't grow."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypedDict, cast

from cms.db.sqlite.item_index import ItemIndex

TABLES = """
CREATE TABLE files (
    number INTEGER PRIMARY KEY,
    item_place INTEGER UNIQUE,           -- of the item among those of the export
    line INTEGER NOT NULL DEFAULT 0,     -- 0 for one that the site has and the export doesn't
    item INTEGER,
    address TEXT NOT NULL DEFAULT '',
    place TEXT NOT NULL DEFAULT '',      -- the address in its normal form
    base TEXT NOT NULL DEFAULT '',       -- the last part of the place
    attached TEXT NOT NULL DEFAULT '',   -- the path below the uploads of the old site
    month TEXT NOT NULL DEFAULT '',
    content_id INTEGER,
    known INTEGER NOT NULL DEFAULT 0,    -- whether the site has the item
    key TEXT NOT NULL DEFAULT '',
    fresh INTEGER NOT NULL DEFAULT 0,    -- whether this import brought the file
    mime TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0,
    details TEXT NOT NULL DEFAULT '{}',
    reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX files_place ON files (place);
CREATE INDEX files_base ON files (base);
CREATE INDEX files_content ON files (content_id);
CREATE TABLE known_files (
    content_id INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    place TEXT NOT NULL,
    base TEXT NOT NULL,
    key TEXT NOT NULL,
    mime TEXT NOT NULL,
    details TEXT NOT NULL
);
"""
INSERT_FILE = """
INSERT INTO files (item_place, line, item, address, place, base, attached, month)
VALUES (:item_place, :line, :item, :address, :place, :base, :attached, :month)
"""
SELECT_WANTED = """
SELECT number, line, item, address, attached, month,
    (SELECT COUNT(*) FROM (
        SELECT 1 FROM files other WHERE other.base = files.base AND other.line > 0 LIMIT 2)) > 1 AS shares_name
FROM files WHERE number > ? AND line > 0 AND key = '' ORDER BY number LIMIT 200
"""
INSERT_KNOWN = """
INSERT INTO known_files (content_id, address, place, base, key, mime, details)
VALUES (:content_id, :address, :place, :base, :key, :mime, :details)
"""
#: What the site has of the items of the export, then of items that the export hasn't; a file that this import brought
#: stays the item's.
SETTLE = """
DELETE FROM files WHERE line = 0;
UPDATE files SET content_id = i.content_id, known = i.known FROM items i WHERE i.place = files.item_place;
UPDATE files SET key = k.key, mime = k.mime, details = k.details
FROM known_files k WHERE k.content_id = files.content_id AND files.known AND NOT files.fresh;
INSERT INTO files (content_id, known, address, place, base, key, mime, details)
SELECT content_id, 1, address, place, base, key, mime, details FROM known_files k
WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.content_id = k.content_id);
"""
TAKE_IDS = "UPDATE files SET content_id = i.content_id FROM items i WHERE i.place = files.item_place"
FILE_AT_PLACE = (
    "SELECT key, mime, details, fresh FROM files WHERE place = ? AND key <> '' ORDER BY number LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file that an attachment of the export wants: its address there, and the month that it is stored under.

    `attached` is its path below the old site's uploads; `shares_name` tells whether another file has the same name.
    """

    number: int
    line: int
    item: int | None
    address: str
    attached: str
    month: str
    shares_name: bool


class NewFile(TypedDict):
    """The columns of a file that the export names; `item_place` is its item's in the order of the export."""

    item_place: int
    line: int
    item: int | None
    address: str
    place: str
    base: str
    attached: str
    month: str


class KnownFile(TypedDict):
    """The columns of a file whose item the site has; `key` is empty where it has the item without the file."""

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
    """All that is known of a file; `known` and `fresh` are 0 or 1."""

    number: int
    item_place: int | None
    line: int
    item: int | None
    address: str
    place: str
    base: str
    attached: str
    month: str
    content_id: int
    known: int
    size: int
    reason: str


class FileIndex:
    """The files of one import by item and by place; for one thread alone."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)  # gone when it is closed
        self._connection.row_factory = _as_dict
        self._connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {TABLES}")
        self._run = self._connection.execute
        #: The items of the import, files among them.
        self.items = ItemIndex(self._connection)

    def close(self) -> None:
        """Drop the tables."""
        self._connection.close()

    def insert(self, file: NewFile) -> None:
        """Add a file of the export."""
        self._run(INSERT_FILE, file)

    def forget_known(self) -> None:
        """Forget which files the site has."""
        self._run("DELETE FROM known_files")

    def add_known(self, files: Iterable[KnownFile]) -> None:
        """Note files of items that the site has."""
        self._connection.executemany(INSERT_KNOWN, files)

    def settle(self) -> None:
        """Give files what the site has of their items, when these were recognised."""
        self._connection.executescript(SETTLE)

    def take_ids(self) -> None:
        """Give files the ids that their items were assigned."""
        self._run(TAKE_IDS)

    def find_wanted(self) -> Iterator[WantedFile]:
        """Yield the files of the export that the site hasn't; they are read in batches."""
        last = 0
        while rows := self._run(SELECT_WANTED, (last,)).fetchall():
            for row in rows:
                yield WantedFile(**row)
            last = rows[-1]["number"]

    def count_wanted(self) -> int:
        """Return how many files of the export the site hasn't."""
        row = self._run("SELECT COUNT(*) AS files FROM files WHERE line > 0 AND key = ''").fetchone()
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

    def find_of(self, item_place: int) -> FileRow | None:
        """Return what is known of the file of an item of the export, or None."""
        row = self._run("SELECT * FROM files WHERE item_place = ?", (item_place,)).fetchone()
        return cast("FileRow | None", row)

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
