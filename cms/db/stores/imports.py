"""What an import asks of the site's tables and writes into them; all of it inside the import's one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypedDict, cast

from cms.db.connection import Database
from cms.db.reader import ColumnValues
from cms.db.stores.content import TABLE, ContentTexts
from cms.db.stores.items import ItemStore

#: What the site has of a source, in batches; the sign keeps SQLite to the order of ids, so that nothing is sorted.
SELECT_KNOWN_ITEMS = """
SELECT c.id, c.type, c.source_id, c.mime_type, COALESCE(m.file, '') AS file, COALESCE(m.details, '{}') AS details,
    COALESCE(m.origin, '') AS origin
FROM content c LEFT JOIN media m ON m.content_id = c.id
WHERE +c.source_site = ? AND c.source_id IS NOT NULL AND c.id > ? ORDER BY c.id LIMIT 500
"""
SELECT_ITEM = "SELECT id, type FROM content WHERE source_site = ? AND source_id = ?"
SELECT_PARENT = "SELECT id FROM content WHERE source_site = ? AND source_id = ? AND type <> 'attachment'"
#: Items that wait for their parents, in batches; `<> 0` lets the index of parents serve.
SELECT_WAITING = """
SELECT id, parent_id, slug, status, source_id FROM content
WHERE parent_id <> 0 AND parent_id < 0 AND type = ? ORDER BY id LIMIT 500
"""
#: Texts of earlier imports of the same source, in batches.
SELECT_EARLIER_TEXTS = """
SELECT id, type, title, content, excerpt FROM content
WHERE +source_site = ? AND id > ? AND id <= ? ORDER BY id LIMIT 100
"""
SELECT_LAST_ID = "SELECT seq FROM sqlite_sequence WHERE name = 'content'"
INSERT_LAST_ID = "INSERT INTO sqlite_sequence (name, seq) VALUES ('content', ?)"
UPDATE_LAST_ID = "UPDATE sqlite_sequence SET seq = ? WHERE name = 'content'"
SELECT_ACCOUNT = """
SELECT id FROM users WHERE (source_site = ? AND source_id = ?) OR login = ? ORDER BY login = ? LIMIT 1
"""
SELECT_TERM = "SELECT id FROM terms WHERE taxonomy = ? AND slug = ?"
IS_UNUSED_TERM = """
SELECT 1 FROM terms WHERE id = ? AND version = 1 AND source_id IS NULL
AND NOT EXISTS (SELECT 1 FROM content_terms WHERE term_id = terms.id)
"""
HAS_COMMENT = "SELECT 1 FROM comments WHERE source_site = ? AND source_id = ?"


class KnownItem(TypedDict):
    """An item of content that the site has of the same source; `file`, `details` and `origin` are those of media."""

    id: int
    type: str
    source_id: str
    mime_type: str
    file: str
    details: str
    origin: str


class SourceItem(TypedDict):
    """An item that the site has of a source."""

    id: int
    type: str


class WaitingItem(TypedDict):
    """An item whose parent isn't known yet; `parent_id` is the parent's id in the export, below zero."""

    id: int
    parent_id: int
    slug: str
    status: str
    source_id: str


class ImportStore:
    """Find what an import meets again in the site, and add what is new; new rows have the version 1."""

    def __init__(self, database: Database, items: ItemStore) -> None:
        self._database, self._items = database, items

    # Items.

    def known_items(self, source: str) -> Iterator[KnownItem]:
        """Yield what the site has of a source, with the files of media, by id."""
        last = 0
        while rows := cast(list[KnownItem], self._database.rows(SELECT_KNOWN_ITEMS, (source, last))):
            yield from rows
            last = rows[-1]["id"]

    def find_item(self, source: str, source_id: str) -> SourceItem | None:
        """Return an item of any type by what it is recognised by in its source."""
        return cast(SourceItem | None, self._database.row(SELECT_ITEM, (source, source_id)))

    def find_parent(self, source: str, source_id: int) -> int | None:
        """Return the id of an item that isn't a file by its id in its source."""
        found: int | None = self._database.scalar(SELECT_PARENT, (source, str(source_id)))
        return found

    def last_item(self) -> int:
        """Return the highest id of content, 0 where there is none."""
        return int(self._database.scalar("SELECT COALESCE(MAX(id), 0) FROM content"))

    def reserve_items(self, assign: Callable[[int], int]) -> None:
        """Reserve ids of content: `assign` gets the last one that was used, and returns how many it takes."""
        last: int | None = self._database.scalar(SELECT_LAST_ID)
        if last is None:
            self._database.execute(INSERT_LAST_ID, (assign(0),))
        else:
            self._database.execute(UPDATE_LAST_ID, (last + assign(last),))

    def add_item(self, columns: ColumnValues) -> int:
        """Add an item and return its id."""
        return self._items.insert(TABLE, columns)

    def waiting(self, type: str) -> Iterator[WaitingItem]:
        """Yield the items of a type that wait; each must be placed before the next is asked for."""
        while rows := cast(list[WaitingItem], self._database.rows(SELECT_WAITING, (type,))):
            yield from rows

    def place(self, id: int, parent: int, slug: str) -> None:
        """Put a new item below its parent, 0 for none; its version stays."""
        self._database.update(TABLE, id, {"parent_id": parent, "slug": slug})

    def earlier_texts(self, source: str, last: int) -> Iterator[ContentTexts]:
        """Yield the texts of what the site has of a source, up to an id."""
        after = 0
        while rows := self._database.rows(SELECT_EARLIER_TEXTS, (source, after, last)):
            yield from cast(list[ContentTexts], rows)
            after = rows[-1]["id"]

    # Accounts, terms, comments.

    def find_account(self, source: str, login: str) -> int | None:
        """Return the account of an author of a source, rather than one that only has the same login."""
        found: int | None = self._database.scalar(SELECT_ACCOUNT, (source, login, login, login))
        return found

    def add_account(self, columns: ColumnValues) -> int:
        """Add an account and return its id."""
        return self._items.insert("users", columns)

    def find_term(self, taxonomy: str, slug: str) -> int | None:
        """Return the id of a term by its slug."""
        found: int | None = self._database.scalar(SELECT_TERM, (taxonomy, slug))
        return found

    def is_unused_term(self, id: int) -> bool:
        """Tell whether a term was never changed, imported or given to an item."""
        return self._database.exists(IS_UNUSED_TERM, (id,))

    def add_term(self, columns: ColumnValues) -> int:
        """Add a term and return its id."""
        return self._items.insert("terms", columns)

    def change_term(self, id: int, columns: ColumnValues) -> None:
        """Change a term that this import brings; its version stays."""
        self._database.update("terms", id, columns)

    def add_term_links(self, id: int, terms: Iterable[int]) -> None:
        """Give a new item its terms."""
        for term in terms:
            self._database.insert("content_terms", {"content_id": id, "term_id": term})

    def has_comment(self, source: str, source_id: str) -> bool:
        """Tell whether the site has a comment of a source."""
        return self._database.exists(HAS_COMMENT, (source, source_id))

    def add_comment(self, columns: ColumnValues) -> int:
        """Add a comment and return its id."""
        return self._items.insert("comments", columns)

    def set_reply(self, id: int, parent: int) -> None:
        """Let a new comment reply to another one; its version stays."""
        self._database.update("comments", id, {"parent_id": parent})
