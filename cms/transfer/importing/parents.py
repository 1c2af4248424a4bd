"""Items below their parents, which may come later in the export than they."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cms.schema.content_types import ContentType
from cms.transfer.importing.context import ImportContext
from cms.transfer.wxr.records import ItemRecord

#: Items that wait for their parents, some at a time; `<> 0` lets the index of parents serve.
WAITING = """
SELECT id, parent_id, slug, status, source_id FROM content
WHERE parent_id <> 0 AND parent_id < 0 AND type = ? ORDER BY id LIMIT 500
"""
ATTACHMENT = "attachment"


def awaited_parent(importing: ImportContext, item: ItemRecord) -> int:
    """Return what an item is stored with until its parent is known: the parent's id in the export, below zero.

    So a page gets its place among its siblings at once, and its slug is free there.
    """
    return (
        -max(item.parent_source_id or 0, 0)
        if has_parents(importing.site.content_registry.types[item.type])
        else 0
    )


def has_parents(kind: ContentType) -> bool:
    """Tell whether items of a type stand below others."""
    return kind.hierarchical or kind.inherits


def waiting(importing: ImportContext, kind: str) -> Iterator[Any]:
    """Yield the items of a type that wait; each must be given its parent, or none, before the next is asked for."""
    while rows := importing.site.database.rows(WAITING, (kind,)):
        yield from rows


def free_under(importing: ImportContext, kind: str, wanted: str, parent: int) -> str:
    """Return a slug that nothing else of the type has below a parent, the trash apart."""
    return importing.site.stores.slugs.free_among_children(wanted, kind, parent) if wanted else wanted


def taken_told(wanted: str, slug: str) -> str:
    """Return the notice of a slug that had to change."""
    return f'the slug "{wanted}" was taken; it became "{slug}"'


def missing_told(parent: int | None) -> str:
    """Return the notice of a parent that isn't there; an id below zero can't be one's."""
    return f"its parent {parent} isn't in the file; it has none"


def set_parents(importing: ImportContext) -> None:
    """Put the new items below their parents; a circle is left open. Attachments have rules of their own."""
    for kind in importing.site.content_registry.types.values():
        if has_parents(kind) and kind.name != ATTACHMENT:
            for row in waiting(importing, kind.name):
                _place(importing, row, _find_parent(importing, row), kind.name)


def _find_parent(importing: ImportContext, row: Any) -> int:
    parent = importing.find_item(-row["parent_id"])
    if parent is None:
        _tell(importing, row, missing_told(-row["parent_id"]))
        return 0
    if importing.site.stores.hierarchy.is_ancestor_or_self("content", row["id"], parent):
        _tell(importing, row, "it would stand above itself; it has no parent")
        return 0
    return parent


def _place(importing: ImportContext, row: Any, parent: int, kind: str) -> None:
    slug = row["slug"]
    if row["status"] != "trash":
        slug = free_under(importing, kind, row["slug"], parent)
    if slug != row["slug"]:
        _tell(importing, row, taken_told(row["slug"], slug))
    importing.run("UPDATE content SET parent_id = ?, slug = ? WHERE id = ?", parent, slug, row["id"])


def _tell(importing: ImportContext, row: Any, text: str) -> None:
    source = row["source_id"]
    importing.tell(importing.lines[row["id"]], text, int(source) if source.isdecimal() else None)
