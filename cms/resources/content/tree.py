"""Items of content below one another: their addresses at a front end, and the children of deleted ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from cms.context import SiteContext
from cms.db.models import ContentRow
from cms.db.reader import Reader
from cms.db.stores.content import Ancestor
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.plain import encode_slug
from cms.resources.content.permalinks import has_permalink, link_pattern, patterned_link, permalink
from cms.resources.content.plugin_visibility import hidden_by_hooks, readable_rows
from cms.resources.content.writing import free_slug


def load_paths(page: SerializationContext) -> dict[int, str]:
    """Return what is before the slugs of a page's items in their addresses, by id."""
    return paths(page, page.rows)


def nested_permalink(
    row: Row,
    page: SerializationContext,
    load: Callable[[SerializationContext], dict[int, str]] = load_paths,
) -> str:
    """Return where a front end shows an item: below its ancestors, where its type has levels.

    `load` returns what is before the slugs, by id.
    """
    type = page.site.content_registry.types.get(row["type"])
    is_nested = row["parent_id"] and type is not None and type.hierarchical
    if is_nested and "{path}" in link_pattern(row, page) and has_permalink(row, page):
        return patterned_link(row, page, page.load(load)[row["id"]])
    return permalink(row, page)


def paths(page: SerializationContext, rows: Iterable[Row], reader: Reader | None = None) -> dict[int, str]:
    """Return the slugs of the ancestors of items, as `top/middle/`.

    What has no address itself, and what the reader may not see, has no part in it. An export reads from its own
    `reader`, and has them whoever may see them.
    """
    found = {row["id"]: "" for row in rows}
    above = page.site.stores.content.ancestors((row["id"] for row in rows if row["parent_id"]), reader)
    for ancestor in above if reader else _visible(above, page):
        if has_permalink(ancestor, page):
            found[ancestor["leaf"]] += f"{encode_slug(ancestor['slug'])}/"
    return found


def _visible(above: Sequence[Ancestor], page: SerializationContext) -> list[Ancestor]:
    """Return what the reader may see; whole rows are read only where plugins want to look at them."""
    readable = readable_rows(above, page)
    if not page.renderer.hooks.checks_permissions:
        return readable
    rows = page.site.stores.content.many(map(itemgetter("id"), readable))
    hidden = hidden_by_hooks(page.renderer.hooks, page.site, list(rows.values()), page.principal)
    return [each for each in readable if each["id"] not in hidden]


def lift_children(site: SiteContext, row: ContentRow) -> None:
    """Put what is below an item that was just deleted below the item's own parent."""
    types = site.content_registry.types
    for child in site.stores.content.children(row["id"]):
        slug, type = child["slug"], types.get(child["type"])
        if slug and type is not None and child["status"] != "trash":
            slug = free_slug(site.stores.slugs, type, slug, child["id"], row["parent_id"])
        site.stores.content.move(child["id"], row["parent_id"], slug)
