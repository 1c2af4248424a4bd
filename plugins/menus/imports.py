"""Menu items of an export on their way into the table of content.

An export may hold one item several times, once for each menu that it stands in, with other parents: these become
items of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import orjson

from cms.operations.hierarchy import is_ancestor_or_self
from cms.rendering.plain import clean_line, sort_key
from cms.rendering.sanitising import sanitize_title
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.terms import find_term, term_slug
from cms.transfer.wxr.records import ItemRecord

from .entries import POST_TYPE, TAXONOMY, Entry
from .rules import ITEM, MENU

KNOWN = """
SELECT c.id, c.type, c.source_id, (SELECT l.term_id FROM content_terms l WHERE l.content_id = c.id) AS menu
FROM content c WHERE c.source_site = ? AND c.source_id IN (?, ?)
"""


@dataclass(frozen=True)
class TemporaryUpload:
    """A menu item that was stored and waits for what it points at and stands below."""

    id: int
    source_id: int
    menu: int
    line: int
    entry: Entry


def bring_item(item: ItemRecord, importing: ImportContext) -> None:
    """Store a menu item with its menu, unless it was imported before; what it points at is looked up at the end."""
    if item.source_id is None or item.status not in ("publish", "draft"):
        importing.report.leave_out(ITEM, "it has no id or isn't in use")
        return
    menu = _menu(item, importing)
    found = _known(importing, item.source_id, menu)
    if found:
        importing.report.recognise(ITEM)
        return
    name = _free_name(importing, item.source_id, menu)
    if not name:
        importing.report.leave_out(ITEM, "the site has another item with the same id")
        return
    arrival = TemporaryUpload(
        _store(item, importing, name, menu), item.source_id, menu, item.line, Entry.read(dict(item.meta))
    )
    importing.report.count(ITEM)
    importing.later(lambda: _finish(importing, arrival))


def _menu(item: ItemRecord, importing: ImportContext) -> int:
    links = [link for link in item.terms if link.taxonomy == MENU]
    found = find_term(importing, MENU, term_slug(links[0].slug, links[0].name)) if links else None
    if found is None:
        importing.tell(item.line, "its menu isn't in the file; it is of none", item.source_id)
    return found or 0


def _names(source_id: int, menu: int) -> tuple[str, str]:
    return str(source_id), f"{source_id} {menu}"


def _known(importing: ImportContext, source_id: int, menu: int) -> int:
    """Return the id here of an item of a menu, 0 where it isn't here."""
    rows = importing.site.database.rows(KNOWN, (importing.source, *_names(source_id, menu)))
    return next((int(row["id"]) for row in rows if row["type"] == ITEM and (row["menu"] or 0) == menu), 0)


def _free_name(importing: ImportContext, source_id: int, menu: int) -> str:
    taken = {
        row["source_id"]
        for row in importing.site.database.rows(KNOWN, (importing.source, *_names(source_id, menu)))
    }
    return next((name for name in _names(source_id, menu) if name not in taken), "")


def _store(item: ItemRecord, importing: ImportContext, name: str, menu: int) -> int:
    title = sanitize_title(item.title.strip())
    texts = {"title": title, "content": clean_line(item.content), "excerpt": clean_line(item.excerpt)}
    id = importing.insert(
        "content",
        {
            "type": ITEM,
            "status": item.status,
            **texts,
            "sort_title": sort_key(title),
            **importing.site.renderer.content_columns(ITEM, title, texts["content"], texts["excerpt"]),
            "author_id": importing.users.get(item.author_login, importing.administrator),
            "date_gmt": importing.now,
            "modified_gmt": importing.now,
            "menu_order": item.menu_order,
            "comment_status": "closed",
            "ping_status": "closed",
            "source_site": importing.source,
            "source_id": name,
        },
    )
    importing.run("UPDATE content SET slug = id WHERE id = ?", id)
    if menu:
        importing.insert("content_terms", {"content_id": id, "term_id": menu})
    return id


def _finish(importing: ImportContext, arrival: TemporaryUpload) -> None:
    entry = arrival.entry
    target = _led_here(importing, entry)
    if target is None:
        importing.tell(
            arrival.line,
            f"the {entry.object} {entry.object_id} that it points at isn't in the file; "
            "it is marked as invalid",
            arrival.source_id,
        )
    parent = _parent(importing, arrival)
    stored = replace(entry, object_id=target or 0, parent=parent)
    importing.run(
        "UPDATE content SET parent_id = ?, meta = ? WHERE id = ?",
        parent,
        orjson.dumps(stored.written()).decode(),
        arrival.id,
    )


def _parent(importing: ImportContext, arrival: TemporaryUpload) -> int:
    wanted = arrival.entry.parent
    parent = _known(importing, wanted, arrival.menu) if wanted else 0
    if wanted and not parent:
        importing.tell(arrival.line, f"its parent {wanted} isn't in the file; it has none", arrival.source_id)
    if parent and is_ancestor_or_self(importing.site.database, "content", arrival.id, parent):
        importing.tell(arrival.line, "it would stand above itself; it has no parent", arrival.source_id)
        return 0
    return parent


def _led_here(importing: ImportContext, entry: Entry) -> int | None:
    """Return the id here of what an entry points at: 0 where it needs none, None where it isn't here."""
    if entry.type == POST_TYPE:
        return importing.find_item(entry.object_id) or importing.files.id_of(entry.object_id)
    if entry.type == TAXONOMY:
        return importing.term_ids.get((entry.object, entry.object_id))
    return 0
