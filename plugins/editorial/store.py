"""The plugin's own tables: autosaves, and the secrets that links to previews are signed with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict, cast

import orjson

from cms.plugin import Database, words

SELECT_OF_ITEM = "SELECT * FROM autosaves WHERE parent_id = ? ORDER BY date_gmt DESC, id DESC"
SELECT_AUTOSAVE = "SELECT * FROM autosaves WHERE id = ? AND parent_id = ?"
SELECT_ID_OF_ACCOUNT = "SELECT id FROM autosaves WHERE parent_id = ? AND author_id = ?"
DELETE_OF_ACCOUNT = "DELETE FROM autosaves WHERE parent_id = ? AND author_id = ?"
REPLACE_AUTOSAVE = """
INSERT INTO autosaves (id, parent_id, author_id, date_gmt, title, content, excerpt,
    title_html, content_html, excerpt_html, rendered_by)
VALUES (:id, :parent_id, :author_id, :date_gmt, :title, :content, :excerpt,
    :title_html, :content_html, :excerpt_html, :rendered_by)
ON CONFLICT (id) DO UPDATE SET parent_id = excluded.parent_id, author_id = excluded.author_id,
    date_gmt = excluded.date_gmt, title = excluded.title, content = excluded.content, excerpt = excluded.excerpt,
    title_html = excluded.title_html, content_html = excluded.content_html, excerpt_html = excluded.excerpt_html,
    rendered_by = excluded.rendered_by
"""
INSERT_SECRET = "INSERT INTO preview_secrets (content_id, secret) VALUES (?, ?) ON CONFLICT DO NOTHING"  # noqa: S105
SELECT_SECRET = "SELECT secret FROM preview_secrets WHERE content_id = ?"  # noqa: S105
DELETE_SECRET = "DELETE FROM preview_secrets WHERE content_id = ?"  # noqa: S105
SELECT_TAXONOMIES = f"SELECT taxonomy, id FROM terms WHERE id IN {words.LISTED}"  # noqa: S608


class AutosaveRow(TypedDict):
    """A row of the table of autosaves; `parent_id` is the item's id."""

    id: int
    parent_id: int
    author_id: int
    date_gmt: str
    title: str
    content: str
    excerpt: str
    title_html: str
    content_html: str
    excerpt_html: str
    rendered_by: str


class AutosaveStore:
    """Read and write autosaves, one for each account and item."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_item(self, item: int) -> list[AutosaveRow]:
        """Return all autosaves of an item, the newest first."""
        return cast(list[AutosaveRow], self._database.rows(SELECT_OF_ITEM, (item,)))

    def find(self, id: int, item: int) -> AutosaveRow | None:
        """Return an autosave of an item by its id."""
        return cast(AutosaveRow | None, self._database.row(SELECT_AUTOSAVE, (id, item)))

    def id_for(self, item: int, account: int) -> int:
        """Return the id of an account's autosave of an item, or a new one of the sequence of content.

        An id never names both an autosave and a post.
        """
        present: int | None = self._database.scalar(SELECT_ID_OF_ACCOUNT, (item, account))
        return self._database.reserve_id("content") if present is None else present

    def replace(self, autosave: AutosaveRow) -> None:
        """Store an autosave in place of the one with the same id."""
        self._database.execute(REPLACE_AUTOSAVE, autosave)

    def delete(self, item: int, account: int) -> None:
        """Delete an account's autosave of an item."""
        self._database.execute(DELETE_OF_ACCOUNT, (item, account))


class SecretStore:
    """Read and write the secrets of previews, one for each item that has links."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, item: int) -> str | None:
        """Return an item's secret."""
        found: str | None = self._database.scalar(SELECT_SECRET, (item,))
        return found

    def find_or_add(self, item: int, new: str) -> str:
        """Return an item's secret, which becomes the new one where it has none."""
        self._database.execute(INSERT_SECRET, (item, new))
        return str(self.find(item))

    def delete(self, item: int) -> bool:
        """Delete an item's secret; return whether it had one."""
        return self._database.execute(DELETE_SECRET, (item,)) > 0


def terms_by_taxonomy(database: Database, ids: Iterable[int]) -> dict[str, list[int]]:
    """Return by taxonomy those of the ids that are ids of terms."""
    found: dict[str, list[int]] = {}
    for taxonomy, id in database.tuples(SELECT_TAXONOMIES, (orjson.dumps(list(ids)).decode(),)):
        found.setdefault(taxonomy, []).append(id)
    return found
