"""The HTML of texts of content as it is stored, or rendered in memory where it is of older rules."""

from __future__ import annotations

from collections.abc import Mapping

from cms.operations.results import Row
from cms.operations.serialize import SerializationContext

#: The columns that hold the HTML of texts.
HTML_OF = {"title": "title_html", "content": "content_html", "excerpt": "excerpt_html"}
TEXT_COLUMNS = ("id", "rendered_by", "password", "status")


def stored_html(row: Row, page: SerializationContext, column: str) -> str:
    """Return the HTML of a text by the present rules, with placeholders of galleries and addresses of files."""
    columns: Mapping[str, str] = row
    if row["rendered_by"] != page.rendering_version:
        columns = page.load(load_stale)[row["id"]]
    return page.site.own_files.show(columns[HTML_OF[column]])


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
