"""The ids that SQLite gives to new rows of a table: each is higher than all that the table ever had."""

from __future__ import annotations

from cms.db.reader import Reader

SELECT_LAST = "SELECT seq FROM sqlite_sequence WHERE name = ?"
INSERT_LAST = "INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?) RETURNING seq"
UPDATE_LAST = "UPDATE sqlite_sequence SET seq = ? WHERE name = ? RETURNING seq"
TAKE_NEXT = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = ? RETURNING seq"
#: Only where nobody has taken an id since.
RETURN_IDS = "UPDATE sqlite_sequence SET seq = ? WHERE name = ? AND seq = ? RETURNING seq"


class Sequences:
    """The sequences of a database, by table; what changes them is called inside a write."""

    def __init__(self, database: Reader) -> None:
        self._database = database

    def take_next(self, table: str) -> int:
        """Take the next id of a table that has rows already, for a row elsewhere."""
        return int(self._database.scalar(TAKE_NEXT, (table,)))

    def last(self, table: str) -> int:
        """Return the last id that a table has used."""
        return int(self._database.scalar(SELECT_LAST, (table,)) or 0)

    def move(self, table: str, last: int) -> None:
        """Let the next row of a table have an id behind this one."""
        if self._database.scalar(UPDATE_LAST, (last, table)) is None:
            self._database.scalar(INSERT_LAST, (last, table))

    def move_back(self, table: str, present: int, last: int) -> bool:
        """Let a table go on behind this id where `present` is the last one that it has used; tell whether it was."""
        return self._database.scalar(RETURN_IDS, (last, table, present)) is not None
