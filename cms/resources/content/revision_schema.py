"""The fields of revisions."""

from __future__ import annotations

from collections.abc import Callable

from cms.db.models import RevisionRow
from cms.i18n import _
from cms.operations.serialize import SerializationContext
from cms.rendering.file_lists import fill_placeholders
from cms.resources.content.rendered import local_date, permanent_name
from cms.schema.fields import ALWAYS, EDIT, VIEW_EDIT, DateTime, Integer, Object, String, text_properties
from cms.schema.schemas import ItemSchema


def _html(row: RevisionRow, page: SerializationContext, column: str) -> str:
    if column == "excerpt" and not row["excerpt"]:
        return ""  # what was written, not what would be made of the text
    if row["rendered_by"] == page.rendering_version:
        return fill_placeholders(str(dict(row)[f"{column}_html"]), ())
    return fill_placeholders(page.load(_load_stale)[row["id"]][f"{column}_html"], ())


def _load_stale(page: SerializationContext) -> dict[int, dict[str, str]]:
    """Return the rendered columns, by id, of those revisions of a page whose stored HTML is of older rules."""
    parent = page.site.stores.content.find(page.rows[0]["parent_id"])
    type = parent["type"] if parent else ""
    found = {}
    for row in page.rows:
        if row["rendered_by"] != page.rendering_version:
            texts = (row["title"], row["content"], row["excerpt"])
            found[row["id"]] = page.renderer.content_columns(type, *texts)
    return found


def _text(column: str) -> Callable[[RevisionRow, SerializationContext], dict[str, str]]:
    def read(row: RevisionRow, page: SerializationContext) -> dict[str, str]:
        show = page.site.own_files.show
        html = show(_html(row, page, column))
        if page.context == EDIT:
            return {"raw": show(str(dict(row)[column])), "rendered": html}
        return {"rendered": html}

    return read


def _guid(row: RevisionRow, page: SerializationContext) -> dict[str, str]:
    return permanent_name(f"{page.site.url}/?p={row['parent_id']}&revision={row['id']}", page)


class RevisionSchema(ItemSchema):
    """The fields of a revision."""

    author = Integer(_("Id of the account that made the change."), ALWAYS, column="author_id")
    date = DateTime(
        _("When the change was made, in the site's time zone."), ALWAYS, prepare=local_date("date_gmt")
    )
    date_gmt = DateTime(_("When the change was made, in GMT."), VIEW_EDIT)
    guid = Object(
        _("Permanent name of the revision; not an address to open."),
        VIEW_EDIT,
        properties=text_properties(),
        read=_guid,
    )
    id = Integer(_("Number that identifies the revision."), ALWAYS)
    modified = DateTime(_("As date: a revision doesn't change."), VIEW_EDIT, prepare=local_date("date_gmt"))
    modified_gmt = DateTime(_("As date_gmt: a revision doesn't change."), VIEW_EDIT, column="date_gmt")
    parent = Integer(_("Id of the item that the revision is of."), ALWAYS, column="parent_id")
    slug = String(
        _("Name of the revision."), ALWAYS, read=lambda row, page: f"{row['parent_id']}-revision-v1"
    )
    title = Object(_("Title after the change."), ALWAYS, properties=text_properties(), read=_text("title"))
    content = Object(
        _("Text after the change."), VIEW_EDIT, properties=text_properties(), read=_text("content")
    )
    excerpt = Object(
        _("Excerpt after the change."), ALWAYS, properties=text_properties(), read=_text("excerpt")
    )
