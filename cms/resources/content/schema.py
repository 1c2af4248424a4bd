"""The fields of content: those of every kind, and those of content that is written rather than uploaded."""

from __future__ import annotations

from collections.abc import Callable

from cms.db.expressions import effective_status
from cms.i18n import _
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.plain import encode_slug
from cms.resources.content.permalinks import permalink
from cms.resources.content.rendered import local_date, prepare_guid, prepare_title, protected_text
from cms.resources.content.stored_html import TEXT_COLUMNS, load_stale
from cms.schema.content_types import COMMENT_STATUSES, INTERNAL, WRITABLE
from cms.schema.fields import (
    ALWAYS,
    EDIT_ONLY,
    VIEW_EDIT,
    Boolean,
    DateTime,
    Integer,
    Object,
    Raw,
    String,
    text_properties,
)
from cms.schema.schemas import ItemSchema

#: What a text that a password can protect tells besides.
PROTECTED = {"protected": Boolean(_("Whether a password protects the text."), readonly=True)}
#: More than any book has: what is longer would take seconds to render.


class WriteStatus(String):
    """A status to give an item; one that isn't on the list passes where the item has it already."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> object:
        if value in INTERNAL:
            return value
        return super()._deserialize(value, attr, data, **kwargs)


def _prepare_status(page: SerializationContext) -> Callable[[Row], str]:
    now = page.now
    return lambda row: effective_status(row, now)


class ContentSchema(ItemSchema):
    """The fields of every kind of content."""

    id = Integer(_("Number that identifies the item."), ALWAYS, readonly=True)
    date = DateTime(
        _("When the item is or was published, in the site's time zone."),
        ALWAYS,
        columns=("date_gmt",),
        prepare=local_date("date_gmt"),
    )
    date_gmt = DateTime(_("When the item is or was published, in GMT."), VIEW_EDIT)
    guid = Object(
        _("Permanent name of the item; not an address to open."),
        VIEW_EDIT,
        readonly=True,
        properties=text_properties(),
        columns=("id",),
        prepare=prepare_guid,
    )
    modified = DateTime(
        _("When the item was last changed, in the site's time zone."),
        VIEW_EDIT,
        readonly=True,
        columns=("modified_gmt",),
        prepare=local_date("modified_gmt"),
    )
    modified_gmt = DateTime(_("When the item was last changed, in GMT."), VIEW_EDIT, readonly=True)
    slug = String(
        _("Name of the item in addresses, unique among items of its type."),
        ALWAYS,
        example="a-walk-by-the-river",
        columns=("slug",),
        prepare=lambda page: lambda row: encode_slug(row["slug"]),
    )
    status = WriteStatus(
        _("Where the item stands between draft and publication."),
        VIEW_EDIT,
        enum=WRITABLE,
        answer_values=INTERNAL,
        example="draft",
        columns=("status", "date_gmt"),
        prepare=_prepare_status,
    )
    type = String(_("Kind of content."), ALWAYS, readonly=True)
    link = String(
        _("Where a front end shows the item."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("id", "type", "status", "slug", "date_gmt"),
        read=permalink,
    )
    title = Raw(
        _("The item's title."),
        ALWAYS,
        example="A walk by the river",
        columns=(*TEXT_COLUMNS, "title_html"),
        edit_columns=("title",),
        prepare=prepare_title,
        load=load_stale,
    )
    author = Integer(_("Id of the account that wrote the item."), ALWAYS, column="author_id")
    comment_status = String(_("Whether the item takes comments."), VIEW_EDIT, enum=COMMENT_STATUSES)
    ping_status = String(
        _("Whether the item takes notices of other sites that link to it."), VIEW_EDIT, enum=COMMENT_STATUSES
    )
    meta = Object(
        _("Further values that plugins have declared."),
        VIEW_EDIT,
        columns=(),
        prepare=lambda page: lambda row: {},
    )
    template = String(_("Name of the template that a front end shows the item with."), VIEW_EDIT)


class WrittenSchema(ContentSchema):
    """The fields of content that is written rather than uploaded: posts and pages."""

    password = String(_("Protects content and excerpt: readers must give it."), EDIT_ONLY, max_length=255)
    content = Raw(
        _("The item's text."),
        VIEW_EDIT,
        example="<p>It was a mild morning.</p>",
        properties=PROTECTED,
        columns=(*TEXT_COLUMNS, "content_html"),
        edit_columns=("content",),
        prepare=protected_text("content"),
        load=load_stale,
        max_bytes_setting="max_text",
    )
    excerpt = Raw(
        _("A short form of the text for lists."),
        ALWAYS,
        properties=PROTECTED,
        columns=(*TEXT_COLUMNS, "excerpt_html"),
        edit_columns=("excerpt",),
        prepare=protected_text("excerpt"),
        load=load_stale,
    )
    featured_media = Integer(
        _("Id of the picture that stands for the item; 0 for none."), ALWAYS, null=0, column="featured_id"
    )
