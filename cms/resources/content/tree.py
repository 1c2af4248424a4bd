"""How items of content stand below one another: their addresses, slugs that are free there, children of the deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cms.db import Database
from cms.db.snapshot import Snapshot
from cms.operations.slugs import free_slug, taken_slugs
from cms.rendering.plain import encode_slug
from cms.resources.content.schema import is_shown, permalink
from cms.schema.content_types import ContentType
from cms.schema.resource import SerializationContext

#: More levels than anybody has, so that a circle in the data comes to an end.
MOST_LEVELS = 100
ABOVE = f"""
WITH RECURSIVE above (leaf, level, parent_id, slug, status, date_gmt) AS (
    SELECT item.id, 1, up.parent_id, up.slug, up.status, up.date_gmt
    FROM content AS item JOIN content AS up ON up.id = item.parent_id
    WHERE item.id IN (SELECT value FROM json_each(?))
    UNION ALL
    SELECT leaf, level + 1, up.parent_id, up.slug, up.status, up.date_gmt
    FROM above JOIN content AS up ON up.id = above.parent_id WHERE level < {MOST_LEVELS}
)
SELECT leaf, slug, status, date_gmt FROM above ORDER BY level DESC"""  # noqa: S608 (a number of ours)


def load_paths(page: SerializationContext) -> dict[int, str]:
    """Return what stands in addresses before the slugs of a page's items, by id."""
    return paths(page, page.rows)


def nested_permalink(
    row: Any, page: SerializationContext, load: Callable[[SerializationContext], dict[int, str]] = load_paths
) -> str:
    """Return where a front end shows an item: below what stands above it, where its type has levels.

    `load` returns what stands before the slugs, by id.
    """
    kind = page.site.content_registry.types.get(row["type"])
    if row["parent_id"] and kind is not None and kind.hierarchical and is_shown(row, page):
        return f"{page.site.url}/{page.get(load)[row['id']]}{encode_slug(row['slug'])}/"
    return permalink(row, page)


def paths(
    page: SerializationContext, rows: Iterable[Any], data: Database | Snapshot | None = None
) -> dict[int, str]:
    """Return the slugs of all that stands above some items, as `top/middle/`; what isn't public has no part in it.

    `data` is read instead of the site's own database.
    """
    found = {row["id"]: "" for row in rows}
    below = [row["id"] for row in rows if row["parent_id"]]
    for above in (data or page.site.database).rows(ABOVE, (str(below),)):
        if is_shown(above, page):
            found[above["leaf"]] += f"{encode_slug(above['slug'])}/"
    return found


def free_below(database: Database, kind: ContentType, wanted: str, id: int, parent: int) -> str:
    """Return a slug that no other item has that this one could be taken for, the trash apart."""
    rivals, values = _rivals(kind, parent)
    where = f"{rivals} AND status <> 'trash' AND slug <> '' AND id <> ?"
    return free_slug(wanted, taken_slugs(database, "content", wanted, where, (*values, id)))


def _rivals(kind: ContentType, parent: int) -> tuple[str, tuple[object, ...]]:
    """Return the condition of items that an item may not share a slug with."""
    if kind.inherits:
        return "1", ()
    if kind.hierarchical:
        return "(type = ? AND parent_id = ? OR type = 'attachment')", (kind.name, parent)
    return "type = ?", (kind.name,)


def lift_children(database: Database, types: Mapping[str, ContentType], row: Any) -> None:
    """Hang what is below an item that was just deleted below the item's own parent."""
    for child in database.rows(
        "SELECT id, type, slug, status FROM content WHERE parent_id = ?", (row["id"],)
    ):
        slug = child["slug"]
        if slug and child["status"] != "trash" and child["type"] in types:
            slug = free_below(database, types[child["type"]], slug, child["id"], row["parent_id"])
        database.execute(
            "UPDATE content SET parent_id = ?, slug = ?, version = version + 1 WHERE id = ?",
            (row["parent_id"], slug, child["id"]),
        )
