"""How items of content stand below one another: slugs that are free there, and children of what is deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cms.catalogue import ContentType
from cms.db import Database
from cms.slugs import free_slug, taken_slugs


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
    for child in database.rows("SELECT id, type, slug, status FROM content WHERE parent_id = ?", (row["id"],)):
        slug = child["slug"]
        if slug and child["status"] != "trash" and child["type"] in types:
            slug = free_below(database, types[child["type"]], slug, child["id"], row["parent_id"])
        database.execute("UPDATE content SET parent_id = ?, slug = ?, version = version + 1 WHERE id = ?",
                         (row["parent_id"], slug, child["id"]))
