"""The table of the items of one import: which of them the site has, and the ids that the new ones get."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypedDict, cast

TABLES = """
CREATE TABLE items (
    place INTEGER PRIMARY KEY,           -- in the order of the file
    name TEXT NOT NULL,                  -- what the file calls it: its number, where it has one
    mark TEXT NOT NULL,                  -- what it is recognised by where that isn't enough
    type TEXT NOT NULL,
    number INTEGER,
    stored_name TEXT NOT NULL,           -- what the site calls it
    content_id INTEGER,
    known INTEGER NOT NULL DEFAULT 0,    -- whether the site has it
    finished INTEGER NOT NULL,           -- 0 for what is left out unless the site has it
    seen INTEGER NOT NULL DEFAULT 0,     -- whether the second pass has met it
    written INTEGER NOT NULL DEFAULT 0,
    UNIQUE (name, mark)
);
CREATE INDEX items_number ON items (number);
CREATE INDEX items_mark ON items (mark);
CREATE INDEX items_content ON items (content_id);
CREATE TABLE known (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    number INTEGER,
    type TEXT NOT NULL,
    mark TEXT,                           -- NULL for what was imported before there were marks
    taken INTEGER NOT NULL DEFAULT 0     -- whether an item of the file is this one
);
CREATE INDEX known_number ON known (number);
CREATE INDEX known_mark ON known (mark);
"""
INSERT_ITEM = """
INSERT OR IGNORE INTO items (name, mark, type, number, stored_name, finished)
VALUES (:name, :mark, :type, :number, :name, :finished)
"""
INSERT_KNOWN = "INSERT INTO known (id, name, number, type, mark) VALUES (:id, :name, :number, :type, :mark)"
FORGET_KNOWN = "UPDATE items SET content_id = NULL, known = 0, stored_name = name, seen = 0, written = 0"
#: Three looks, the surest first: number and mark, number alone, mark alone. Each takes what no item has taken yet.
SAME_NUMBER_AND_MARK = """
SELECT i.place, k.id FROM items i JOIN known k ON k.mark = i.mark AND (k.number = i.number OR k.name = i.name)
WHERE i.place > ? AND i.known = 0 AND k.taken = 0 ORDER BY i.place, k.id LIMIT 500
"""
SAME_NAME = """
SELECT i.place, k.id FROM items i JOIN known k ON k.name = i.name AND k.type = i.type
WHERE i.place > ? AND i.known = 0 AND k.taken = 0 AND NOT contradicts(i.mark, k.mark) ORDER BY i.place LIMIT 500
"""
SAME_MARK = """
SELECT i.place, k.id FROM items i JOIN known k ON k.mark = i.mark
WHERE i.place > ? AND i.known = 0 AND k.taken = 0
AND (tells_enough(i.mark) OR i.number IS NULL OR k.number IS NULL) ORDER BY i.place, k.id LIMIT 500
"""
SAME_STRONG_MARK = """
SELECT i.place, k.id FROM items i JOIN known k ON k.mark = i.mark
WHERE i.place > ? AND i.known = 0 AND k.taken = 0 AND tells_enough(i.mark) ORDER BY i.place, k.id LIMIT 500
"""
TAKE_KNOWN = """
UPDATE items SET content_id = k.id, known = 1, stored_name = k.name FROM known k WHERE items.place = ? AND k.id = ?
"""
#: New items whose name another item has, in the site or earlier in the file.
SELECT_NAMESAKES = """
SELECT place, name, mark FROM items i WHERE known = 0 AND finished = 1 AND (
    EXISTS (SELECT 1 FROM known k WHERE k.name = i.name)
    OR EXISTS (SELECT 1 FROM items o WHERE o.name = i.name AND o.place < i.place AND o.finished = 1))
ORDER BY place
"""
SELECT_NEW = (
    "SELECT place, number FROM items WHERE known = 0 AND finished = 1 AND place > ? ORDER BY place LIMIT 500"
)
ID_OF_ITEM = """
SELECT content_id FROM items
WHERE number = ? AND content_id IS NOT NULL AND (type = 'attachment') = ? ORDER BY place LIMIT 1
"""
ID_OF_KNOWN = """
SELECT id FROM known WHERE number = ? AND (type = 'attachment') = ? ORDER BY name <> CAST(number AS TEXT), id LIMIT 1
"""
UNWRITTEN = """
SELECT content_id, number FROM items WHERE known = 0 AND written = 0 AND content_id IS NOT NULL AND number IS NOT NULL
"""


class NewItem(TypedDict):
    """The columns of an item that the export has."""

    name: str
    mark: str
    type: str
    number: int | None
    finished: bool


class KnownRow(TypedDict):
    """What the site has of the source."""

    id: int
    name: str
    number: int | None
    type: str
    mark: str | None


class IndexedItem(TypedDict):
    """An item of the export as it is stored; `content_id` is None for one that isn't, `seen` 1 for one that was met."""

    place: int
    mark: str | None
    stored_name: str
    content_id: int | None
    known: int
    seen: int


class ItemIndex:
    """The items of one import by name and mark; in the database of its files."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        connection.executescript(TABLES)
        self._connection, self._run = connection, connection.execute
        #: Whether a number proves anything: not where the file doesn't say which site it is of.
        self.has_source = True

    def set_rules(
        self, contradicts: Callable[[str, str | None], bool], tells_enough: Callable[[str], bool]
    ) -> None:
        """Set how marks are held against each other, and whether one tells enough without a number."""
        self._connection.create_function("contradicts", 2, contradicts, deterministic=True)
        self._connection.create_function("tells_enough", 1, tells_enough, deterministic=True)

    def insert(self, item: NewItem) -> int:
        """Add an item of the export and return its place, 0 where an earlier one has its name and mark."""
        cursor = self._run(INSERT_ITEM, item)
        if cursor.rowcount <= 0:
            return 0
        return int(cursor.lastrowid or 0)

    def forget_known(self) -> None:
        """Forget what the site has."""
        self._run("DELETE FROM known")
        self._run(FORGET_KNOWN)

    def add_known(self, rows: Iterable[KnownRow]) -> None:
        """Note what the site has of the source."""
        self._connection.executemany(INSERT_KNOWN, rows)

    def recognise(self) -> None:
        """Find out which items the site has, when all that it has is noted."""
        looks = [SAME_NUMBER_AND_MARK, SAME_NAME, SAME_MARK]
        if not self.has_source:
            looks = [SAME_STRONG_MARK]
        for look in looks:
            self._take(look)
        self._rename_namesakes()

    def _take(self, look: str) -> None:
        last = 0
        while rows := self._run(look, (last,)).fetchall():
            items: set[int] = set()
            taken: set[int] = set()
            for row in rows:
                if row["place"] not in items and row["id"] not in taken:
                    items.add(row["place"])
                    taken.add(row["id"])
                    self._run(TAKE_KNOWN, (row["place"], row["id"]))
                    self._run("UPDATE known SET taken = 1 WHERE id = ?", (row["id"],))
            last = rows[-1]["place"]
            if last not in items and items:
                last -= 1  # what it could still be may stand in the next batch

    def _rename_namesakes(self) -> None:
        for row in self._run(SELECT_NAMESAKES).fetchall():
            name = f"{row['name']} {row['mark']}"
            if self._run("SELECT 1 FROM known WHERE name = ?", (name,)).fetchone():
                name = f"{name} {row['place']}"
            self._run("UPDATE items SET stored_name = ? WHERE place = ?", (name, row["place"]))

    def assign_ids(self, last: int, find_free: Callable[[Collection[int]], set[int]]) -> int:
        """Give all new items ids: their numbers where these are free, else those after `last`; return the last one.

        `find_free` tells which numbers are free in the site.
        """
        place, taken = 0, set[int]()
        while rows := self._run(SELECT_NEW, (place,)).fetchall():
            free = find_free([row["number"] for row in rows if row["number"]]) - taken
            for row in rows:
                id = row["number"]
                if id not in free:
                    last += 1
                    id = last
                free.discard(id)
                taken.add(id)
                self._run("UPDATE items SET content_id = ? WHERE place = ?", (id, row["place"]))
            place = rows[-1]["place"]
        return last

    def highest_number(self, limit: int) -> int:
        """Return the highest number of an item that is no higher than `limit`, 0 where there is none."""
        sql = "SELECT COALESCE(MAX(number), 0) AS highest FROM items WHERE number <= ?"
        return int(self._run(sql, (limit,)).fetchone()["highest"])

    def find(self, name: str, mark: str) -> IndexedItem | None:
        """Return what is known of an item, or None for one that the first pass didn't index."""
        sql = (
            "SELECT place, mark, stored_name, content_id, known, seen FROM items WHERE name = ? AND mark = ?"
        )
        return cast("IndexedItem | None", self._run(sql, (name, mark)).fetchone())

    def find_known(self, name: str) -> IndexedItem:
        """Return what the site has under a name, as an item that the first pass didn't index; its place is 0."""
        row = self._run("SELECT id, mark FROM known WHERE name = ?", (name,)).fetchone()
        id, mark, known = None, None, 0
        if row is not None:
            id, mark, known = row["id"], row["mark"], 1
        return {"place": 0, "mark": mark, "stored_name": name, "content_id": id, "known": known, "seen": 0}

    def mark_seen(self, place: int) -> None:
        """Note that the second pass has met an item."""
        self._run("UPDATE items SET seen = 1 WHERE place = ?", (place,))

    def mark_written(self, place: int) -> None:
        """Note that an item was stored under its id."""
        self._run("UPDATE items SET written = 1 WHERE place = ?", (place,))

    def is_new(self, id: int) -> bool:
        """Tell whether this import brings the item that has an id in the site."""
        sql = "SELECT 1 FROM items WHERE content_id = ? AND known = 0"
        return self._run(sql, (id,)).fetchone() is not None

    def id_of(self, number: int, is_file: bool) -> int | None:
        """Return the id here of what the source calls by a number: of this export, else of an earlier one."""
        row = self._run(ID_OF_ITEM, (number, is_file)).fetchone()
        if row is not None:
            return int(row["content_id"])
        if not self.has_source:
            return None
        row = self._run(ID_OF_KNOWN, (number, is_file)).fetchone()
        if row is None:
            return None
        return int(row["id"])

    def unwritten(self) -> Iterator[tuple[int, int]]:
        """Yield id and number of items that have an id and weren't stored after all."""
        for row in self._run(UNWRITTEN):
            yield row["content_id"], row["number"]
