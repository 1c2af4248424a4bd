"""Writing texts anew whose HTML is of older rules, so that reading them renders nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cms.site import Site

#: Rows in one transaction: others get to write between two.
BATCH = 50
STALE = {
    "content": "SELECT id, version, type, title, content, excerpt FROM content WHERE id > ? AND rendered_by <> ? "
    "ORDER BY id LIMIT ?",
    "comments": "SELECT id, version, content FROM comments WHERE id > ? AND rendered_by <> ? ORDER BY id LIMIT ?",
}


def render_stale(site: Site, stopping: Callable[[], bool] = lambda: False) -> int:
    """Render what is of older rules, and return how many rows that were; ends early when it is to stop.

    The version of a row stays: what readers see is what they saw before.
    """
    done = 0
    for table, select in STALE.items():
        last = 0
        while not stopping() and (rows := site.database.rows(select, (last, site.renderer.mark, BATCH))):
            with site.database.write():
                for row in rows:
                    _store(site, table, row)
            done, last = done + len(rows), rows[-1]["id"]
    return done


def _store(site: Site, table: str, row: Any) -> None:
    if table == "content":
        columns = site.renderer.content_columns(row["type"], row["title"], row["content"], row["excerpt"])
    else:
        columns = site.renderer.comment_columns(row["content"])
    sets = ", ".join(f"{name} = ?" for name in columns)
    # Written meanwhile, it has been rendered meanwhile.
    site.database.execute(
        f"UPDATE {table} SET {sets} WHERE id = ? AND version = ?",  # noqa: S608 (our own names)
        [*columns.values(), row["id"], row["version"]],
    )
