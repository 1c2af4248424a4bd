"""Menu items of an export on their way into the table of content.

An export may hold one item several times, once for each menu that it stands in, with other parents: these become
items of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cms.plugin import (
    ImportContext,
    ItemRecord,
    ParentFault,
    clean_line,
    find_term,
    sanitize_title,
    sort_key,
    term_slug,
)

from .drafts import new_item
from .entries import POST_TYPE, TAXONOMY, Entry
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
    if _find_imported(importing, item.source_id, menu):
        importing.report.recognise(ITEM)
        return
    name = _free_name(importing, item.source_id, menu)
    if not name:
        importing.report.leave_out(ITEM, "the site has another item with the same id")
        return
    id = _store(item, importing, name, menu)
    pending = PendingItem(id, item.source_id, menu, item.line, Entry.from_meta(dict(item.meta)))
    importing.report.count(ITEM)
    importing.later(lambda: _finish(importing, pending))


def _find_menu(item: ItemRecord, importing: ImportContext) -> int:
    links = [link for link in item.terms if link.taxonomy == MENU]
    found = find_term(importing, MENU, term_slug(links[0].slug, links[0].name)) if links else None
    if found is None:
        importing.warn(item.line, "its menu isn't in the file; it is of none", item.source_id)
    return found or 0


def _names(source_id: int, menu: int) -> tuple[str, str]:
    """Return the names under which an item of a menu may be stored: its id, and its id with the menu's."""
    return str(source_id), f"{source_id} {menu}"


def _find_imported(importing: ImportContext, source_id: int, menu: int) -> int:
    """Return the id here of an item of a menu, 0 where it isn't here."""
    store = MenuStore(importing.site.database)
    for row in store.imported(importing.source, _names(source_id, menu)):
        if row["type"] == ITEM and (row["menu"] or 0) == menu:
            return row["id"]
    return 0


def _free_name(importing: ImportContext, source_id: int, menu: int) -> str:
    names = _names(source_id, menu)
    rows = MenuStore(importing.site.database).imported(importing.source, names)
    taken = {row["source_id"] for row in rows}
    return next((name for name in names if name not in taken), "")


def _store(item: ItemRecord, importing: ImportContext, name: str, menu: int) -> int:
    site, stores = importing.site, importing.site.stores
    title = sanitize_title(item.title.strip())
    content, excerpt = clean_line(item.content), clean_line(item.excerpt)
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
        "source_site": importing.source,
        "source_id": name,
    }
    id = stores.items.insert("content", columns)
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
            "it is marked as invalid"
        )
        importing.warn(pending.line, notice, pending.source_id)
    parent = _find_parent(importing, pending)
    stored = replace(entry, object_id=target or 0, parent=parent)
    MenuStore(importing.site.database).finish_imported(pending.id, parent, stored.to_meta())


def _find_parent(importing: ImportContext, pending: PendingItem) -> int:
    wanted = pending.entry.parent
    parent = _find_imported(importing, wanted, pending.menu) if wanted else 0
    if wanted and not parent:
        notice = f"its parent {wanted} isn't in the file; it has none"
        importing.warn(pending.line, notice, pending.source_id)
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
        return importing.find_item(entry.object_id) or importing.files.id_of(entry.object_id)
    if entry.type == TAXONOMY:
        return importing.terms.by_source_id.get((entry.object, entry.object_id))
    return 0
