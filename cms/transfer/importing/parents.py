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
    """Take the parent from items that would stand above themselves: from the last one of each circle.

    Only new items can be in a circle: what was here before stays below its parent.
    """
    nested = importing.pending.nested
    places = {id: place for place, id in enumerate(nested)}
    checked: set[int] = set()
    for id in nested:
        path: dict[int, None] = {}
        while id in nested and id not in checked and id not in path:
            path[id] = None
            id = nested[id].parent
        if id in path:
            above = list(path)
            _cut(importing, max(above[above.index(id) :], key=places.__getitem__))
        checked.update(path)


def _cut(importing: ImportContext, id: int) -> None:
    stores, (line, number, _parent) = importing.site.stores, importing.pending.nested[id]
    row = stores.content.find(id)
    if row is None:
        return
    importing.warn(line, "it would stand above itself; it has no parent", number)
    type, slug = importing.site.content_registry.types[row["type"]], row["slug"]
    if slug:
        slug = free_slug(stores.slugs, type, slug, id, 0, among_types=False)
    if slug != row["slug"]:
        importing.warn(line, taken_slug(row["slug"], slug), number)
    importing.store.place(id, 0, slug)
