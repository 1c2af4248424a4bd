"""The statements on menus and their items, which lie in the core's tables of terms and content."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypedDict, cast

import orjson
from peewee import fn

from cms.plugin import Content, Database, TermRow, scheduled

from .entries import POST_TYPE
from .names import LAST_PLACE

SELECT_MENUS = "SELECT id, meta FROM terms WHERE taxonomy = 'nav_menu' ORDER BY id"
SELECT_TERMS = "SELECT * FROM terms WHERE id IN (SELECT value FROM json_each(?))"
SELECT_LAST_PLACE = """
SELECT COALESCE(MAX(c.menu_order), 0) FROM content_terms l JOIN content c ON c.id = l.content_id
WHERE l.term_id = ? AND c.type = 'nav_menu_item'
"""
#: Menus that new pages join, unless an item points at the page already.
SELECT_JOINED = """
SELECT t.id FROM terms t WHERE t.taxonomy = 'nav_menu' AND json_extract(t.meta, '$.auto_add') AND NOT EXISTS (
    SELECT 1 FROM content_terms l JOIN content c ON c.id = l.content_id
    WHERE l.term_id = t.id AND c.type = 'nav_menu_item' AND json_extract(c.meta, '$._menu_item_type') = 'post_type'
    AND json_extract(c.meta, '$._menu_item_object_id') = ?)
"""
SELECT_ITEMS = """
SELECT c.id FROM content_terms l JOIN content c ON c.id = l.content_id WHERE l.term_id = ? AND c.type = 'nav_menu_item'
"""
DELETE_TERMS = "DELETE FROM content_terms WHERE content_id IN (SELECT value FROM json_each(?))"
DELETE_ITEMS = "DELETE FROM content WHERE id IN (SELECT value FROM json_each(?))"
UPDATE_PARENTS = """
UPDATE content SET meta = json_set(meta, '$._menu_item_menu_item_parent', CAST(parent_id AS TEXT))
WHERE type = 'nav_menu_item' AND json_extract(meta, '$._menu_item_menu_item_parent') = ?
"""
SELECT_IMPORTED = """
SELECT c.id, c.type, c.source_id, (SELECT l.term_id FROM content_terms l WHERE l.content_id = c.id) AS menu
FROM content c WHERE c.source_site = ? AND c.source_id IN (SELECT value FROM json_each(?))
"""


class MenuRow(TypedDict):
    """A menu: its id as a term, and the values of its fields as JSON."""

    id: int
    meta: str


class ImportedRow(TypedDict):
    """An item of content that an import brought; `menu` is one of its terms, None where it has none."""

    id: int
    type: str
    source_id: str
    menu: int | None


class MenuStore:
    """Read and write menus and their items."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def menus(self) -> list[MenuRow]:
        """Return all menus, by id."""
        return cast(list[MenuRow], self._database.rows(SELECT_MENUS))

    def terms(self, ids: Iterable[int]) -> list[TermRow]:
        """Return terms of any taxonomy by their ids."""
        return cast(list[TermRow], self._database.rows(SELECT_TERMS, (_json(ids),)))

    def next_place(self, menu: int) -> int:
        """Return the place behind the last item of a menu; behind the last of all places that one is shared."""
        return min(int(self._database.scalar(SELECT_LAST_PLACE, (menu,))) + 1, LAST_PLACE)

    def menus_joined_by(self, page: int) -> list[int]:
        """Return the menus that new pages join and that have no item for this page yet."""
        return self._database.column(SELECT_JOINED, (str(page),))

    def delete_items(self, menu: int) -> None:
        """Delete all items of a menu."""
        ids = _json(self._database.column(SELECT_ITEMS, (menu,)))
        self._database.execute(DELETE_TERMS, (ids,))
        self._database.execute(DELETE_ITEMS, (ids,))

    def update_parents(self, item: int) -> None:
        """Write into the items that named this one as their parent which they have now."""
        self._database.execute(UPDATE_PARENTS, (str(item),))

    def imported(self, source: str, names: Iterable[str]) -> list[ImportedRow]:
        """Return what imports of a source brought under these names."""
        return cast(list[ImportedRow], self._database.rows(SELECT_IMPORTED, (source, _json(names))))

    def finish_imported(self, item: int, parent: int, meta: Mapping[str, Any]) -> None:
        """Store the parent and the own part of an item that an import has just brought; its version stays."""
        columns = {"parent_id": parent, "meta": orjson.dumps(meta).decode()}
        self._database.update("content", item, columns)


def leads_to_public(statuses: Collection[str]) -> Any:
    """Build the condition that a menu item points at no item of content that isn't public; `now` is bound.

    `statuses` are those in which content is public.
    """
    target = Content.alias()
    points_at_content = fn.json_extract(Content.meta, "$._menu_item_type") == POST_TYPE
    id = fn.json_extract(Content.meta, "$._menu_item_object_id").cast("integer")
    is_hidden = target.status.not_in(sorted(statuses)) | scheduled(target)
    return ~fn.EXISTS(target.select(target.id).where(points_at_content, target.id == id, is_hidden))


def _json(values: Iterable[object]) -> str:
    return orjson.dumps(list(values)).decode()
