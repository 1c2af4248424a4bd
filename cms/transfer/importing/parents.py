"""Items below their parents, which may come later in the export than they."""

from __future__ import annotations

from cms.resources.content.writing import free_slug
from cms.schema.content_types import ContentType
from cms.transfer.importing.context import ImportContext


def has_parents(type: ContentType) -> bool:
    """Tell whether items of a type are below others."""
    return type.hierarchical or type.inherits


def taken_slug(wanted: str, slug: str) -> str:
    """Return the notice of a slug that had to change."""
    return f'the slug "{wanted}" was taken; it became "{slug}"'


def missing_parent(parent: int) -> str:
    """Return the notice of a parent that isn't there; an id below zero can't be one's."""
    if parent < 0:
        return f"its parent {parent} isn't in the file; it has none"
    return f"its parent {parent} isn't in the file; it has none until that comes"


def cut_circles(importing: ImportContext) -> None:
    """Take the parent from items that would stand above themselves: from the last one of each circle."""
    stores = importing.site.stores
    for id, (line, number) in reversed(importing.pending.nested.items()):
        row = stores.content.find(id)
        if row is None or not stores.hierarchy.is_ancestor_or_self("content", id, row["parent_id"]):
            continue
        importing.warn(line, "it would stand above itself; it has no parent", number)
        type = importing.site.content_registry.types[row["type"]]
        slug = row["slug"]
        if slug:
            slug = free_slug(stores.slugs, type, slug, id, 0, among_types=False)
        if slug != row["slug"]:
            importing.warn(line, taken_slug(row["slug"], slug), number)
        importing.store.place(id, 0, slug)
