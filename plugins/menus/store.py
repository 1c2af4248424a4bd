"""The statements on menus and their items, which lie in the core's tables of terms and content."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypedDict, cast

import orjson

from cms.plugin import Content, Database, Term, TermRow, words

from .entries import AWAITING, POST_TYPE, TAXONOMY
from .names import ITEM, LAST_PLACE

SELECT_MENUS = "SELECT id, meta FROM terms WHERE taxonomy = 'nav_menu' ORDER BY id"
SELECT_TERMS = f"SELECT * FROM terms WHERE id IN {words.LISTED}"  # noqa: S608
SELECT_LAST_PLACE = """
SELECT COALESCE(MAX(c.menu_order), 0) FROM content_terms l JOIN content c ON c.id = l.content_id
WHERE l.term_id = ? AND c.type = 'nav_menu_item'
"""
#: Menus that new pages join, unless an item points at the page already.
SELECT_JOINED = f"""
SELECT t.id FROM terms t WHERE t.taxonomy = 'nav_menu'
AND CAST({words.json_value("t.meta", "auto_add")} AS INTEGER) = 1 AND NOT EXISTS (
    SELECT 1 FROM content_terms l JOIN content c ON c.id = l.content_id
    WHERE l.term_id = t.id AND c.type = 'nav_menu_item'
    AND {words.json_value("c.meta", "_menu_item_type")} = 'post_type'
    AND {words.json_value("c.meta", "_menu_item_object_id")} = ?)
"""  # noqa: S608
SELECT_ITEMS = """
SELECT c.id FROM content_terms l JOIN content c ON c.id = l.content_id WHERE l.term_id = ? AND c.type = 'nav_menu_item'
"""
DELETE_TERMS = f"DELETE FROM content_terms WHERE content_id IN {words.LISTED}"  # noqa: S608
DELETE_ITEMS = f"DELETE FROM content WHERE id IN {words.LISTED}"  # noqa: S608
MOVED = words.json_with("meta", "'$._menu_item_menu_item_parent'", "CAST(parent_id AS TEXT)")
UPDATE_PARENTS = f"""
UPDATE content SET meta = {MOVED}
WHERE type = 'nav_menu_item' AND {words.json_value("meta", "_menu_item_menu_item_parent")} = ?
"""  # noqa: S608
SELECT_POINTING = f"""
SELECT id FROM content WHERE type = 'nav_menu_item' AND {words.json_value("meta", "_menu_item_type")} = ?
AND {words.json_value("meta", "_menu_item_object_id")} = ?
"""  # noqa: S608
SELECT_IMPORTED = f"""
SELECT c.id, c.type, c.source_id, (SELECT l.term_id FROM content_terms l WHERE l.content_id = c.id) AS menu
FROM content c WHERE c.source_site = ? AND c.source_id IN {words.LISTED}
"""  # noqa: S608


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

    def pointing_at(self, kind: str, id: int) -> list[int]:
        """Return the menu items that point at an item of content or a term, as `kind` says."""
        return self._database.column(SELECT_POINTING, (kind, str(id)))

    def imported(self, source: str, names: Iterable[str]) -> list[ImportedRow]:
        """Return what imports of a source brought under these names."""
        return cast(list[ImportedRow], self._database.rows(SELECT_IMPORTED, (source, _json(names))))

    def finish_imported(self, item: int, parent: int, meta: Mapping[str, Any]) -> None:
        """Store the parent and the own part of an item that an import has just brought; its version stays."""
        columns = {"parent_id": parent, "meta": orjson.dumps(meta).decode()}
        self._database.update("content", item, columns)


def leads_somewhere() -> Any:
    """Build the condition that a menu item doesn't wait for what it points at, as imported ones may."""
    return _entry(Content, "type").not_in(AWAITING) | (_entry(Content, "object_id") != "0")


def leads_to_content(types: Collection[str], build_visible: Callable[[], Any]) -> Any:
    """Build the condition that a menu item points at no item of content of these types but at a visible one."""
    targets = _targets(Content, POST_TYPE)
    return _leads_to(
        POST_TYPE, targets.where(Content.type.in_(sorted(types))), targets.where(build_visible())
    )


def leads_to_terms(taxonomy: str, build_visible: Callable[[], Any]) -> Any:
    """Build the condition that a menu item points at no term of a taxonomy but at a visible one."""
    known = _targets(Term, TAXONOMY).where(Term.taxonomy == taxonomy)
    return _leads_to(TAXONOMY, known, known.where(build_visible()))


def _leads_to(kind: str, known: Any, visible: Any) -> Any:
    has_other_kind = _entry(Content, "type") != kind
    target = _entry(Content, "object_id").cast("integer")
    return has_other_kind | target.not_in(known) | target.in_(visible)


def _targets(model: Any, kind: str) -> Any:
    """Build the query of the ids of all that menu items of a kind point at: few, so that these alone are looked at."""
    item = Content.alias()
    ids = item.select(_entry(item, "object_id").cast("integer"))
    ids = ids.where((item.type == ITEM) & (_entry(item, "type") == kind))
    return model.select(model.id).where(model.id.in_(ids))


def _entry(item: Any, name: str) -> Any:
    return words.json_node(item.meta, f"$._menu_item_{name}")


def _json(values: Iterable[object]) -> str:
    return orjson.dumps(list(values)).decode()
