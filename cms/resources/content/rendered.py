"""Reading the texts of content as HTML, in the form that fields have."""

from __future__ import annotations

from collections.abc import Callable

from cms.dates import to_local
from cms.i18n import _
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.file_lists import SIGN
from cms.resources.content.galleries import fill_galleries
from cms.resources.content.stored_html import stored_html
from cms.schema.extension import is_readable
from cms.schema.fields import EDIT
from cms.schema.resource import SerializedItem

Reader = Callable[[Row, SerializationContext], SerializedItem]


def rendered(row: Row, page: SerializationContext, column: str) -> str:
    """Return the HTML of a text by the present rules, with the files that galleries and playlists show the reader."""
    html = stored_html(row, page, column)
    if column == "content" and SIGN in html:
        return fill_galleries(row, page, html)
    return html


def read_title(row: Row, page: SerializationContext) -> SerializedItem:
    """Return an item's title, marked where the item is private."""
    html = rendered(row, page, "title")
    if row["status"] == "private":
        html = _("Private: %(title)s", title=html)
    value = {"rendered": html}
    return with_raw(value, row, page, "title") if page.context == EDIT else value


def read_text(column: str) -> Reader:
    """Make the reader of a text that the item's password protects."""

    def read(row: Row, page: SerializationContext) -> SerializedItem:
        html = rendered(row, page, column) if is_readable(row, page) else ""
        value = {"rendered": html, "protected": bool(row["password"])}
        return with_raw(value, row, page, column) if page.context == EDIT else value

    return read


def with_raw(value: SerializedItem, row: Row, page: SerializationContext, column: str) -> SerializedItem:
    """Return a rendered text, in the editable form with what was written before it."""
    if page.context != EDIT:
        return value
    return {"raw": page.site.own_files.show(row[column]), **value}


def permanent_name(name: str, page: SerializationContext) -> SerializedItem:
    """Return a permanent name in the form that texts have."""
    if page.context == EDIT:
        return {"rendered": name, "raw": name}
    return {"rendered": name}


def local_date(column: str) -> Callable[[Row, SerializationContext], str]:
    """Make the reader of a date in the site's time zone."""
    return lambda row, page: to_local(row[column], page.zone)
