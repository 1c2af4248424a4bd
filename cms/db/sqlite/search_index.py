"""The indexes for search: their tables and triggers in each mode, and how they are made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.reader import Row
from cms.db.sqlite import changed_runs

#: A search finds parts of words in any script, or the beginnings of words.
PARTS, WORDS = MODES = ("parts", "words")
Advance = Callable[[str, int, int | None], None]

#: None of them keeps texts, or where in them something stands: a search looks at the texts of the few rows it gets.
OPTIONS = {
    PARTS: "content = '', detail = none, columnsize = 0, tokenize = 'trigram case_sensitive 1'",
    WORDS: "content = '{table}_folded', content_rowid = 'id', detail = none, columnsize = 0, "
    "tokenize = \"unicode61 remove_diacritics 0 categories 'L* M* N* Co'\"",
}
#: What stands behind each text, in statements.
END = f"char({', '.join(str(ord(sign)) for sign in changed_runs.END)})"
BATCH = 500
PRESENT = "SELECT name, type, sql FROM sqlite_schema WHERE name IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True)
class SearchIndex:
    """The index of a table's columns: `name` is what is asked, `parts` all runs of characters in it with their rows."""

    table: str
    name: str
    columns: tuple[str, ...]
    #: None where it follows the configured mode.
    mode: str | None = None

    @property
    def parts(self) -> str:
        """The name of the table of runs."""
        return f"{self.name}_parts"

    def definitions(self, mode: str) -> dict[str, str]:
        """Return the statements that make what belongs to it, by name."""
        mode = self.mode or mode
        columns, options = ", ".join(self.columns), OPTIONS[mode].format(table=self.table)
        changed = " OR ".join(f"old.{column} IS NOT new.{column}" for column in self.columns)
        events = {
            "insert": f"INSERT ON {self.table} WHEN {self._is_missing()} BEGIN {self._insert()};",
            "delete": f"DELETE ON {self.table} BEGIN {self._delete()};",
            "update": f"UPDATE OF {columns} ON {self.table} WHEN {changed} BEGIN {self._update(mode)};",
        }
        triggers = {
            f"{self.name}_{event}": f"CREATE TRIGGER {self.name}_{event} AFTER {text} END"
            for event, text in events.items()
        }
        return {
            **self._view(mode),
            self.name: f"CREATE VIRTUAL TABLE {self.name} USING fts5 ({columns}, {options})",
            self.parts: f"CREATE VIRTUAL TABLE {self.parts} USING fts5vocab ('{self.name}', 'instance')",
            **triggers,
        }

    def matching(self, place: str) -> str:
        """Return the query of the ids, as `id`, of the rows that an expression finds."""
        return f"SELECT rowid AS id FROM {self.name} WHERE {self.name} MATCH {place}"  # noqa: S608 (names of our tables)

    def ranked(self, place: str, most: int, weights: Sequence[float]) -> str:
        """Return the query of the newest rows that an expression finds, by the weights of their columns."""
        newest = f"{self.matching(place)} ORDER BY rowid DESC LIMIT {most}"
        weighed = f"bm25({self.name}, {', '.join(map(str, weights))})"
        return f"{self.matching(place)} AND rowid >= (SELECT MIN(id) FROM ({newest})) ORDER BY {weighed}, rowid DESC"  # noqa: S608

    def add_from(self, rows: str) -> str:
        """Return the statement that adds what a select returns: ids and columns."""
        return self._change_from(f"rowid, {', '.join(self.columns)}", "id", rows)

    def remove_from(self, rows: str) -> str:
        """Return the statement that takes out what a select returns: ids and columns as they were added."""
        places = f"{self.name}, rowid, {', '.join(self.columns)}"
        return self._change_from(places, "'delete', id", rows)

    def _change_from(self, places: str, first: str, rows: str) -> str:
        return f"INSERT INTO {self.name} ({places}) SELECT {first}, {self._folded()} FROM ({rows})"  # noqa: S608

    def fill(self) -> str:
        """Return the statement that adds the rows behind an id up to another one."""
        places = f"rowid, {', '.join(self.columns)}"
        return (
            f"INSERT INTO {self.name} ({places}) SELECT id, {self._folded()} "  # noqa: S608 (names of our tables)
            f"FROM {self.table} WHERE id > ? AND id <= ?"
        )

    def _view(self, mode: str) -> dict[str, str]:
        if mode != WORDS:
            return {}
        name = f"{self.table}_folded"
        columns = ", ".join(f"fold({column}) AS {column}" for column in self.columns)
        return {name: f"CREATE VIEW {name} AS SELECT id, {columns} FROM {self.table}"}  # noqa: S608

    def _folded(self, row: str = "") -> str:
        return ", ".join(f"fold({row}{column}) || {END}" for column in self.columns)

    def _is_missing(self) -> str:
        """Return the condition of new rows that don't stand in the index yet; see `cms.db.sqlite.search_ahead`."""
        same = f"table_name = '{self.table}' AND id = new.id"
        return f"NOT EXISTS (SELECT 1 FROM indexed_ahead WHERE {same})"  # noqa: S608 (names of our tables)

    def _update(self, mode: str) -> str:
        if mode == WORDS:
            return f"{self._delete()}; {self._insert()}"
        return f"{self._delete(self._changed('lost_runs'))}; {self._insert(self._changed('won_runs'))}"

    def _changed(self, function: str) -> str:
        """Return what a function of `cms.db.sqlite.changed_runs` tells of all columns."""
        texts = ", ".join(f"{row}.{column}" for row in ("old", "new") for column in self.columns)
        return ", ".join(f"{function}({number}, {texts})" for number in range(len(self.columns)))

    def _insert(self, texts: str = "") -> str:
        places = f"rowid, {', '.join(self.columns)}"
        return f"INSERT INTO {self.name} ({places}) VALUES (new.id, {texts or self._folded('new.')})"  # noqa: S608

    def _delete(self, texts: str = "") -> str:
        places = f"{self.name}, rowid, {', '.join(self.columns)}"
        values = f"'delete', old.id, {texts or self._folded('old.')}"
        return f"INSERT INTO {self.name} ({places}) VALUES ({values})"  # noqa: S608


CONTENT = SearchIndex("content", "content_search", ("title", "excerpt", "content"))
COMMENTS = SearchIndex(
    "comments",
    "comment_search",
    ("content", "author_name", "author_url", "author_email", "author_ip"),
    mode=PARTS,
)
INDEXES = (CONTENT, COMMENTS)


def is_search_index_right(database: Database, mode: str) -> bool:
    """Tell whether all indexes are there as the mode has them."""
    return all(_is_right(database, index, mode) for index in INDEXES)


def bring_search_indexes(database: Database, mode: str, advance: Advance | None = None) -> list[str]:
    """Make those indexes anew that aren't as the mode has them, and return the names of their tables."""
    wrong = [index for index in INDEXES if not _is_right(database, index, mode)]
    return _make(database, wrong, mode, advance)


def make_search_indexes(database: Database, mode: str, advance: Advance | None = None) -> list[str]:
    """Make all indexes anew in one transaction, which holds the write lock, and return the names of their tables."""
    return _make(database, list(INDEXES), mode, advance)


def _is_right(database: Database, index: SearchIndex, mode: str) -> bool:
    wanted = index.definitions(mode)
    return {row["name"]: row["sql"] for row in _present(database, index)} == wanted


def _present(database: Database, index: SearchIndex) -> list[Row]:
    """Return what is there of an index in any mode."""
    names = {*index.definitions(PARTS), *index.definitions(WORDS), f"{index.table}_folded"}
    return database.rows(PRESENT, (json_list(sorted(names)),))


def _make(database: Database, indexes: list[SearchIndex], mode: str, advance: Advance | None) -> list[str]:
    if not indexes:
        return []
    with database.write():
        for index in indexes:
            _drop(database, index)
            database.execute("DELETE FROM indexed_ahead WHERE table_name = ?", (index.table,))
            for statement in index.definitions(mode).values():
                database.execute(statement)
            for done, total in _fill(database, index):
                if advance:
                    advance(f"indexing {index.table}", done, total)
    return [index.name for index in indexes]


def _drop(database: Database, index: SearchIndex) -> None:
    # What others are made of comes last: triggers, the table of runs, the index, the view.
    order = ["trigger", index.parts, index.name, "view"]
    for row in sorted(_present(database, index), key=lambda row: _place(row, order)):
        database.execute(f"DROP {row['type']} {row['name']}")


def _place(row: Row, order: list[str]) -> int:
    return order.index(row["name"] if row["type"] == "table" else row["type"])


def _fill(database: Database, index: SearchIndex) -> Iterator[tuple[int, int]]:
    """Add all rows, and yield after each batch how many were added, of how many."""
    total = database.scalar(f"SELECT COUNT(*) FROM {index.table}")  # noqa: S608 (names of our tables)
    next_batch = (
        f"SELECT MAX(id), COUNT(*) FROM (SELECT id FROM {index.table} "  # noqa: S608 (names of our tables)
        f"WHERE id > ? ORDER BY id LIMIT {BATCH})"
    )
    start, done = 0, 0
    while True:
        ((end, count),) = database.tuples(next_batch, (start,))
        if not count:
            return
        database.execute(index.fill(), (start, end))
        start, done = end, done + count
        yield done, total
