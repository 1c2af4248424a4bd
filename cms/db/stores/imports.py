"""What an import asks of the site's tables and writes into them; all of it inside the import's one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypedDict, cast

from cms.db.connection import Database
from cms.db.expressions import UNKNOWN_PARENT
from cms.db.reader import ColumnValues
from cms.db.sqlite.words import UPDATE_IF_ALLOWED, by_no_index, json_with
from cms.db.stores.content import TABLE, ContentTexts
from cms.db.stores.items import ItemStore

#: What the site has of a source, in batches; the sign keeps SQLite to the order of ids, so that nothing is sorted.
SELECT_KNOWN_ITEMS = f"""
SELECT c.id, c.type, c.source_id, c.source_mark, c.mime_type, COALESCE(m.file, '') AS file,
    COALESCE(m.details, '{{}}') AS details, COALESCE(m.origin, '') AS origin
FROM content c LEFT JOIN media m ON m.content_id = c.id
WHERE {by_no_index("c.source_site")} = ? AND c.source_id IS NOT NULL AND c.id > ? ORDER BY c.id LIMIT 500
"""  # noqa: S608
#: Texts of all imports of a source, in batches.
SELECT_TEXTS = f"""
SELECT id, version, type, title, content, excerpt, meta FROM content
WHERE {by_no_index("source_site")} = ? AND id > ? ORDER BY id LIMIT 100
"""  # noqa: S608
DETACH_BELOW = f"""
{UPDATE_IF_ALLOWED} content SET parent_id = CASE WHEN type = 'attachment' THEN {UNKNOWN_PARENT} ELSE 0 END
WHERE parent_id = ? AND parent_id <> 0 RETURNING id
"""
DETACH_PICTURES = "UPDATE content SET featured_id = 0 WHERE featured_id = ? AND featured_id <> 0 RETURNING id"
SET_META = f"UPDATE content SET meta = {json_with('meta', '?', '?')}, version = version + 1 WHERE id = ?"  # noqa: S608
#: The values of plugins of a row, with the name of its resource, by table.
SELECT_VALUES = {
    "content": "SELECT type AS resource, version, meta FROM content WHERE id = ?",
    "terms": "SELECT taxonomy AS resource, version, meta FROM terms WHERE id = ?",
}
SELECT_ACCOUNT = """
SELECT id, version, source_site, source_id, source_mark FROM users
WHERE (source_site = ? AND source_id = ?) OR login = ? ORDER BY login = ? LIMIT 1
"""
#: By the index of those that were imported, which the last condition lets serve.
SELECT_ACCOUNT_BY_NUMBER = """
SELECT id FROM users WHERE source_site = ? AND source_mark = ? AND source_id IS NOT NULL
"""
SELECT_TERM = "SELECT id FROM terms WHERE taxonomy = ? AND slug = ?"
IS_UNUSED_TERM = """
SELECT 1 FROM terms WHERE id = ? AND version = 1 AND source_id IS NULL
AND NOT EXISTS (SELECT 1 FROM content_terms WHERE term_id = terms.id)
"""
#: A term that an import made of an item alone, and that nobody has changed since.
IS_NAMED_ONLY = (
    "SELECT 1 FROM terms WHERE id = ? AND source_site = ? AND source_mark = 'named' AND version = 1"
)
SELECT_TERM_BY_NUMBER = "SELECT id FROM terms WHERE taxonomy = ? AND source_site = ? AND source_id = ?"
NUMBER_TERM = "UPDATE terms SET source_site = ?, source_id = ? WHERE id = ? AND source_id IS NULL"
SELECT_COMMENTS = """
SELECT id, source_id, source_mark, date_gmt, author_name, author_email, content FROM comments
WHERE post_id = ? AND source_site = ? ORDER BY id
"""


class KnownItem(TypedDict):
    """An item of content that the site has of the same source; `file`, `details` and `origin` are those of media."""

    id: int
    type: str
    source_id: str
    source_mark: str | None
    mime_type: str
    file: str
    details: str
    origin: str


class ImportedTexts(ContentTexts):
    """The texts of an item, and the values of plugins."""

    version: int
    meta: str


class StoredValues(TypedDict):
    """The values of plugins of a row, and the resource that it is of."""

    resource: str
    version: int
    meta: str


class KnownAccount(TypedDict):
    """An account that may be an author's; `source_mark` is the author's number, None for one known from items alone."""

    id: int
    version: int
    source_site: str | None
    source_id: str | None
    source_mark: str | None


class KnownComment(TypedDict):
    """A comment that the site has of a source."""

    id: int
    source_id: str | None
    source_mark: str | None
    date_gmt: str
    author_name: str
    author_email: str
    content: str


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

    def add_item(self, columns: ColumnValues) -> int:
        """Add an item and return its id."""
        return self._items.insert(TABLE, columns)

    def place(self, id: int, parent: int, slug: str) -> None:
        """Put a new item below its parent, 0 for none; its version stays."""
        self._database.update(TABLE, id, {"parent_id": parent, "slug": slug})

    def texts(self, source: str) -> Iterator[ImportedTexts]:
        """Yield the texts and values of what the site has of a source, by id."""
        after = 0
        while rows := self._database.rows(SELECT_TEXTS, (source, after)):
            yield from cast(list[ImportedTexts], rows)
            after = rows[-1]["id"]

    def detach(self, id: int) -> tuple[list[int], list[int]]:
        """Take out an id that no item has after all; return what was below it, and what it stood for as a picture."""
        return self._database.column(DETACH_BELOW, (id,)), self._database.column(DETACH_PICTURES, (id,))

    def set_meta(self, id: int, name: str, value: str) -> None:
        """Set a value of an item and raise its version."""
        self._database.execute(SET_META, (f'$."{name}"', value, id))

    def find_values(self, table: str, id: int) -> StoredValues | None:
        """Return the values of plugins of an item or a term."""
        return cast(StoredValues | None, self._database.row(SELECT_VALUES[table], (id,)))

    def change_values(self, table: str, id: int, version: int, meta: str) -> None:
        """Replace the values of plugins of an item or a term that were read with a version, and raise this.

        Raises MergeConflict where somebody has changed the row since.
        """
        self._items.update_read(table, id, version, {"meta": meta})

    # Accounts, terms, comments.

    def find_account(self, source: str, login: str) -> KnownAccount | None:
        """Return the account of an author of a source, rather than one that only has the same login."""
        row = self._database.row(SELECT_ACCOUNT, (source, login, login, login))
        return cast(KnownAccount | None, row)

    def find_account_by_number(self, source: str, number: int) -> int | None:
        """Return the account of an author that a source has a number for."""
        found: int | None = self._database.scalar(SELECT_ACCOUNT_BY_NUMBER, (source, str(number)))
        return found

    def change_account(self, id: int, columns: ColumnValues) -> None:
        """Change an account that was known from items alone; its version stays."""
        self._database.update("users", id, columns)

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

    def is_named_only(self, id: int, source: str) -> bool:
        """Tell whether a term is known from items of a source alone."""
        return self._database.exists(IS_NAMED_ONLY, (id, source))

    def find_term_by_number(self, taxonomy: str, source: str, number: int) -> int | None:
        """Return the id of a term by its number in a source."""
        found: int | None = self._database.scalar(SELECT_TERM_BY_NUMBER, (taxonomy, source, str(number)))
        return found

    def number_term(self, id: int, source: str, number: int) -> None:
        """Note the number that a source has for a term which no source has numbered yet; its version stays."""
        self._database.execute(NUMBER_TERM, (source, str(number), id))

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

    def comments(self, post: int, source: str) -> list[KnownComment]:
        """Return the comments on an item that came from a source."""
        return cast(list[KnownComment], self._database.rows(SELECT_COMMENTS, (post, source)))

    def add_comment(self, columns: ColumnValues) -> int:
        """Add a comment and return its id."""
        return self._items.insert("comments", columns)

    def set_reply(self, id: int, parent: int) -> None:
        """Let a new comment reply to another one; its version stays."""
        self._database.update("comments", id, {"parent_id": parent})
