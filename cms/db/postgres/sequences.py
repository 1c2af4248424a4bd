"""The ids that PostgreSQL gives to new rows of a table: each is higher than all that the table ever had."""

from __future__ import annotations

from cms.db.reader import Reader

TAKE_NEXT = "SELECT nextval(pg_get_serial_sequence(?, 'id'))"
SELECT_LAST = "SELECT last_value, is_called FROM {table}_id_seq"


class Sequences:
    """The sequences of a database, by table; what moves them is called inside a write, which is alone."""

    def __init__(self, database: Reader) -> None:
        self._database = database

    def take_next(self, table: str) -> int:
        """Take the next id of a table, for a row elsewhere."""
        return int(self._database.scalar(TAKE_NEXT, (table,)))

    def last(self, table: str) -> int:
        """Return the last id that a table has used."""
        row = self._database.row(SELECT_LAST.format(table=table))
        return int(row["last_value"]) if row and row["is_called"] else 0

    def move(self, table: str, last: int) -> None:
        """Let the next row of a table have an id behind this one."""
        self._database.scalar(
            f"SELECT setval(pg_get_serial_sequence(?, 'id'), {max(last, 1)}, {last > 0})", (table,)
        )

    def move_back(self, table: str, present: int, last: int) -> bool:
        """Let a table go on behind this id where `present` is the last one that it has used; tell whether it was."""
        if self.last(table) != present:
            return False
        self.move(table, last)
        return True
