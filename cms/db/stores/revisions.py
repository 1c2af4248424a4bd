"""Revisions of content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from cms.db.connection import Database
from cms.db.models import RevisionRow
from cms.db.reader import ColumnValues
from cms.db.stores.content import ContentTexts

SELECT_LATEST = "SELECT * FROM revisions WHERE parent_id = ? ORDER BY id DESC LIMIT 1"
SELECT_OF_ITEM = "SELECT * FROM revisions WHERE parent_id = ? ORDER BY id DESC LIMIT ? OFFSET ?"
SELECT_BEFORE = "SELECT * FROM revisions WHERE parent_id = ? AND id < ? ORDER BY id DESC LIMIT ?"
COUNT_OF_ITEM = "SELECT COUNT(*) FROM revisions WHERE parent_id = ?"
SELECT_STALE = """
SELECT r.id, r.title, r.content, r.excerpt, coalesce(c.type, '') AS type
FROM revisions r LEFT JOIN content c ON c.id = r.parent_id
WHERE r.id > ? AND r.rendered_by <> ? ORDER BY r.id LIMIT ?
"""
UPDATE_RENDERED = """
UPDATE revisions SET rendered_by = :rendered_by, title_html = :title_html, content_html = :content_html,
    excerpt_html = :excerpt_html
WHERE id = :id
"""
SELECT_REVISION = "SELECT * FROM revisions WHERE id = ?"
DELETE_OLDEST = """
DELETE FROM revisions WHERE parent_id = ? AND id NOT IN (
    SELECT id FROM revisions WHERE parent_id = ? ORDER BY id DESC LIMIT ?)
"""


class RevisionStore:
    """Read and write rows of the table of revisions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, id: int) -> RevisionRow | None:
        """Return a revision by its id."""
        return cast(RevisionRow | None, self._database.row(SELECT_REVISION, (id,)))

    def latest(self, parent: int) -> RevisionRow | None:
        """Return the latest revision of an item."""
        return cast(RevisionRow | None, self._database.row(SELECT_LATEST, (parent,)))

    def of_item(self, parent: int, limit: int, offset: int) -> list[RevisionRow]:
        """Return revisions of an item, the newest first."""
        return cast(list[RevisionRow], self._database.rows(SELECT_OF_ITEM, (parent, limit, offset)))

    def before(self, parent: int, ids: Sequence[int], limit: int) -> list[RevisionRow]:
        """Return revisions of an item that are older than an id, the newest first; without one the newest of all."""
        if not ids:
            return self.of_item(parent, limit, 0)
        return cast(list[RevisionRow], self._database.rows(SELECT_BEFORE, (parent, ids[0], limit)))

    def count_of_item(self, parent: int) -> int:
        """Return how many revisions an item has."""
        return int(self._database.scalar(COUNT_OF_ITEM, (parent,)))

    def stale(self, after: int, rendering_version: str, limit: int) -> list[ContentTexts]:
        """Return texts whose HTML is of other rules than these, by id, those after an id."""
        return cast(list[ContentTexts], self._database.rows(SELECT_STALE, (after, rendering_version, limit)))

    def store_rendered(self, id: int, columns: dict[str, str]) -> None:
        """Store the HTML of a revision."""
        self._database.execute(UPDATE_RENDERED, {**columns, "id": id})

    def add(self, values: ColumnValues) -> None:
        """Store a revision under an id of the sequence of content, so that an id never names both."""
        self._database.insert("revisions", {"id": self._database.sequences.take_next("content"), **values})

    def delete(self, id: int) -> None:
        """Delete a revision."""
        self._database.execute("DELETE FROM revisions WHERE id = ?", (id,))

    def delete_oldest(self, parent: int, number: int) -> None:
        """Delete all revisions of an item but the newest ones."""
        self._database.execute(DELETE_OLDEST, (parent, parent, number))
