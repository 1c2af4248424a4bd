"""Comments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict, cast

from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.models import CommentRow
from cms.db.reader import ColumnValues
from cms.db.sqlite.words import elements, ignoring_case
from cms.db.stores.items import ItemStore

SELECT_HAVING_REPLIES = f"""
SELECT id FROM (SELECT CAST(value AS INTEGER) AS id FROM {elements("?")}) wanted
WHERE EXISTS (SELECT 1 FROM comments WHERE parent_id = wanted.id AND status = 'approved')
"""  # noqa: S608
SELECT_STALE = """
SELECT id, version, content FROM comments WHERE id > ? AND rendered_by <> ? ORDER BY id LIMIT ?
"""
UPDATE_RENDERED = """
UPDATE comments SET rendered_by = :rendered_by, content_html = :content_html WHERE id = :id AND version = :version
"""
SELECT_OF_VISITOR = f"""
SELECT 1 FROM comments
WHERE author_id = 0 AND status = 'approved' AND author_name = ? AND author_email = {ignoring_case("?")}
"""  # noqa: S608
#: What two comments have in common that say the same.
REPEATED = ("post_id", "parent_id", "author_id", "author_name", "author_email", "content")


class StaleComment(TypedDict):
    """A comment whose HTML is of older rules."""

    id: int
    version: int
    content: str


class CommentStore:
    """Read and write rows of the table of comments."""

    def __init__(self, database: Database, items: ItemStore) -> None:
        self._database, self._items = database, items

    def having_replies(self, ids: Iterable[int]) -> set[int]:
        """Return which comments have approved replies."""
        return set(self._database.column(SELECT_HAVING_REPLIES, (json_list(ids),)))

    def is_repeated(self, values: ColumnValues) -> bool:
        """Tell whether there is a comment that says the same, those in the trash apart."""
        where = " AND ".join(f"{name} = ?" for name in REPEATED)
        sql = f"SELECT 1 FROM comments WHERE {where} AND status <> 'trash'"  # noqa: S608 (our own names)
        return self._database.exists(sql, [values[name] for name in REPEATED])

    def has_approved(self, author: int) -> bool:
        """Tell whether an account has an approved comment."""
        sql = "SELECT 1 FROM comments WHERE author_id = ? AND status = 'approved'"
        return self._database.exists(sql, (author,))

    def has_approved_visitor(self, name: str, email: str) -> bool:
        """Tell whether there is an approved comment by somebody without an account of this name and address."""
        return bool(name and email) and self._database.exists(SELECT_OF_VISITOR, (name, email))

    def lift_replies(self, comment: CommentRow) -> None:
        """Let the replies to a comment reply to what it replied to."""
        for reply in self._database.column("SELECT id FROM comments WHERE parent_id = ?", (comment["id"],)):
            self._items.update("comments", reply, {"parent_id": comment["parent_id"]})

    def release(self, author: int) -> None:
        """Let an account's comments be nobody's; name and address stay."""
        sql = "UPDATE comments SET author_id = 0, version = version + 1 WHERE author_id = ?"
        self._database.execute(sql, (author,))

    def stale(self, after: int, rendering_version: str, limit: int) -> list[StaleComment]:
        """Return comments whose HTML is of other rules than these, by id, those after an id."""
        return cast(list[StaleComment], self._database.rows(SELECT_STALE, (after, rendering_version, limit)))

    def store_rendered(self, id: int, version: int, columns: dict[str, str]) -> None:
        """Store the HTML of a comment, unless the comment was written meanwhile; its version stays."""
        self._database.execute(UPDATE_RENDERED, {**columns, "id": id, "version": version})
