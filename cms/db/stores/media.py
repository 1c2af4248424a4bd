"""Files of media items, and stored files that nothing needs any more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypedDict, cast

from cms.db.connection import Database
from cms.db.expressions import PARENT
from cms.db.json_lists import json_list
from cms.db.models import ContentRow, MediaRow
from cms.db.reader import ColumnValues
from cms.db.sqlite.words import LISTED, elements, listed
from cms.db.stores.items import ItemStore

SELECT_FILES = f"SELECT * FROM media WHERE content_id IN {LISTED}"  # noqa: S608
#: Files that are chosen by their ids or by what they are attached to, each with what it inherits its visibility from.
SELECT_LISTED = f"""
SELECT c.*, {PARENT.format(row="c")} AS parent, m.* FROM content c JOIN media m ON m.content_id = c.id
WHERE c.type = 'attachment' AND c.status = 'inherit' AND (m.file <> '' OR m.origin <> '') AND c.id IN (
    SELECT CAST(value AS INTEGER) FROM {elements(":ids")} UNION
    SELECT a.id FROM content a WHERE a.type = 'attachment' AND a.parent_id <> 0
        AND a.parent_id IN {listed(":parents")})
ORDER BY c.id
"""  # noqa: S608 (our own text)
SELECT_PICTURES = """
SELECT c.id, c.mime_type, m.file, m.details FROM content c JOIN media m ON m.content_id = c.id
WHERE c.type = 'attachment' AND c.mime_type LIKE 'image/%' AND m.file <> '' AND c.id > ? ORDER BY c.id LIMIT 100
"""
SELECT_REMOVABLE = "SELECT key FROM unused_files WHERE due_gmt <= ? LIMIT 500"
DELETE_UNUSED = f"DELETE FROM unused_files WHERE key IN {LISTED}"  # noqa: S608
INSERT_UNUSED = f"""
INSERT INTO unused_files (key, due_gmt, is_withdrawn) SELECT value, ?, ? FROM {elements("?")} WHERE true
ON CONFLICT (key) DO UPDATE SET is_withdrawn =
    CASE WHEN excluded.is_withdrawn = 1 THEN 1 ELSE unused_files.is_withdrawn END
"""  # noqa: S608


class ListedFile(ContentRow, MediaRow):
    """A media item with its file; `parent` is JSON of what it inherits its visibility from."""

    parent: str | None


class Picture(TypedDict):
    """A picture that has a file; `details` is JSON."""

    id: int
    mime_type: str
    file: str
    details: str


class MediaStore:
    """Read and write rows of the tables of media and of unused files."""

    def __init__(self, database: Database, items: ItemStore) -> None:
        self._database, self._items = database, items

    def files(self, ids: Iterable[int]) -> dict[int, MediaRow]:
        """Return what is known of the files of items, by the item's id."""
        rows = cast(list[MediaRow], self._database.rows(SELECT_FILES, (json_list(ids),)))
        return {row["content_id"]: row for row in rows}

    def listed_files(self, ids: Iterable[int], parents: Iterable[int]) -> list[ListedFile]:
        """Return media items that have a file and no visibility of their own: these, and those attached to items."""
        values = {"ids": json_list(ids), "parents": json_list(parents)}
        return cast(list[ListedFile], self._database.rows(SELECT_LISTED, values))

    def file_of(self, id: int) -> MediaRow | None:
        """Return what is known of an item's file."""
        sql = "SELECT * FROM media WHERE content_id = ?"
        return cast(MediaRow | None, self._database.row(sql, (id,)))

    def add_file(self, id: int, values: ColumnValues) -> None:
        """Store what is known of a new item's file."""
        self._database.insert("media", {"content_id": id, **values})

    def update_file(self, id: int, values: ColumnValues) -> None:
        """Store changes of what is known of an item's file."""
        changes = ", ".join(f"{name} = ?" for name in values)
        sql = f"UPDATE media SET {changes} WHERE content_id = ?"  # noqa: S608 (names of columns)
        self._database.execute(sql, (*values.values(), id))

    def pictures(self) -> Iterator[Picture]:
        """Yield all pictures that have a file, some at a time."""
        last = 0
        while rows := cast(list[Picture], self._database.rows(SELECT_PICTURES, (last,))):
            yield from rows
            last = rows[-1]["id"]

    def replace_details(self, id: int, details: str) -> None:
        """Store what is known of an item's renditions now."""
        self.update_file(id, {"details": details})
        self._items.touch("content", [id])

    def is_named(self, key: str) -> bool:
        """Tell whether an item has the file with this key, be it there or lost."""
        return self._database.exists("SELECT 1 FROM media WHERE file = ? AND file <> ''", (key,))

    def all_files(self) -> list[tuple[str, str]]:
        """Return key and details (JSON) of every file that an item has."""
        sql = "SELECT file, details FROM media WHERE file <> ''"
        return cast(list[tuple[str, str]], self._database.tuples(sql))

    def unused_keys(self) -> set[str]:
        """Return the keys of all files that nothing needs any more and that weren't removed yet."""
        return set(self._database.column("SELECT key FROM unused_files"))

    def removable_keys(self, now: str) -> list[str]:
        """Return keys of some unused files whose retention period is over."""
        return self._database.column(SELECT_REMOVABLE, (now,))

    def discard(self, keys: Iterable[str], due: str, *, withdrawn: bool = False) -> None:
        """Note that nothing needs files any more, and from when on they may be removed; nobody gets withdrawn ones."""
        self._database.execute(INSERT_UNUSED, (due, withdrawn, json_list(keys)))

    def is_withdrawn(self, key: str) -> bool:
        """Tell whether a file is one of a deleted item."""
        return self._database.exists("SELECT 1 FROM unused_files WHERE key = ? AND is_withdrawn = 1", (key,))

    def forget_unused(self, keys: Iterable[str]) -> None:
        """Forget unused files that were removed."""
        with self._database.write():
            self._database.execute(DELETE_UNUSED, (json_list(keys),))
