"""Writing the items of any resource: the only place where an item's version is raised."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from cms.db.connection import Database
from cms.db.errors import MergeConflict
from cms.db.json_lists import json_list
from cms.db.reader import ColumnValues
from cms.db.sqlite.words import LISTED


class ItemStore:
    """Insert, update and delete rows that have an id and a version."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def insert(self, table: str, values: ColumnValues) -> int:
        """Store a new row and return its id."""
        return self._database.insert(table, values)

    def update(self, table: str, id: int, values: ColumnValues) -> None:
        """Store changed columns and raise the version."""
        self._database.execute(_update_text(table, tuple(values)), (*values.values(), id))

    def update_read(self, table: str, id: int, version: int, values: ColumnValues) -> None:
        """Store columns that were made of a row as it was read, which had this version.

        Raises MergeConflict where somebody has changed the row since; with the write lock nobody can have.
        """
        text = _update_text(table, tuple(values)) + " AND version = ?"
        if not self._database.execute(text, (*values.values(), id, version)):
            raise MergeConflict(f"row {id} of {table} has changed")

    def touch(self, table: str, ids: Iterable[int]) -> None:
        """Raise the version of rows whose answers something else has changed."""
        wanted = json_list(ids)
        if wanted != "[]":
            self._database.execute(_touch_text(table), (wanted,))

    def delete(self, table: str, id: int) -> None:
        """Delete a row."""
        self._database.execute(_delete_text(table), (id,))


@lru_cache(maxsize=1_000)
def _update_text(table: str, columns: tuple[str, ...]) -> str:
    changes = "".join(f"{column} = ?, " for column in columns)
    return f"UPDATE {table} SET {changes}version = version + 1 WHERE id = ?"  # noqa: S608 (names of our tables)


@lru_cache(maxsize=100)
def _touch_text(table: str) -> str:
    return f"UPDATE {table} SET version = version + 1 WHERE id IN {LISTED}"  # noqa: S608


@lru_cache(maxsize=100)
def _delete_text(table: str) -> str:
    return f"DELETE FROM {table} WHERE id = ?"  # noqa: S608 (names of our tables)
