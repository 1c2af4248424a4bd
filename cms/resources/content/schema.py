"""What posts, pages and media share: their fields, the arguments of their lists, their links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cms.dates import to_local
from cms.db.models import Content
from cms.i18n import Text, _
from cms.operations.slugs import clean_slug
from cms.rendering.plain import encode_slug
from cms.schema.content_types import COMMENT_STATES, INTERNAL, WRITABLE
from cms.schema.fields import (
    ALWAYS,
    EDIT,
    EDIT_ONLY,
    VIEW_EDIT,
    DateTime,
    Ids,
    Integer,
    List,
    Object,
    Raw,
    String,
)
from cms.schema.resource import Link, SerializationContext
from cms.schema.schemas import PAGING, ContextArgs, ItemSchema

#: What a list's filter takes.
LISTED = (*WRITABLE, *INTERNAL, "any")


class WriteStatus(String):
    """A state to put an item in; a state that isn't on the list passes where the item is already in it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if value in INTERNAL:
            return value
        return super()._deserialize(value, attr, data, **kwargs)


class SlugText(String):
    """A slug to look for, reduced to the form that slugs are stored in."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return clean_slug(super()._deserialize(value, attr, data, **kwargs))


def slug_filter(where: Any) -> List:
    """Return a list's filter by slugs."""
    return List(_("Only items with one of these slugs."), items=SlugText(Text("")), where=where)


def shown_status(row: Any, now: str) -> str:
    """Return an item's state: one that is published at a date ahead is scheduled."""
    return "future" if row["status"] == "publish" and row["date_gmt"] > now else str(row["status"])


def is_shown(row: Any, page: SerializationContext) -> bool:
    """Tell whether a front end shows an item under its slug."""
    return bool(
        row["status"] in page.site.content_registry.shown and row["slug"] and row["date_gmt"] <= page.now
    )


def permalink(row: Any, page: SerializationContext) -> str:
    """Return where a front end shows an item: by its slug, or by its id while it has none or isn't public."""
    if is_shown(row, page):
        return f"{page.site.url}/{encode_slug(row['slug'])}/"
    return f"{page.site.url}/?p={row['id']}"


def _local(column: str) -> Callable[[Any, SerializationContext], str]:
    return lambda row, page: to_local(row[column], page.zone)


def rendered(row: Any, page: SerializationContext, column: str) -> str:
    """Return the stored HTML, or the HTML of today's rules where the stored one is of older ones."""
    if row["rendered_by"] == page.rules:
        return str(row[f"{column}_html"])
    return str(page.loaded[load_stale][row["id"]][f"{column}_html"])


def load_stale(page: SerializationContext) -> dict[int, dict[str, str]]:
    """Render, in memory, the items of a page whose stored HTML is of older rules."""
    stale = [row["id"] for row in page.rows if row["rendered_by"] != page.rules]
    if not stale:
        return {}
    marks = ",".join("?" * len(stale))
    sql = f"SELECT id, type, title, content, excerpt FROM content WHERE id IN ({marks})"  # noqa: S608 (marks alone)
    rows = page.site.database.rows(sql, stale)
    render = page.site.renderer.content_columns
    return {row["id"]: render(row["type"], row["title"], row["content"], row["excerpt"]) for row in rows}


def _opened(row: Any, page: SerializationContext) -> bool:
    return not row["password"] or page.unlocked or page.context == EDIT


def _title(row: Any, page: SerializationContext) -> dict[str, Any]:
    html = rendered(row, page, "title")
    if row["status"] == "private":
        html = _("Private: %(title)s", title=html)
    return {"raw": row["title"], "rendered": html} if page.context == EDIT else {"rendered": html}


def _text(column: str) -> Callable[[Any, SerializationContext], dict[str, Any]]:
    def read(row: Any, page: SerializationContext) -> dict[str, Any]:
        html = rendered(row, page, column) if _opened(row, page) else ""
        shown = {"rendered": html, "protected": bool(row["password"])}
        return {"raw": row[column], **shown} if page.context == EDIT else shown

    return read


TEXT_COLUMNS = ("id", "rendered_by", "password", "status")


class ContentSchema(ItemSchema):
    """The fields of every kind of content."""

    id = Integer(_("Number that identifies the item."), ALWAYS, readonly=True)
    date = DateTime(
        _("When the item is or was published, in the site's time zone."),
        ALWAYS,
        columns=("date_gmt",),
        read=_local("date_gmt"),
    )
    date_gmt = DateTime(_("When the item is or was published, in GMT."), VIEW_EDIT)
    guid = Object(
        _("Permanent name of the item; not an address to open."),
        VIEW_EDIT,
        readonly=True,
        columns=("id",),
        read=lambda row, page: {"rendered": f"{page.site.url}/?p={row['id']}"},
    )
    modified = DateTime(
        _("When the item was last changed, in the site's time zone."),
        VIEW_EDIT,
        readonly=True,
        columns=("modified_gmt",),
        read=_local("modified_gmt"),
    )
    modified_gmt = DateTime(_("When the item was last changed, in GMT."), VIEW_EDIT, readonly=True)
    slug = String(
        _("Name of the item in addresses, unique among items of its type."),
        ALWAYS,
        columns=("slug",),
        read=lambda row, page: encode_slug(row["slug"]),
    )
    status = WriteStatus(
        _("Where the item stands between draft and publication."),
        VIEW_EDIT,
        enum=WRITABLE,
        columns=("status", "date_gmt"),
        read=lambda row, page: shown_status(row, page.now),
    )
    type = String(_("Kind of content."), ALWAYS, readonly=True)
    link = String(
        _("Where a front end shows the item."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("id", "status", "slug", "date_gmt"),
        read=permalink,
    )
    title = Raw(
        _("The item's title."),
        ALWAYS,
        columns=(*TEXT_COLUMNS, "title_html"),
        edit_columns=("title",),
        read=_title,
        load=load_stale,
    )
    author = Integer(_("Id of the account that wrote the item."), ALWAYS, column="author_id")
    comment_status = String(_("Whether the item takes comments."), VIEW_EDIT, enum=COMMENT_STATES)
    ping_status = String(
        _("Whether the item takes notices of other sites that link to it."), VIEW_EDIT, enum=COMMENT_STATES
    )
    meta = Object(
        _("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=lambda row, page: {}
    )
    template = String(_("Name of the template that a front end shows the item with."), VIEW_EDIT)


class WrittenSchema(ContentSchema):
    """The fields of content that is written rather than uploaded: posts and pages."""

    password = String(_("Protects content and excerpt: readers must give it."), EDIT_ONLY)
    content = Raw(
        _("The item's text."),
        VIEW_EDIT,
        columns=(*TEXT_COLUMNS, "content_html"),
        edit_columns=("content",),
        read=_text("content"),
        load=load_stale,
    )
    excerpt = Raw(
        _("A short form of the text for lists."),
        ALWAYS,
        columns=(*TEXT_COLUMNS, "excerpt_html"),
        edit_columns=("excerpt",),
        read=_text("excerpt"),
        load=load_stale,
    )
    featured_media = Integer(
        _("Id of the picture that stands for the item; 0 for none."), ALWAYS, null=0, column="featured_id"
    )


def status_filter(allowed: tuple[str, ...], default: str) -> List:
    """Return a list's filter by states."""
    return List(
        _("Only items in these states; others than published ones need the right to edit."),
        items=String(Text(""), enum=allowed),
        default=default,
    )


ORDERS = (
    "author",
    "date",
    "id",
    "include",
    "modified",
    "parent",
    "relevance",
    "slug",
    "include_slugs",
    "title",
)


def list_fields(states: tuple[str, ...] = LISTED, orders: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the arguments that lists of every kind of content take; `orders` are those of the kind besides."""
    return {
        "context": ContextArgs._declared_fields["context"],
        **PAGING,
        "search": String(_("Only items whose title, excerpt or text hold all these words.")),
        "after": DateTime(_("Only items published after this moment.")),
        "author": Ids(_("Only items by these accounts."), default=[], where=Content.author_id.in_),
        "author_exclude": Ids(_("No items by these accounts."), default=[], where=Content.author_id.not_in),
        "before": DateTime(_("Only items published before this moment.")),
        "exclude": Ids(_("All items but these."), default=[], where=Content.id.not_in),
        "include": Ids(_("Only these items."), default=[], where=Content.id.in_),
        "offset": Integer(_("How many items of the whole list to skip."), minimum=0),
        "order": String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="desc"),
        "orderby": String(_("What the list is ordered by."), enum=(*ORDERS, *orders), default="date"),
        "slug": slug_filter(Content.slug.in_),
        "status": status_filter(states, "publish"),
    }


class PasswordArgs(ContextArgs):
    """The arguments of reading one item that a password may protect."""

    password = String(_("The item's password, if it has one."))


def _below(name: str, query: str) -> Callable[[Any, SerializationContext], str]:
    return lambda row, page: f"{page.site.addresses[name]}{query}{row['id']}"


def _author(row: Any, page: SerializationContext) -> str:
    return f"{page.site.addresses['user']}/{row['author_id']}"


def _featured(row: Any, page: SerializationContext) -> str | None:
    return f"{page.site.addresses['attachment']}/{row['featured_id']}" if row["featured_id"] else None


def _terms(row: Any, page: SerializationContext) -> list[dict[str, Any]]:
    return [
        {
            "taxonomy": taxonomy.name,
            "embeddable": True,
            "href": f"{page.site.addresses[taxonomy.name]}?post={row['id']}",
        }
        for taxonomy in page.site.content_registry.taxonomies_of(row["type"])
    ]


def _about(row: Any, page: SerializationContext) -> str:
    return f"{page.site.root}/types/{row['type']}"


def content_links(name: str) -> tuple[Link, ...]:
    """Return the links of the items of a type."""
    return (
        Link("about", _about, columns=("type",)),
        Link("author", _author, embeddable=True, columns=("author_id",)),
        Link("replies", _below("comment", "?post="), embeddable=True),
        Link("version-history", lambda row, page: f"{page.site.addresses[name]}/{row['id']}/revisions"),
        Link("wp:featuredmedia", _featured, embeddable=True, columns=("featured_id",)),
        Link("wp:attachment", _below("attachment", "?parent=")),
        Link("wp:term", _terms, columns=("id", "type")),
    )
