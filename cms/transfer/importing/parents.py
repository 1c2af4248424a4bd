"""Items below their parents, which may come later in the export than they."""

from __future__ import annotations

from cms.db.expressions import TRASH
from cms.db.stores import WaitingItem
from cms.resources.content.writing import free_slug
from cms.schema.content_types import ContentType
from cms.transfer.importing.context import ImportContext
from cms.transfer.wxr.records import ItemRecord

ATTACHMENT = "attachment"


def awaited_parent(importing: ImportContext, item: ItemRecord) -> int:
    """Return what an item is stored with until its parent is known: the parent's id in the export, below zero.

    So a page gets its place among its siblings at once, and its slug is free there.
    """
    if not has_parents(importing.site.content_registry.types[item.type]):
        return 0
    return -max(item.parent_source_id or 0, 0)


def has_parents(type: ContentType) -> bool:
    """Tell whether items of a type are below others."""
    return type.hierarchical or type.inherits


def taken_slug(wanted: str, slug: str) -> str:
    """Return the notice of a slug that had to change."""
    return f'the slug "{wanted}" was taken; it became "{slug}"'


def missing_parent(parent: int | None) -> str:
    """Return the notice of a parent that isn't there; an id below zero can't be one's."""
    return f"its parent {parent} isn't in the file; it has none"


def set_parents(importing: ImportContext) -> None:
    """Put the new items below their parents; a circle is left open. Attachments have rules of their own."""
    for type in importing.site.content_registry.types.values():
        if has_parents(type) and type.name != ATTACHMENT:
            for row in importing.store.waiting(type.name):
                _place(importing, row, type)


def _place(importing: ImportContext, row: WaitingItem, type: ContentType) -> None:
    parent, slug = _find_parent(importing, row), row["slug"]
    if slug and row["status"] != TRASH:
        slugs = importing.site.stores.slugs
        slug = free_slug(slugs, type, slug, row["id"], parent, among_types=False)
    if slug != row["slug"]:
        _warn(importing, row, taken_slug(row["slug"], slug))
    importing.store.place(row["id"], parent, slug)


def _find_parent(importing: ImportContext, row: WaitingItem) -> int:
    source_id = -row["parent_id"]
    parent = importing.find_item(source_id)
    if parent is None:
        _warn(importing, row, missing_parent(source_id))
        return 0
    if importing.site.stores.hierarchy.is_ancestor_or_self("content", row["id"], parent):
        _warn(importing, row, "it would stand above itself; it has no parent")
        return 0
    return parent


def _warn(importing: ImportContext, row: WaitingItem, text: str) -> None:
    name = row["source_id"]
    source_id = int(name) if name.isdecimal() else None
    importing.warn(importing.pending.lines[row["id"]], text, source_id)
