"""Menu items of an export on their way into the table of content.

An export may hold one item several times, once for each menu that it stands in, with other parents: these become
items of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cms.plugin import (
    ImportContext,
    IndexedItem,
    ItemRecord,
    ParentFault,
    clean_address,
    find_term,
    plain_line,
    sanitize_title,
    sort_key,
    term_slug,
)

from .drafts import new_item
from .entries import OBJECT_ID, PARENT_ID, POST_TYPE, TAXONOMY, Entry
from .names import ITEM, LAST_PLACE, MENU
from .store import MenuStore


@dataclass(frozen=True)
class PendingItem:
    """A menu item that was stored and waits for what it points at and its parent."""

    id: int
    source_id: int
    menu: int
    line: int
    entry: Entry


def import_menu_item(item: ItemRecord, importing: ImportContext) -> None:
    """Store a menu item with its menu, unless it was imported before; what it points at is looked up at the end."""
    if item.source_id is None or item.status not in ("publish", "draft"):
        importing.report.leave_out(ITEM, "it has no id or isn't in use")
        return
    menu = _find_menu(item, importing)
    stored = importing.find_stored(item)
    if _find_imported(importing, stored["stored_name"], menu):
        importing.report.recognise(ITEM)
        return
    store, (name, other) = MenuStore(importing.site.database), _names(stored["stored_name"], menu)
    if store.imported(importing.source, [name]):  # the same item in another menu
        stored = {**stored, "place": 0, "content_id": None, "stored_name": other}
    if store.imported(importing.source, [stored["stored_name"]]):
        importing.report.leave_out(ITEM, "the site has another item with the same id")
        return
    id = _store(item, importing, stored, menu)
    pending = PendingItem(id, item.source_id, menu, item.line, Entry.from_meta(dict(item.meta)))
    importing.report.count(ITEM)
    importing.later(lambda: _finish(importing, pending))


def _find_menu(item: ItemRecord, importing: ImportContext) -> int:
    links = [link for link in item.terms if link.taxonomy == MENU]
    found = find_term(importing, MENU, term_slug(links[0].slug, links[0].name)) if links else None
    if found is None:
        importing.warn(item.line, "its menu isn't in the file; it is of none", item.source_id)
    return found or 0


def _names(name: str, menu: int) -> tuple[str, str]:
    """Return the names under which an item of a menu may be stored: its own, and that with the menu's id."""
    return name, f"{name} {menu}"


def _find_imported(importing: ImportContext, name: str, menu: int) -> int:
    """Return the id here of an item of a menu, 0 where it isn't here."""
    store = MenuStore(importing.site.database)
    for row in store.imported(importing.source, _names(name, menu)):
        if row["type"] == ITEM and (row["menu"] or 0) == menu:
            return row["id"]
    return 0


def _store(item: ItemRecord, importing: ImportContext, stored: IndexedItem, menu: int) -> int:
    site, stores = importing.site, importing.site.stores
    title = sanitize_title(item.title.strip())
    content, excerpt = plain_line(item.content), plain_line(item.excerpt)
    columns = {
        **new_item(
            importing.accounts.by_login.get(item.author_login, importing.administrator), importing.now
        ),
        "status": item.status,
        "title": title,
        "sort_title": sort_key(title),
        "content": content,
        "excerpt": excerpt,
        **site.renderer.content_columns(ITEM, title, content, excerpt),
        "menu_order": min(item.menu_order, LAST_PLACE),
    }
    id = importing.add_item(stored, columns)
    stores.content.set_slug(id, str(id))
    if menu:
        stores.terms.set_for_item(id, {MENU: [menu]})
    return id


def _finish(importing: ImportContext, pending: PendingItem) -> None:
    entry = pending.entry
    target = _find_target(importing, entry)
    if target is None:
        notice = (
            f"the {entry.object} {entry.object_id} that it points at isn't in the file; "
            "it is marked as invalid until that comes"
        )
        importing.warn(pending.line, notice, pending.source_id)
        kind = "item" if entry.type == POST_TYPE else f"term:{entry.object}"
        importing.await_reference("content", pending.id, f"meta:{OBJECT_ID}", kind, entry.object_id)
    parent = _find_parent(importing, pending)
    stored = replace(entry, object_id=target or 0, parent=parent, url=_find_url(importing, pending))
    MenuStore(importing.site.database).finish_imported(pending.id, parent, stored.to_meta())


def _find_url(importing: ImportContext, pending: PendingItem) -> str:
    sent = pending.entry.url
    url = clean_address(sent)
    if sent and not url:
        notice = f"its address {sent[:100]!r} has a scheme that links may not have; it leads nowhere"
        importing.warn(pending.line, notice, pending.source_id)
    return importing.site.own_files.store(url)


def _find_parent(importing: ImportContext, pending: PendingItem) -> int:
    wanted = pending.entry.parent
    parent = _find_imported(importing, str(wanted), pending.menu) if wanted else 0
    if wanted and not parent:
        notice = f"its parent {wanted} isn't in the file; it has none until that comes"
        importing.warn(pending.line, notice, pending.source_id)
        for field in ("parent", f"meta:{PARENT_ID}"):
            importing.await_reference("content", pending.id, field, "item", wanted)
    if not parent:
        return 0
    hierarchy = importing.site.stores.hierarchy
    if hierarchy.find_fault("content", pending.id, parent, {"type": ITEM}) is ParentFault.LOOP:
        importing.warn(pending.line, "it would stand above itself; it has no parent", pending.source_id)
        return 0
    return parent


def _find_target(importing: ImportContext, entry: Entry) -> int | None:
    """Return the id here of what an entry points at: 0 where it needs none, None where it isn't here."""
    if entry.type == POST_TYPE:
        return importing.find_item(entry.object_id) or importing.find_file(entry.object_id)
    if entry.type == TAXONOMY:
        return importing.find_term(entry.object, entry.object_id)
    return 0
