"""Comments: their fields, the arguments of their list, their links."""

from __future__ import annotations

import ipaddress

from marshmallow import ValidationError, missing

from cms.dates import to_local
from cms.db.models import Comment, ContentRow
from cms.i18n import _
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.resources.accounts import EMAIL, MAX_EMAIL_LENGTH
from cms.resources.comments.rules import CommentRules
from cms.resources.content.list_args import PasswordArgs
from cms.resources.content.tree import nested_permalink, paths
from cms.resources.own_addresses import with_own_files
from cms.resources.users.schema import avatar_properties, avatars
from cms.schema.fields import (
    ALWAYS,
    EDIT,
    EDIT_ONLY,
    NEVER,
    VIEW,
    VIEW_EDIT,
    DateTime,
    Field,
    Ids,
    Integer,
    Object,
    Raw,
    SearchText,
    String,
)
from cms.schema.resource import Link, Resource, SerializedItem, SerializedItems
from cms.schema.schemas import PAGING, ContextArgs, ForceArgs, ItemSchema, arguments, fields_of


class CommentText(Raw):
    """What a comment says; what is neither a text nor an object with one counts as nothing said."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> object:
        if not isinstance(value, (str, dict)) or (
            isinstance(value, dict) and not isinstance(value.get("raw"), str)
        ):
            return missing
        return super()._deserialize(value, attr, data, **kwargs)


class MaybeEmail(String):
    """An e-mail address, or nothing."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if text and not EMAIL.fullmatch(text):
            raise ValidationError([_("This must be an e-mail address.")])
        return text


class Address(String):
    """An IP address."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        try:
            return text and str(ipaddress.ip_address(text))
        except ValueError:
            raise ValidationError([_("This must be an IP address.")]) from None


def load_posts(page: SerializationContext) -> dict[int, ContentRow]:
    """Return the items that a page's comments are on, by id."""
    return page.site.stores.content.many(row["post_id"] for row in page.rows)


def load_paths(page: SerializationContext) -> dict[int, str]:
    """Return what is before the slugs, in their addresses, of the items that a page's comments are on."""
    return paths(page, page.load(load_posts).values())


def load_having_replies(page: SerializationContext) -> set[int]:
    """Return which comments of a page have approved replies."""
    return page.site.stores.comments.having_replies(page.ids)


def _content(row: Row, page: SerializationContext) -> SerializedItem:
    html = row["content_html"]
    if row["rendered_by"] != page.rendering_version:
        html = page.renderer.comment_columns(row["content"])["content_html"]
    show = page.site.own_files.show
    if page.context == EDIT:
        return {"rendered": show(html), "raw": show(row["content"])}
    return {"rendered": show(html)}


def _status(row: Row, page: SerializationContext) -> str:
    if page.load(load_posts)[row["post_id"]]["status"] == "trash":
        return "post-trashed"
    return str(row["status"])


def _link(row: Row, page: SerializationContext) -> str:
    return f"{nested_permalink(page.load(load_posts)[row['post_id']], page, load_paths)}#comment-{row['id']}"


def _avatars(row: Row, page: SerializationContext) -> dict[str, str]:
    whose = f"users/{row['author_id']}" if row["author_id"] else f"comments/{row['id']}"
    return avatars(f"{page.site.url}/{whose}")


class CommentSchema(ItemSchema):
    """The fields of a comment."""

    id = Integer(_("Number that identifies the comment."), ALWAYS, readonly=True)
    post = Integer(_("Id of the item that the comment stands on."), VIEW_EDIT, default=0, column="post_id")
    parent = Integer(
        _("Id of the comment that this one answers; 0 for none."), ALWAYS, default=0, column="parent_id"
    )
    author = Integer(_("Id of the account that wrote the comment; 0 for none."), ALWAYS, column="author_id")
    author_name = String(
        _("Name that is shown as the author's."),
        ALWAYS,
        max_bytes=245,
        too_long="comment_author_column_length",
    )
    author_email = MaybeEmail(
        _("E-mail address of the author."),
        EDIT_ONLY,
        max_bytes=MAX_EMAIL_LENGTH,
        too_long="comment_author_email_column_length",
    )
    author_url = String(
        _("Address of the author's own site."),
        ALWAYS,
        max_bytes=200,
        too_long="comment_author_url_column_length",
        columns=("author_url",),
        read=with_own_files("author_url"),
    )
    author_ip = Address(_("IP address that the comment came from."), EDIT_ONLY)
    author_user_agent = String(_("Program that the comment was sent with."), EDIT_ONLY)
    date = DateTime(
        _("When the comment was written, in the site's time zone."),
        ALWAYS,
        columns=("date_gmt",),
        read=lambda row, page: to_local(row["date_gmt"], page.zone),
    )
    date_gmt = DateTime(_("When the comment was written, in GMT."), VIEW_EDIT)
    content = CommentText(
        _("What the comment says."),
        ALWAYS,
        example="I was there too.",
        columns=("content", "content_html", "rendered_by"),
        read=_content,
        max_bytes=65_525,
        too_long="comment_content_column_length",
    )
    link = String(
        _("Where a front end shows the comment."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("id", "post_id"),
        read=_link,
    )
    status = String(
        _("Whether the comment is approved, held, spam or in the trash."),
        VIEW_EDIT,
        columns=("status", "post_id"),
        read=_status,
    )
    type = String(_("Kind of comment."), ALWAYS, hidden=True)
    author_avatar_urls = Object(
        _("Addresses of pictures for the author, by size in pixels."),
        ALWAYS,
        properties=avatar_properties(),
        readonly=True,
        columns=("id", "author_id"),
        read=_avatars,
    )
    meta = Object(
        _("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=lambda row, page: {}
    )
    password = String(_("Password of the item, to comment on it."), NEVER, hidden=True)


LIST_ARGS: dict[str, Field] = {
    "context": fields_of(ContextArgs)["context"],
    **PAGING,
    "search": SearchText(_("Only comments whose text, author or author's site hold this.")),
    "after": DateTime(_("Only comments written after this moment.")),
    "author": Ids(
        _("Only comments by these accounts. Needs authorization."),
        default=[],
        where=Comment.author_id.in_,
    ),
    "author_exclude": Ids(
        _("No comments by these accounts. Needs authorization."),
        default=[],
        where=Comment.author_id.not_in,
    ),
    "author_email": MaybeEmail(
        _("Only comments with this address. Needs authorization."), where=Comment.author_email.__eq__
    ),
    "before": DateTime(_("Only comments written before this moment.")),
    "exclude": Ids(_("All comments but these."), default=[], where=Comment.id.not_in),
    "include": Ids(_("Only these comments."), default=[], where=Comment.id.in_),
    "offset": Integer(_("How many comments of the whole list to skip."), minimum=0),
    "order": String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="desc"),
    "orderby": String(
        _("What the list is ordered by."),
        default="date_gmt",
        enum=("date", "date_gmt", "id", "include", "post", "parent", "type"),
    ),
    "parent": Ids(_("Only answers to these comments."), default=[], where=Comment.parent_id.in_),
    "parent_exclude": Ids(_("No answers to these comments."), default=[], where=Comment.parent_id.not_in),
    "post": Ids(_("Only comments on these items."), default=[], where=Comment.post_id.in_),
    "status": String(_("Only comments in this state. Needs authorization."), default="approve"),
    "type": String(_("Only comments of this kind. Needs authorization."), default="comment"),
    "password": String(_("Password of the item, if it has one.")),
}


class CommentDeleteArgs(ForceArgs):
    """The arguments of deleting a comment."""

    password = String(_("Password of the item, if it has one."))


def _author(row: Row, page: SerializationContext) -> str | None:
    if row["author_id"]:
        return f"{page.site.collection_urls['user']}/{row['author_id']}"
    return None


def _up(row: Row, page: SerializationContext) -> SerializedItems:
    kind = page.load(load_posts)[row["post_id"]]["type"]
    if kind not in page.site.collection_urls:  # of a plugin that is gone
        return []
    return [
        {"embeddable": True, "post_type": kind, "href": f"{page.site.collection_urls[kind]}/{row['post_id']}"}
    ]


def _answered(row: Row, page: SerializationContext) -> str | None:
    if row["parent_id"]:
        return f"{page.site.collection_urls['comment']}/{row['parent_id']}"
    return None


def _children(row: Row, page: SerializationContext) -> str | None:
    has_replies = row["id"] in page.load(load_having_replies)
    if has_replies:
        return f"{page.site.collection_urls['comment']}?parent={row['id']}"
    return None


LINKS = (
    Link("author", _author, embeddable=True, columns=("author_id",)),
    Link("up", _up, columns=("post_id",)),
    Link("in-reply-to", _answered, embeddable=True, columns=("parent_id",)),
    Link("children", _children, embeddable=True),
)


def comment() -> Resource:
    """Return the resource of comments."""
    return Resource(
        "comment",
        "comments",
        Comment,
        CommentSchema,
        arguments("CommentListArgs", LIST_ARGS),
        CommentRules,
        _("Comments"),
        get_args=PasswordArgs,
        delete_args=CommentDeleteArgs,
        links=LINKS,
        has_trash=True,
        created_contexts=(EDIT, VIEW),
    )
