"""Texts that may hold an address, of whatever has texts; read in batches and written where nobody wrote meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cms.db.connection import Database, update_text
from cms.db.expressions import like
from cms.db.reader import Row

#: The columns of texts, by table; `meta` holds JSON.
TEXTS: Mapping[str, tuple[str, ...]] = {
    "content": ("content", "excerpt", "meta"),
    "comments": ("content", "author_url", "meta"),
    "terms": ("description", "meta"),
    "users": ("description", "url", "meta"),
    "revisions": ("content", "excerpt", "meta"),
}
BATCH = 50


class AddressStore:
    """Find rows whose texts hold one of some words, and change them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def count(self, table: str, words: Sequence[str]) -> int:
        """Return how many rows of a table hold one of the words."""
        sql = f"SELECT COUNT(*) FROM {table} WHERE {_holds(table, words)}"  # noqa: S608 (names of our tables)
        return int(self._database.scalar(sql, _named(words)))

    def holding(self, table: str, words: Sequence[str]) -> Iterator[list[Row]]:
        """Yield the rows of a table that hold one of the words, in batches, by id."""
        holds = _holds(table, words)
        sql = f"SELECT * FROM {table} WHERE id > :last AND ({holds}) ORDER BY id LIMIT {BATCH}"  # noqa: S608
        last = 0
        while rows := self._database.rows(sql, {**_named(words), "last": last}):
            yield rows
            last = rows[-1]["id"]

    def store(self, table: str, row: Row, columns: Mapping[str, Any]) -> bool:
        """Store changed columns of a row and raise its version; tell whether it was as it had been read.

        Revisions have no version: nobody changes them.
        """
        if "version" not in row:
            sql = update_text(table, tuple(columns))
            return self._database.execute(sql, (*columns.values(), row["id"])) > 0
        values = {**columns, "version": row["version"] + 1}
        sql = f"{update_text(table, tuple(values))} AND version = ?"
        return self._database.execute(sql, (*values.values(), row["id"], row["version"])) > 0


def _holds(table: str, words: Sequence[str]) -> str:
    names = _named(words)
    return " OR ".join(f"{column} LIKE :{name} ESCAPE '\\'" for column in TEXTS[table] for name in names)


def _named(words: Sequence[str]) -> dict[str, str]:
    return {f"word{number}": like(word) for number, word in enumerate(words)}
