"""Pages that join menus by themselves when they are published."""

from __future__ import annotations

import orjson

from cms.plugin import ContentRow, Site

from .drafts import PUBLISH, new_item
from .entries import POST_TYPE, Entry
from .names import MENU
from .store import MenuStore


def add_page(site: Site, page: ContentRow) -> None:
    """Put a page at the end of each menu that new pages join."""
    store, stores = MenuStore(site.database), site.stores
    entry = Entry(POST_TYPE, "page", page["id"])
    for menu in store.menus_joined_by(page["id"]):
        columns = {
            **new_item(page["author_id"], site.now()),
            "status": PUBLISH,
            "menu_order": store.next_place(menu),
            "meta": orjson.dumps(entry.to_meta()).decode(),
        }
        id = stores.items.insert("content", columns)
        stores.content.set_slug(id, str(id))
        stores.terms.set_for_item(id, {MENU: [menu]})
