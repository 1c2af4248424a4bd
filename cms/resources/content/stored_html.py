"""The HTML of texts of content as it is stored, or rendered in memory where it is of older rules."""

from __future__ import annotations

from cms.operations.results import Row
from cms.operations.serialize import SerializationContext

TEXT_COLUMNS = ("id", "rendered_by", "password", "status")


def stored_html(row: Row, page: SerializationContext, column: str) -> str:
    """Return the HTML of a text by the present rules, with placeholders of galleries and addresses of files."""
    if row["rendered_by"] == page.rendering_version:
        return page.site.own_files.show(row[f"{column}_html"])
    return page.site.own_files.show(page.load(load_stale)[row["id"]][f"{column}_html"])


def load_stale(page: SerializationContext) -> dict[int, dict[str, str]]:
    """Return the rendered columns, by id, of those items of a page whose stored HTML is of older rules."""
    stale = [row["id"] for row in page.rows if row["rendered_by"] != page.rendering_version]
    if not stale:
        return {}
    found = {}
    for row in page.site.stores.content.texts(stale):
        texts = (row["title"], row["content"], row["excerpt"])
        found[row["id"]] = page.renderer.content_columns(row["type"], *texts)
    return found
