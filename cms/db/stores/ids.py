"""Ids that imported rows bring along: which of them are free, and where the site's own rows go on."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.sqlite.words import elements

SELECT_FREE = f"""
SELECT wanted.id FROM (SELECT CAST(value AS INTEGER) AS id FROM {elements("?")}) wanted
WHERE EXISTS (SELECT 1 FROM id_ranges r WHERE r.table_name = ? AND wanted.id BETWEEN r.first AND r.last)
AND NOT EXISTS (SELECT 1 FROM {{table}} t WHERE t.id = wanted.id)
"""  # noqa: S608


class ReservedIds(NamedTuple):
    """Ids of a table that nobody else gets: those behind `start` up to `end`; `before` was the last one before."""

    table: str
    before: int
    start: int
    end: int


class IdStore:
    """Keep the ids of imported rows where no row of this site's own ever had them; to be used inside a write.

    An import moves the sequence of a table behind the highest id that it wants. What it passes over is noted, so that
    later imports find their ids free there, while an id that was used here and deleted is never used again.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._sequences = database.sequences

    def last(self, table: str) -> int:
        """Return the last id that a table has used."""
        return self._sequences.last(table)

    def move(self, table: str, last: int) -> None:
        """Let the next row of a table have an id behind this one."""
        self._sequences.move(table, last)

    def open(self, table: str, highest: int) -> None:
        """Keep all ids up to the highest one for imported rows, but for those that were used before."""
        last = self.last(table)
        if highest > last:
            self._database.insert("id_ranges", {"table_name": table, "first": last + 1, "last": highest})
            self.move(table, highest)

    def reserve(self, table: str, highest: int, number: int) -> ReservedIds:
        """Keep all ids up to the highest one for imported rows, and a number of those behind for the caller."""
        before = self.last(table)
        self.open(table, highest)
        start = self.last(table)
        if number:
            self.move(table, start + number)
        return ReservedIds(table, before, start, start + number)

    def return_rest(self, reserved: ReservedIds, used: int) -> None:
        """Give back reserved ids behind the last one that was used, unless somebody has taken one behind them."""
        self._sequences.move_back(reserved.table, reserved.end, used)

    def return_all(self, reserved: ReservedIds) -> None:
        """Have a table as it was before ids were reserved, unless somebody has taken one behind them."""
        if self._sequences.move_back(reserved.table, reserved.end, reserved.before):
            sql = "DELETE FROM id_ranges WHERE table_name = ? AND first = ? AND last = ?"
            self._database.execute(sql, (reserved.table, reserved.before + 1, reserved.start))

    def free_when_open(self, table: str, highest: int, wanted: Collection[int]) -> set[int]:
        """Return which of these ids an imported row may have once all up to the highest one are kept."""
        last = self.last(table)
        return self.free(table, wanted) | {id for id in wanted if last < id <= highest}

    def free(self, table: str, wanted: Collection[int]) -> set[int]:
        """Return which of these ids an imported row may have."""
        if not wanted:
            return set()
        sql = SELECT_FREE.format(table=table)
        return set(self._database.column(sql, (json_list(wanted), table)))
