"""Media: uploaded files with what is said of them."""

from __future__ import annotations

from html import escape

import orjson
from marshmallow import missing

from cms.db.expressions import is_of_media_type
from cms.db.models import Content, MediaRow
from cms.i18n import _
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.galleries import picture_html
from cms.resources.content.files import file_details, rendition, source_url
from cms.resources.content.links import content_links
from cms.resources.content.list_args import list_fields, status_filter
from cms.resources.content.permalinks import file_permalink
from cms.resources.content.rendered import prepare_title, rendered, with_raw
from cms.resources.content.schema import ContentSchema, WriteStatus
from cms.resources.content.stored_html import TEXT_COLUMNS, load_stale
from cms.resources.media.rules import CAPABILITY, MediaRules
from cms.schema.content_types import INTERNAL, WRITABLE, ContentRegistry, ContentType
from cms.schema.fields import ALWAYS, EDIT_ONLY, VIEW_EDIT, Field, Ids, Integer, List, Object, Raw, String
from cms.schema.resource import Link, Resource, SerializedItem
from cms.schema.schemas import arguments, fields_of

KINDS = ("image", "video", "text", "application", "audio")
NO_FILE = MediaRow(content_id=0, file="", size=0, alt_text="", details="{}", origin="")


def load_files(page: SerializationContext) -> dict[int, MediaRow]:
    """Return what is known of the files of all items on a page, by id."""
    return page.site.stores.media.files(page.ids)


def _file(row: Row, page: SerializationContext) -> MediaRow:
    return page.load(load_files).get(row["id"], NO_FILE)


def _source(row: Row, page: SerializationContext) -> str:
    return source_url(page.site, _file(row, page))


def _details(row: Row, page: SerializationContext) -> SerializedItem:
    return file_details(page.site, _file(row, page), row["mime_type"])


def _missing(row: Row, page: SerializationContext) -> list[str]:
    return list(orjson.loads(_file(row, page)["details"]).get("missing", []))


def _alt(row: Row, page: SerializationContext) -> str:
    return str(_file(row, page)["alt_text"])


def _kind(row: Row) -> str:
    return str(row["mime_type"].partition("/")[0])


def _caption(row: Row, page: SerializationContext) -> SerializedItem:
    html = rendered(row, page, "excerpt")
    if not html and _kind(row) not in ("image", "audio", "video"):
        html = (
            f"<p>{rendered(row, page, 'title')}</p>\n"  # the link that the description begins with, as text
        )
    return with_raw({"rendered": html}, row, page, "excerpt")


def _description(row: Row, page: SerializationContext) -> SerializedItem:
    html = f'<p class="attachment">{_file_html(row, page)}</p>\n{rendered(row, page, "content")}'
    return with_raw({"rendered": html}, row, page, "content")


def _file_html(row: Row, page: SerializationContext) -> str:
    """Return the file itself as HTML: a picture, a player, or a link."""
    source, kind = escape(_source(row, page)), _kind(row)
    if kind in ("audio", "video"):
        return f'<{kind} controls preload="metadata" src="{source}"></{kind}>'
    if kind != "image":
        return f'<a href="{source}">{rendered(row, page, "title")}</a>'
    picture = rendition(_details(row, page), "medium", _source(row, page))
    return f'<a href="{source}">{picture_html(picture, "medium", _alt(row, page))}</a>'


#: What is told of a file that is here; the last four of pictures alone.
DETAILS: dict[str, Field] = {
    "file": String(_("Where the file lies below the address of uploads."), optional=True),
    "filesize": Integer(_("Size of the file in bytes."), optional=True),
    "width": Integer(_("Width of the picture in pixels."), optional=True),
    "height": Integer(_("Height of the picture in pixels."), optional=True),
    "sizes": Object(_("Renditions of the picture, by name."), optional=True),
    "image_meta": Object(_("What the camera wrote into the picture."), optional=True),
}


class Loose(Raw):
    """A text with a rendered form; a value that is neither is left alone."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> object:
        if not isinstance(value, (str, dict)):
            return missing
        return super()._deserialize(value, attr, data, **kwargs)


TEXTS = (*TEXT_COLUMNS, "title_html", "content_html", "excerpt_html", "mime_type", "id")


class MediaSchema(ContentSchema):
    """The fields of a media item."""

    title = Loose(
        fields_of(ContentSchema)["title"].description,
        ALWAYS,
        columns=(*TEXT_COLUMNS, "title_html"),
        edit_columns=("title",),
        load=load_stale,
        prepare=prepare_title,
    )
    status = WriteStatus(
        _("Where the item stands: as what it is attached to, private, or in the trash."),
        VIEW_EDIT,
        enum=WRITABLE,
        answer_values=INTERNAL,
    )
    link = String(
        _("Where a front end shows the item."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("id", "type", "status", "slug", "date_gmt"),
        read=file_permalink,
    )
    alt_text = String(
        _("What the picture shows, for those who can't see it."),
        ALWAYS,
        columns=("id",),
        read=_alt,
        load=load_files,
    )
    caption = Loose(
        _("What is written below the file."),
        ALWAYS,
        columns=TEXTS,
        edit_columns=("excerpt",),
        read=_caption,
        load=load_stale,
    )
    description = Loose(
        _("A longer text about the file; its HTML begins with the file itself."),
        VIEW_EDIT,
        columns=TEXTS,
        edit_columns=("content",),
        read=_description,
        load=load_stale,
        max_bytes_setting="max_text",
    )
    media_type = String(
        _("Whether the file is a picture."),
        ALWAYS,
        readonly=True,
        enum=("image", "file"),
        columns=("mime_type",),
        read=lambda row, page: "image" if _kind(row) == "image" else "file",
    )
    mime_type = String(_("The file's type, as its bytes say."), ALWAYS, readonly=True)
    media_details = Object(
        _("Size of the file, measures and renditions of a picture."),
        ALWAYS,
        properties=DETAILS,
        readonly=True,
        columns=("id", "mime_type"),
        read=_details,
        load=load_files,
    )
    post = Integer(
        _("Id of the item that the file is attached to."),
        VIEW_EDIT,
        columns=("parent_id",),
        read=lambda row, page: max(row["parent_id"], 0) or None,
        nullable=True,
    )
    source_url = String(
        _("Where the file lies."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("id",),
        read=_source,
        load=load_files,
    )
    missing_image_sizes = List(
        _("Renditions that could not be made."),
        EDIT_ONLY,
        readonly=True,
        columns=("id",),
        read=_missing,
        load=load_files,
    )


#: The arguments of the list of media.
LIST_ARGS: dict[str, Field] = {
    **list_fields(),
    "status": status_filter(("inherit", "private", "trash"), "inherit"),
    "parent": Ids(_("Only files attached to these items."), default=[], where=Content.parent_id.in_),
    "parent_exclude": Ids(_("No files attached to these items."), default=[], where=Content.parent_id.not_in),
    "media_type": String(_("Only files of this kind."), enum=KINDS, where=is_of_media_type),
    "mime_type": String(_("Only files of this type."), where=Content.mime_type.__eq__),
}


def _links() -> tuple[Link, ...]:
    return tuple(link for link in content_links("attachment") if link.rel in ("about", "author", "replies"))


def media_type() -> ContentType:
    """Return the type of media."""
    return ContentType(
        "attachment",
        "media",
        _("Media"),
        "posts",
        supports=("title", "author", "comments"),
        icon="dashicons-admin-media",
        inherits=True,
        resource=attachment,
    )


def attachment(content_type: ContentType, content_registry: ContentRegistry) -> Resource:
    """Return the resource of media."""
    return Resource(
        "attachment",
        "media",
        Content,
        MediaSchema,
        arguments("MediaListArgs", LIST_ARGS),
        MediaRules,
        content_type.label,
        links=_links(),
        address=file_permalink,
        upload_capability=CAPABILITY,
        has_trash=True,
    )
