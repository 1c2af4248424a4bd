"""Rows that are below one another: content, terms, comments."""

from __future__ import annotations

from enum import Enum

from cms.db.connection import Database
from cms.db.reader import ColumnValues


class ParentFault(Enum):
    """Why a row can't be the parent of another."""

    MISSING = "there is no such row"
    LOOP = "it is the row itself or below it"


class HierarchyStore:
    """Look at the parents of rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find_fault(self, table: str, id: int, parent: int, scope: ColumnValues) -> ParentFault | None:
        """Return what keeps a row from having this parent, None where nothing does; `id` is 0 for a new row.

        The parent must have the values that `scope` names, by column.
        """
        if not self._exists(table, parent, scope):
            return ParentFault.MISSING
        if id and self.is_ancestor_or_self(table, id, parent):
            return ParentFault.LOOP
        return None

    def is_ancestor_or_self(self, table: str, id: int, other: int) -> bool:
        """Tell whether a row is another one or one of its ancestors; a chain that loops ends where it was before."""
        sql = f"SELECT parent_id FROM {table} WHERE id = ?"  # noqa: S608 (names of our tables)
        seen: set[int] = set()
        while other and other not in seen:
            if other == id:
                return True
            seen.add(other)
            other = self._database.scalar(sql, (other,)) or 0
        return False

    def _exists(self, table: str, id: int, scope: ColumnValues) -> bool:
        where = "".join(f" AND {column} = ?" for column in scope)
        sql = f"SELECT 1 FROM {table} WHERE id = ?{where}"  # noqa: S608 (names of our tables)
        return self._database.exists(sql, (id, *scope.values()))
