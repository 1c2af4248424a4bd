"""Menus and their items in the database: who may change them, what goes with a menu, what joins one."""

from __future__ import annotations

from typing import Any

import orjson

from cms.site import Site

from .entries import POST_TYPE, Entry

MENU, ITEM = "nav_menu", "nav_menu_item"
CAPABILITY = "edit_menu_items"

OF_MENU = """
SELECT c.id FROM content_terms l JOIN content c ON c.id = l.content_id WHERE l.term_id = ? AND c.type = 'nav_menu_item'
"""
LAST = """
SELECT COALESCE(MAX(c.menu_order), 0) FROM content_terms l JOIN content c ON c.id = l.content_id
WHERE l.term_id = ? AND c.type = 'nav_menu_item'
"""
#: Menus that new pages join, unless an item points at the page already.
JOINED = """
SELECT t.id FROM terms t WHERE t.taxonomy = 'nav_menu' AND json_extract(t.meta, '$.auto_add') AND NOT EXISTS (
    SELECT 1 FROM content_terms l JOIN content c ON c.id = l.content_id
    WHERE l.term_id = t.id AND c.type = 'nav_menu_item' AND json_extract(c.meta, '$._menu_item_type') = 'post_type'
    AND json_extract(c.meta, '$._menu_item_object_id') = ?)
"""
ADD = """
INSERT INTO content (type, status, author_id, date_gmt, modified_gmt, menu_order, meta, comment_status, ping_status)
VALUES ('nav_menu_item', 'publish', ?, ?, ?, ?, ?, 'closed', 'closed') RETURNING id
"""


def next_place(site: Site, menu: int) -> int:
    """Return the place behind all items of a menu."""
    return int(site.database.scalar(LAST, (menu,))) + 1


def remove_items(site: Site, menu: int) -> None:
    """Delete the items of a menu."""
    ids = orjson.dumps([row["id"] for row in site.database.rows(OF_MENU, (menu,))]).decode()
    for table, column in (("content_terms", "content_id"), ("content", "id")):
        site.database.execute(
            f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))",  # noqa: S608 (our names)
            (ids,),
        )


def add_page(site: Site, page: Any) -> None:
    """Put a page at the end of each menu that new pages join."""
    entry = Entry(POST_TYPE, "page", page["id"])
    meta, now = orjson.dumps(entry.written()).decode(), site.now()
    for menu in site.database.rows(JOINED, (str(page["id"]),)):
        values = (page["author_id"], now, now, next_place(site, menu["id"]), meta)
        id = site.database.rows(ADD, values)[0]["id"]
        site.database.execute("UPDATE content SET slug = id WHERE id = ?", (id,))
        site.database.execute(
            "INSERT INTO content_terms (content_id, term_id) VALUES (?, ?)", (id, menu["id"])
        )
