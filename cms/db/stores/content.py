"""Items of content: looking them up, their place below others, what goes with them when they are deleted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict, cast

from cms.db.connection import Database
from cms.db.expressions import PARENT
from cms.db.json_lists import json_list
from cms.db.models import ContentRow
from cms.db.reader import Reader
from cms.db.sqlite.words import LISTED, by_no_index, elements
from cms.db.stores.items import ItemStore

TABLE = "content"
#: More levels than anybody has, so that a circle in the data comes to an end.
MAX_LEVELS = 100
SELECT_ITEM = "SELECT * FROM content WHERE id = ?"
#: Why by no index of types: see `of_type`.
SELECT_OF_TYPE = f"SELECT * FROM content WHERE id = ? AND {by_no_index('type')} = ?"  # noqa: S608
HAS_ITEM = f"SELECT 1 FROM content WHERE id = ? AND {by_no_index('type')} = ?"  # noqa: S608
SELECT_ITEMS = f"SELECT * FROM content WHERE id IN {LISTED}"  # noqa: S608
#: Items, each with what it inherits its visibility from as the column `parent`.
SELECT_WITH_PARENTS = f"""
SELECT *, {PARENT.format(row="c")} AS parent FROM content c WHERE id IN {LISTED}
"""  # noqa: S608 (our own text)
SELECT_TEXTS = f"""
SELECT id, type, title, content, excerpt FROM content WHERE id IN {LISTED}
"""  # noqa: S608
SELECT_STALE = """
SELECT id, version, type, title, content, excerpt FROM content WHERE id > ? AND rendered_by <> ? ORDER BY id LIMIT ?
"""
SELECT_ANCESTORS = f"""
WITH RECURSIVE above (leaf, level, id, parent_id) AS (
    SELECT item.id, 1, up.id, up.parent_id FROM content AS item JOIN content AS up ON up.id = item.parent_id
    WHERE item.id IN {LISTED}
    UNION ALL
    SELECT leaf, level + 1, up.id, up.parent_id
    FROM above JOIN content AS up ON up.id = above.parent_id WHERE level < {MAX_LEVELS}
)
SELECT leaf, c.id, c.type, c.slug, c.status, c.trashed_status, c.author_id, c.date_gmt
FROM above JOIN content AS c ON c.id = above.id ORDER BY level DESC
"""  # noqa: S608 (a number of ours)
#: That there is a parent is what the index of children asks for.
SELECT_CHILDREN = "SELECT * FROM content WHERE parent_id = ? AND parent_id <> 0"
#: For each type the index is asked for one date.
NEXT_PUBLICATION = f"""
SELECT MIN((SELECT MIN(date_gmt) FROM content WHERE type = t.value AND status = 'publish' AND date_gmt > :now))
FROM {elements(":types")} t
"""  # noqa: S608
SELECT_FEATURING = "SELECT id FROM content WHERE featured_id = ? AND featured_id <> 0"
UPDATE_RENDERED = """
UPDATE content SET rendered_by = :rendered_by, title_html = :title_html, content_html = :content_html,
    excerpt_html = :excerpt_html
WHERE id = :id AND version = :version
"""
REASSIGN = "UPDATE content SET author_id = ?, version = version + 1 WHERE author_id = ?"


class ContentTexts(TypedDict):
    """The texts of an item, with its type."""

    id: int
    type: str
    title: str
    content: str
    excerpt: str


class StaleContent(ContentTexts):
    """The texts of an item whose HTML is of older rules."""

    version: int


class ContentWithParent(ContentRow):
    """An item with what it inherits its visibility from: JSON, None where it inherits from nothing."""

    parent: str | None


class Ancestor(TypedDict):
    """An item above another one, which is `leaf`, with what tells who may read it."""

    leaf: int
    id: int
    type: str
    slug: str
    status: str
    trashed_status: str
    author_id: int
    date_gmt: str


class ContentStore:
    """Read and write rows of the table of content."""

    def __init__(self, database: Database, items: ItemStore) -> None:
        self._database, self._items = database, items

    def find(self, id: int, type: str | None = None) -> ContentRow | None:
        """Return an item by its id, of this type alone if one is named."""
        if type is None:
            return cast(ContentRow | None, self._database.row(SELECT_ITEM, (id,)))
        return cast(ContentRow | None, self._database.row(SELECT_OF_TYPE, (id, type)))

    def exists(self, id: int, type: str) -> bool:
        """Tell whether there is an item of a type with an id."""
        return self._database.exists(HAS_ITEM, (id, type))

    def many(self, ids: Iterable[int]) -> dict[int, ContentRow]:
        """Return items by their ids."""
        wanted = list(ids)
        if not wanted:
            return {}
        rows = cast(list[ContentRow], self._database.rows(SELECT_ITEMS, (json_list(wanted),)))
        return {row["id"]: row for row in rows}

    def with_parents(self, ids: Iterable[int]) -> dict[int, ContentWithParent]:
        """Return items by their ids, each with the column `parent`."""
        rows = cast(list[ContentWithParent], self._database.rows(SELECT_WITH_PARENTS, (json_list(ids),)))
        return {row["id"]: row for row in rows}

    def texts(self, ids: Iterable[int]) -> list[ContentTexts]:
        """Return the texts of items."""
        return cast(list[ContentTexts], self._database.rows(SELECT_TEXTS, (json_list(ids),)))

    def stale(self, after: int, rendering_version: str, limit: int) -> list[StaleContent]:
        """Return texts whose HTML is of other rules than these, by id, those after an id."""
        return cast(list[StaleContent], self._database.rows(SELECT_STALE, (after, rendering_version, limit)))

    def store_rendered(self, id: int, version: int, columns: dict[str, str]) -> None:
        """Store the HTML of an item, unless the item was written meanwhile; its version stays."""
        self._database.execute(UPDATE_RENDERED, {**columns, "id": id, "version": version})

    def ancestors(self, ids: Iterable[int], reader: Reader | None = None) -> list[Ancestor]:
        """Return what is above items, from the top down; read from `reader` in place of the site's database."""
        source = reader or self._database
        return cast(list[Ancestor], source.rows(SELECT_ANCESTORS, (json_list(ids),)))

    def children(self, id: int) -> list[ContentRow]:
        """Return what is right below an item."""
        return cast(list[ContentRow], self._database.rows(SELECT_CHILDREN, (id,)))

    def move(self, id: int, parent: int, slug: str) -> None:
        """Put an item below another parent, under a slug that is free there."""
        self._items.update(TABLE, id, {"parent_id": parent, "slug": slug})

    def next_publication(self, types: Sequence[str], now: str) -> str | None:
        """Return when the next scheduled item of these types becomes visible, None where none is scheduled."""
        found: str | None = self._database.scalar(NEXT_PUBLICATION, {"types": json_list(types), "now": now})
        return found

    def set_slug(self, id: int, slug: str) -> None:
        """Give a new item its slug; its version stays."""
        self._database.update(TABLE, id, {"slug": slug})

    def delete_dependents(self, id: int) -> None:
        """Delete what is an item's own, and let it be the featured picture of nothing any more."""
        self._database.execute("DELETE FROM content_terms WHERE content_id = ?", (id,))
        self._database.execute("DELETE FROM comments WHERE post_id = ?", (id,))
        self._database.execute("DELETE FROM revisions WHERE parent_id = ?", (id,))
        for other in self._database.column(SELECT_FEATURING, (id,)):
            self._items.update(TABLE, other, {"featured_id": 0})

    def reassign(self, author: int, heir: int) -> None:
        """Give all that an account wrote to another one, comments excepted."""
        self._database.execute(REASSIGN, (heir, author))
        self._database.execute("UPDATE revisions SET author_id = ? WHERE author_id = ?", (heir, author))
