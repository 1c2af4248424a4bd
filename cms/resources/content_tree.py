"""How items of content stand below one another: slugs that are free there, and children of what is deleted."""

from __future__ import annotations

from typing import Any

from cms.db import Database
from cms.slugs import free_slug, taken_slugs


def free_below(database: Database, type_name: str, wanted: str, id: int, parent: int) -> str:
    """Return a slug that no other item of the type has below this parent, the trash apart."""
    where = "type = ? AND parent_id = ? AND status <> 'trash' AND slug <> '' AND id <> ?"
    return free_slug(wanted, taken_slugs(database, "content", wanted, where, (type_name, parent, id)))


def lift_children(database: Database, row: Any) -> None:
    """Hang what is below an item that was just deleted below the item's own parent."""
    for child in database.rows("SELECT id, type, slug, status FROM content WHERE parent_id = ?", (row["id"],)):
        slug = child["slug"]
        if slug and child["status"] != "trash":
            slug = free_below(database, child["type"], slug, child["id"], row["parent_id"])
        database.execute("UPDATE content SET parent_id = ?, slug = ?, version = version + 1 WHERE id = ?",
                         (row["parent_id"], slug, child["id"]))
