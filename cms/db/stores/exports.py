"""What an export reads: the whole site, row by row, from the snapshot that it is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict, cast

from cms.db.models import AwaitedRow, CommentRow, ContentRow, TermRow, UserRow
from cms.db.reader import Reader, Row

SELECT_ITEMS = """
SELECT c.*, u.login, m.file, m.origin, m.alt_text,
    EXISTS (SELECT 1 FROM content_terms l WHERE l.content_id = c.id) AS has_terms,
    EXISTS (SELECT 1 FROM comments o WHERE o.post_id = c.id) AS has_comments,
    EXISTS (SELECT 1 FROM old_slugs s WHERE s.content_id = c.id) AS has_old_slugs,
    EXISTS (SELECT 1 FROM awaited w WHERE w.holder = 'content' AND w.holder_id = c.id) AS is_awaiting
FROM content c JOIN users u ON u.id = c.author_id LEFT JOIN media m ON m.content_id = c.id ORDER BY c.id
"""
SELECT_TERMS_OF_ITEM = """
SELECT t.taxonomy, t.slug, t.name FROM content_terms l JOIN terms t ON t.id = l.term_id
WHERE l.content_id = ? ORDER BY t.id
"""
SELECT_COMMENTS_OF_ITEM = """
SELECT c.*, EXISTS (SELECT 1 FROM awaited w WHERE w.holder = 'comments' AND w.holder_id = c.id) AS is_awaiting
FROM comments c WHERE c.post_id = ? ORDER BY c.id
"""
#: A comment that another one answers comes on an item of its own source alone, and so not where this export goes.
SELECT_AWAITED = "SELECT * FROM awaited WHERE holder = ? AND holder_id = ? AND kind <> 'comment' ORDER BY id"
SELECT_ACCOUNTS = "SELECT * FROM users ORDER BY id"
SELECT_TAXONOMIES = "SELECT DISTINCT taxonomy FROM terms ORDER BY taxonomy"
SELECT_TERMS = """
SELECT t.*, p.slug AS parent_slug,
    EXISTS (SELECT 1 FROM awaited w WHERE w.holder = 'terms' AND w.holder_id = t.id) AS is_awaiting
FROM terms t LEFT JOIN terms p ON p.id = t.parent_id WHERE t.taxonomy = ? ORDER BY t.id
"""
SELECT_TERM = """
SELECT t.*, p.slug AS parent_slug,
    EXISTS (SELECT 1 FROM awaited w WHERE w.holder = 'terms' AND w.holder_id = t.id) AS is_awaiting
FROM terms t LEFT JOIN terms p ON p.id = t.parent_id WHERE t.taxonomy = ? AND t.id = ?
"""


class ExportedItem(ContentRow):
    """An item with its author's login and its file, None for what isn't a file; the last four are 0 or 1."""

    login: str
    file: str | None
    origin: str | None
    alt_text: str | None
    has_terms: int
    has_comments: int
    has_old_slugs: int
    is_awaiting: int


class ExportedTerm(TermRow):
    """A term with the slug of its parent, None where it has none."""

    parent_slug: str | None
    is_awaiting: int


class ExportedComment(CommentRow):
    """A comment; `is_awaiting` is 1 where it refers to what isn't here."""

    is_awaiting: int


class TermOfItem(TypedDict):
    """A term as its items name it."""

    taxonomy: str
    slug: str
    name: str


class ExportStore:
    """Read all of a site from one snapshot; no method has all rows in memory at once, but for those of one item."""

    def __init__(self, reader: Reader) -> None:
        #: For what other stores read of the same snapshot.
        self.reader = reader

    def options(self) -> list[Row]:
        """Return name and value (JSON) of every setting that was ever written."""
        return self.reader.rows("SELECT name, value FROM options")

    def accounts(self) -> Iterator[UserRow]:
        """Yield every account by id."""
        return cast(Iterator[UserRow], self.reader.each(SELECT_ACCOUNTS))

    def taxonomies(self) -> list[str]:
        """Return the names of the taxonomies that have terms."""
        return self.reader.column(SELECT_TAXONOMIES)

    def terms(self, taxonomy: str) -> Iterator[ExportedTerm]:
        """Yield the terms of a taxonomy by id."""
        return cast(Iterator[ExportedTerm], self.reader.each(SELECT_TERMS, (taxonomy,)))

    def find_term(self, taxonomy: str, id: int) -> ExportedTerm | None:
        """Return a term of a taxonomy by its id."""
        return cast(ExportedTerm | None, self.reader.row(SELECT_TERM, (taxonomy, id)))

    def count_items(self) -> int:
        """Return how many items there are, of all types."""
        return int(self.reader.scalar("SELECT COUNT(*) FROM content"))

    def items(self) -> Iterator[ExportedItem]:
        """Yield every item by id."""
        return cast(Iterator[ExportedItem], self.reader.each(SELECT_ITEMS))

    def terms_of(self, id: int) -> list[TermOfItem]:
        """Return the terms of an item by id."""
        return cast(list[TermOfItem], self.reader.rows(SELECT_TERMS_OF_ITEM, (id,)))

    def old_slugs_of(self, id: int) -> list[str]:
        """Return the slugs that an item had before."""
        return self.reader.column("SELECT slug FROM old_slugs WHERE content_id = ? ORDER BY slug", (id,))

    def awaited_by(self, table: str, id: int) -> list[list[str]]:
        """Return the references of a row to what isn't here: field, source, kind and name of each."""
        rows = cast(list[AwaitedRow], self.reader.rows(SELECT_AWAITED, (table, id)))
        return [[row["field"], row["source_site"], row["kind"], row["name"]] for row in rows]

    def comments_of(self, id: int) -> Iterator[ExportedComment]:
        """Yield the comments on an item by id."""
        return cast(Iterator[ExportedComment], self.reader.each(SELECT_COMMENTS_OF_ITEM, (id,)))
