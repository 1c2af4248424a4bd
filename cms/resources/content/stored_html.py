"""The HTML of texts of content as it is stored, or rendered in memory where it is of older rules."""

from __future__ import annotations

from collections.abc import Callable

from cms.operations.results import Row
from cms.operations.serialize import SerializationContext

#: The columns that hold the HTML of texts.
HTML_OF = {"title": "title_html", "content": "content_html", "excerpt": "excerpt_html"}
TEXT_COLUMNS = ("id", "rendered_by", "password", "status")


def stored_html(row: Row, page: SerializationContext, column: str) -> str:
    """Return the HTML of a text by the present rules, with placeholders of galleries and addresses of files."""
    return prepare_html(page, column)(row)


def prepare_html(page: SerializationContext, column: str) -> Callable[[Row], str]:
    """Return what does the same for the rows of a page."""
    version, show, html_column = page.rendering_version, page.site.own_files.show, HTML_OF[column]

    def html_of(row: Row) -> str:
        if row["rendered_by"] != version:
            return show(page.load(load_stale)[row["id"]][html_column])
        return show(row[html_column])

    return html_of


def load_stale(page: SerializationContext) -> dict[int, dict[str, str]]:
    """Return the rendered columns, by id, of those items of a page whose stored HTML is of older rules."""
    version = page.rendering_version
    stale = [row["id"] for row in page.rows if row["rendered_by"] != version]
    if not stale:
        return {}
    found = {}
    for row in page.site.stores.content.texts(stale):
        texts = (row["title"], row["content"], row["excerpt"])
        found[row["id"]] = page.renderer.content_columns(row["type"], *texts)
    return found
