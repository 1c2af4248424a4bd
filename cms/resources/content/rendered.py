"""Reading the texts of content as HTML, in the form that fields have."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from operator import itemgetter

from cms.dates import to_local
from cms.i18n import _
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.file_lists import SIGN
from cms.resources.content.galleries import fill_galleries
from cms.resources.content.stored_html import prepare_html
from cms.schema.extension import is_readable
from cms.schema.fields import EDIT
from cms.schema.resource import SerializedItem

Reader = Callable[[Row], SerializedItem]


def rendered(row: Row, page: SerializationContext, column: str) -> str:
    """Return the HTML of a text by the present rules, with the files that galleries and playlists show the reader."""
    return prepare_rendered(page, column)(row)


def prepare_rendered(page: SerializationContext, column: str) -> Callable[[Row], str]:
    """Return what does the same for the rows of a page."""
    html_of = prepare_html(page, column)
    if column != "content":
        return html_of

    def rendered_content(row: Row) -> str:
        html = html_of(row)
        return fill_galleries(row, page, html) if SIGN in html else html

    return rendered_content


def prepare_title(page: SerializationContext) -> Reader:
    """Return what reads an item's title, marked where the item is private."""
    html_of, is_edit = prepare_rendered(page, "title"), page.context == EDIT

    def read(row: Row) -> SerializedItem:
        html = html_of(row)
        if row["status"] == "private":
            html = _("Private: %(title)s", title=html)
        return with_raw({"rendered": html}, row, page, "title") if is_edit else {"rendered": html}

    return read


def protected_text(column: str) -> Callable[[SerializationContext], Reader]:
    """Make what prepares the reader of a text that the item's password protects."""

    def prepare(page: SerializationContext) -> Reader:
        html_of, is_edit = prepare_rendered(page, column), page.context == EDIT

        def read(row: Row) -> SerializedItem:
            html = html_of(row) if is_readable(row, page) else ""
            value = {"rendered": html, "protected": bool(row["password"])}
            return with_raw(value, row, page, column) if is_edit else value

        return read

    return prepare


def with_raw(value: SerializedItem, row: Row, page: SerializationContext, column: str) -> SerializedItem:
    """Return a rendered text, in the editable form with what was written before it."""
    if page.context != EDIT:
        return value
    return {"raw": page.site.own_files.show(row[column]), **value}


def prepare_guid(page: SerializationContext) -> Reader:
    """Return what reads an item's permanent name."""
    start = f"{page.site.url}/?p="
    return lambda row: permanent_name(f"{start}{row['id']}", page)


def permanent_name(name: str, page: SerializationContext) -> SerializedItem:
    """Return a permanent name in the form that texts have."""
    if page.context == EDIT:
        return {"rendered": name, "raw": name}
    return {"rendered": name}


def local_date(column: str) -> Callable[[SerializationContext], Callable[[Row], str]]:
    """Make what prepares the reader of a date in the site's time zone."""

    def prepare(page: SerializationContext) -> Callable[[Row], str]:
        zone = page.zone
        if zone is UTC:
            return itemgetter(column)
        return lambda row: to_local(row[column], zone)

    return prepare
