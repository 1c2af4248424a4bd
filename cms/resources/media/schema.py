"""Media: uploaded files with what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import orjson
from marshmallow import missing
from peewee import SQL, NodeList

from cms.db.models import Content
from cms.i18n import _
from cms.rendering.plain import encode_slug
from cms.resources.content.schema import (
    TEXT_COLUMNS,
    ContentSchema,
    WriteStatus,
    content_links,
    list_fields,
    load_stale,
    rendered,
    status_filter,
)
from cms.resources.media.operations import CAPABILITY, MediaOperations
from cms.schema.content_types import WRITABLE, ContentRegistry, ContentType
from cms.schema.fields import ALWAYS, EDIT, EDIT_ONLY, VIEW_EDIT, Ids, Integer, List, Object, Raw, String
from cms.schema.resource import Link, Resource, SerializationContext
from cms.schema.schemas import ArgumentSchema, fields_of

KINDS = ("image", "video", "text", "application", "audio")
NO_FILE: Mapping[str, Any] = {"file": "", "alt_text": "", "details": "{}", "origin": ""}
OF_ITEMS = "SELECT * FROM media WHERE content_id IN (SELECT value FROM json_each(?))"


def load_files(page: SerializationContext) -> dict[int, Any]:
    """Return what is known of the files of all items on a page."""
    return {row["content_id"]: row for row in page.site.database.rows(OF_ITEMS, (str(page.ids),))}


def _file(row: Any, page: SerializationContext) -> Mapping[str, Any]:
    files: Mapping[int, Mapping[str, Any]] = page.loaded[load_files]
    return files.get(row["id"], NO_FILE)


def _source(row: Any, page: SerializationContext) -> str:
    file = _file(row, page)
    return page.site.file_address(file["file"]) if file["file"] else str(file["origin"])


def _details(row: Any, page: SerializationContext) -> dict[str, Any]:
    file = _file(row, page)
    told: dict[str, Any] = orjson.loads(file["details"])
    told.pop("missing", None)
    folder = file["file"].rpartition("/")[0]
    for size in told.get("sizes", {}).values():
        size["source_url"] = page.site.file_address(f"{folder}/{size['file']}")
    if told.get("sizes"):
        told["sizes"]["full"] = {
            "file": file["file"].rpartition("/")[2],
            "width": told["width"],
            "height": told["height"],
            "mime_type": row["mime_type"],
            "source_url": _source(row, page),
        }
    return told


def _missing(row: Any, page: SerializationContext) -> list[str]:
    return list(orjson.loads(_file(row, page)["details"]).get("missing", []))


def _alt(row: Any, page: SerializationContext) -> str:
    return str(_file(row, page)["alt_text"])


def _kind(row: Any) -> str:
    return str(row["mime_type"].partition("/")[0])


def _caption(row: Any, page: SerializationContext) -> dict[str, str]:
    html = rendered(row, page, "excerpt")
    if not html and _kind(row) not in ("image", "audio", "video"):
        html = (
            f"<p>{rendered(row, page, 'title')}</p>\n"  # the link that the description begins with, as text
        )
    return {"raw": row["excerpt"], "rendered": html} if page.context == EDIT else {"rendered": html}


def _description(row: Any, page: SerializationContext) -> dict[str, str]:
    html = f'<p class="attachment">{_shown(row, page)}</p>\n{rendered(row, page, "content")}'
    return {"raw": row["content"], "rendered": html} if page.context == EDIT else {"rendered": html}


def _shown(row: Any, page: SerializationContext) -> str:
    """Return the file itself as HTML: a picture, a player, or a link."""
    source, kind = escape(_source(row, page)), _kind(row)
    if kind in ("audio", "video"):
        return f'<{kind} controls preload="metadata" src="{source}"></{kind}>'
    if kind != "image":
        return f'<a href="{source}">{rendered(row, page, "title")}</a>'
    details = _details(row, page)
    shown = details.get("sizes", {}).get("medium") or {"source_url": _source(row, page), **details}
    measures = "".join(f' {name}="{shown[name]}"' for name in ("width", "height") if name in shown)
    alt, address = escape(_alt(row, page)), escape(shown["source_url"])
    return f'<a href="{source}"><img{measures} src="{address}" class="attachment-medium size-medium" alt="{alt}" /></a>'


def _link(row: Any, page: SerializationContext) -> str:
    if row["slug"] and row["status"] != "trash":
        return f"{page.site.url}/{encode_slug(row['slug'])}/"
    return f"{page.site.url}/?attachment_id={row['id']}"


class Loose(Raw):
    """A text with a rendered form; a value that is neither is left alone."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
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
        read=fields_of(ContentSchema)["title"].reader,
    )
    status = WriteStatus(
        _("Where the item stands: as what it is attached to, private, or in the trash."),
        VIEW_EDIT,
        enum=WRITABLE,
    )
    link = String(
        _("Where a front end shows the item."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("id", "status", "slug"),
        read=_link,
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
        readonly=True,
        columns=("id", "mime_type"),
        read=_details,
        load=load_files,
    )
    post = Integer(
        _("Id of the item that the file is attached to."),
        VIEW_EDIT,
        columns=("parent_id",),
        read=lambda row, page: row["parent_id"] or None,
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


def _of_kind(place: Any) -> Any:
    return NodeList((Content.mime_type, SQL("LIKE"), place, SQL("|| '/%'")), parens=True)


class MediaListArgs(ArgumentSchema):
    """The arguments of the list of media."""

    locals().update(list_fields())
    status = status_filter(("inherit", "private", "trash"), "inherit")
    parent = Ids(_("Only files attached to these items."), default=[], where=Content.parent_id.in_)
    parent_exclude = Ids(_("No files attached to these items."), default=[], where=Content.parent_id.not_in)
    media_type = String(_("Only files of this kind."), enum=KINDS, where=_of_kind)
    mime_type = String(_("Only files of this type."), where=Content.mime_type.__eq__)


def _links() -> tuple[Link, ...]:
    return tuple(link for link in content_links("media") if link.rel in ("about", "author", "replies"))


def media_type() -> ContentType:
    """Return the type of media."""
    return ContentType(
        "attachment",
        "media",
        _("Media"),
        "posts",
        supports=("title", "author", "comments"),
        inherits=True,
        resource=attachment,
    )


def attachment(kind: ContentType, content_registry: ContentRegistry) -> Resource:
    """Return the resource of media."""
    return Resource(
        "attachment",
        "media",
        Content,
        MediaSchema,
        MediaListArgs,
        MediaOperations,
        kind.label,
        links=_links(),
        address=_link,
        upload_capability=CAPABILITY,
    )
