"""The rules of comments: who may write, read, change and delete them, and what a write stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from cms.access.capabilities import Principal
from cms.dates import sent_gmt, to_gmt
from cms.db import Bound, QueryPlan
from cms.db.models import Comment, CommentRow
from cms.db.peewee_types import Expression
from cms.db.reader import Columns, ColumnValues
from cms.db.search import add_comment_search
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.operations.rules import Draft, ResourceRules, already_trashed, forbidden_context
from cms.operations.services import Services
from cms.rendering.sanitising import sanitize_comment
from cms.resources.comments.authors import author_columns, dropped_addresses
from cms.resources.comments.moderation import CAPABILITY, first_status, refuse_repetition
from cms.resources.comments.statuses import APPROVED, SENT, changed_status, listed_statuses
from cms.resources.comments.visibility import CommentVisibility
from cms.resources.content.plugin_visibility import hidden_items
from cms.resources.content.unlocking import password_matches
from cms.schema.fields import EDIT, VIEW
from cms.schema.resource import Arguments, Resource

#: Filters that need authorization, with the values that don't.
GUARDED: Mapping[str, tuple[object, ...]] = {
    **dict.fromkeys(("author", "author_exclude", "author_email"), (None, [])),
    "status": ("approve",),
    "type": ("comment",),
}


class CommentRules(ResourceRules[CommentRow]):
    """The rules of comments."""

    permission_columns = ("id", "post_id", "parent_id", "author_id", "status")
    not_found = ("rest_comment_invalid_id", _("There is no comment with this id."))
    exists_code = "rest_comment_exists"
    list_capability = "edit_posts"
    offset_counts_pages = False
    grouping_columns = {"post": "post_id", "parent": "parent_id"}
    orders: Mapping[str, Expression] = {
        "date": Comment.date_gmt,
        "date_gmt": Comment.date_gmt,
        "id": Comment.id,
        "post": Comment.post_id,
        "parent": Comment.parent_id,
        "type": Comment.type,
    }

    def __init__(self, services: Services, resource: Resource) -> None:
        super().__init__(services, resource)
        self.visibility = CommentVisibility(services)

    # Permissions.

    def may_update(self, principal: Principal, row: CommentRow) -> bool:
        """Tell whether the principal may change a comment: moderators, and those who may edit what it is on."""
        post = self.visibility.posts([row["post_id"]])[row["post_id"]]
        return self.visibility.may_moderate(principal, post)

    def may_delete(self, principal: Principal, row: CommentRow) -> bool:
        """Tell whether the principal may delete a comment."""
        return self.may_update(principal, row)

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError to visitors, for what is reserved for moderators, and for items that take no comments."""
        if not principal.id and not self.site.config["anonymous_comments"]:
            raise ApiError("rest_comment_login_required", _("Sign in to comment."), 401)
        if not principal.may(CAPABILITY):
            _check_reserved(args, principal)
        self._check_post(args, principal)

    def _check_post(self, args: Arguments, principal: Principal) -> None:
        post = self.visibility.posts([args["post"]]).get(args["post"])
        if post is None:
            message = _("There is no item with this id to comment on.")
            raise ApiError("rest_comment_invalid_post_id", message, 403)
        if post["status"] == "draft":
            raise ApiError("rest_comment_draft_post", _("A draft takes no comments."), 403)
        if post["status"] == "trash":
            raise ApiError("rest_comment_trash_post", _("What is in the trash takes no comments."), 403)
        if not self.visibility.may_read_post(principal, post, args.get("password")):
            raise cannot_read_post(principal)
        if post["comment_status"] != "open":
            raise ApiError("rest_comment_closed", _("This item takes no comments any more."), 403)

    # Visibility.

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError for items that can't be read, the editable form, and filters that need authorization."""
        for post in self.visibility.posts(args["post"]).values():
            if not self.visibility.may_read_post(principal, post, args.get("password")):
                raise cannot_read_post(principal)
        if 0 in args["post"] and not principal.may(CAPABILITY):
            raise NotAllowed(principal, "rest_cannot_read", _("You may not read comments without an item."))
        if args["context"] == EDIT and not principal.may(CAPABILITY):
            raise forbidden_context(principal)
        guarded = [name for name, usual in GUARDED.items() if args.get(name) not in usual]
        # Who may not read addresses may not test guesses of them either.
        needed = CAPABILITY if "author_email" in guarded else "edit_posts"
        if guarded and not principal.may(needed):
            message = _("These arguments need authorization: %(names)s.", names=", ".join(guarded))
            raise NotAllowed(principal, "rest_forbidden_param", message)

    def check_read(self, row: CommentRow, args: Arguments, principal: Principal) -> None:
        """Raise ApiError for the editable form to all but moderators, and for what the principal may not read."""
        post = self.visibility.posts([row["post_id"]])[row["post_id"]]
        if args["context"] == EDIT and not self.may_read_editable(principal, row):
            raise forbidden_context(principal)
        if not self.visibility.may_read(principal, row, post, args.get("password")):
            raise cannot_read(principal)

    def may_read_editable(self, principal: Principal, row: CommentRow) -> bool:
        """Tell whether the principal moderates: addresses are for nobody else, the author of the item included."""
        return principal.may(CAPABILITY)

    def unreadable(self, rows: Sequence[CommentRow], principal: Principal) -> dict[int, ApiError]:
        """Return which comments the principal may not read; their items are loaded at once."""
        posts = self.visibility.posts(row["post_id"] for row in rows)
        found: dict[int, ApiError] = {}
        for row in rows:
            if not self.visibility.may_read(principal, row, posts[row["post_id"]], None):
                found[row["id"]] = cannot_read(principal)
        return found

    def hidden_by_plugins(self, rows: Sequence[CommentRow], principal: Principal) -> dict[int, ApiError]:
        """Return which comments plugins hide, themselves or what they are on."""
        posts = self.visibility.posts(row["post_id"] for row in rows)
        hidden = hidden_items(self.services, list(posts.values()), principal)
        found, others = {}, []
        for row in rows:
            if row["post_id"] in hidden:
                found[row["id"]] = hidden[row["post_id"]]
            else:
                others.append(row)
        return super().hidden_by_plugins(others, principal) | found

    def filter_list(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Show comments of the wanted status on items that may be read, held ones of others to those who moderate."""
        statuses, type = listed_statuses(args["status"]), args["type"].lower()
        named = {f"status_{place}": status for place, status in enumerate(statuses)}
        plan.bind(named)
        plan.where_one_of(("status", len(named)), [partial(_has_status, name) for name in named])
        if type != "all":
            plan.where("type", lambda: Comment.type == Bound("type"), type=type)
        posts = self.visibility.posts(args["post"]).values()
        unlocked = [post["id"] for post in posts if password_matches(post, args.get("password"))]
        self.visibility.filter(plan, principal, unlocked, args["status"] == "any")
        zone = self.site.settings.zone
        if args.get("after"):
            plan.where("after", lambda: Comment.date_gmt > Bound("after"), after=to_gmt(args["after"], zone))
        if args.get("before"):
            plan.where(
                "before", lambda: Comment.date_gmt < Bound("before"), before=to_gmt(args["before"], zone)
            )
        if args.get("search"):
            add_comment_search(plan, args["search"], self.site.stores.search, full=principal.may(CAPABILITY))

    # Serialization.

    def status_of(self, row: CommentRow) -> str:
        """Return a comment's status."""
        return row["status"]

    def context_after_create(self, principal: Principal) -> str:
        """Return the editable form for moderators alone."""
        return EDIT if principal.may(CAPABILITY) else VIEW

    # Writing.

    def prepare(self, args: Arguments, row: CommentRow | None, principal: Principal, file: object) -> Columns:
        """Return the columns of the text, sanitised and rendered; none where nothing is said."""
        text = str(args.get("content") or "").strip()
        if not text:
            return {}
        if not principal.may("unfiltered_html"):
            text = sanitize_comment(text)
        return {"content": self.site.own_files.store(text), **self.services.renderer.comment_columns(text)}

    def draft(
        self, args: Arguments, row: CommentRow | None, principal: Principal, ready: Columns | None = None
    ) -> Draft:
        """Return the columns of a write; raises ApiError for what can't be stored."""
        _check_type(args, row)
        columns = self.prepare(args, row, principal, None) if ready is None else dict(ready)
        if not columns and (row is None or "content" in args):
            raise ApiError("rest_comment_content_invalid", _("A comment must say something."))
        columns |= author_columns(self.site, args, row, principal)
        ignored = dropped_addresses(args)
        columns |= self._place(args, row, principal)
        stored = None if row is None else row["date_gmt"]
        sent = sent_gmt(args.get("date"), args.get("date_gmt"), stored, self.site.settings.zone)
        if sent is not None:
            columns["date_gmt"] = sent
        if row is not None:
            status = {"status": row["status"], "status_before": row["status_before"]}
            return Draft(columns | changed_status(args.get("status"), status), ignored=ignored)
        columns.setdefault("date_gmt", self.site.now())
        refuse_repetition(self.site, columns, principal)
        return Draft(self._first_status(args, columns, principal) | columns, ignored=ignored)

    def _first_status(self, args: Arguments, columns: ColumnValues, principal: Principal) -> dict[str, str]:
        if args.get("status") is not None:
            return {"status": SENT.get(args["status"], APPROVED)}
        post = self.visibility.posts([columns["post_id"]])[columns["post_id"]]
        moderates = self.visibility.may_moderate(principal, post)
        return first_status(self.site, self.services.hooks, columns, post, principal, moderates)

    def _place(self, args: Arguments, row: CommentRow | None, principal: Principal) -> dict[str, int]:
        """Return what the comment is on and what it answers: moderators alone may move it."""
        if row is None:
            place = {"post_id": args["post"], "parent_id": args["parent"]}
            self._check_parent(0, place["parent_id"], place["post_id"])
            return place
        place = {f"{name}_id": args[name] for name in ("post", "parent") if args.get(name) is not None}
        post = place.get("post_id", row["post_id"])
        if post != row["post_id"]:
            if not principal.may(CAPABILITY) or post not in self.visibility.posts([post]):
                message = _("The comment can't stand on this item.")
                raise ApiError("rest_comment_invalid_post_id", message, 403)
            place.setdefault("parent_id", 0)
        self._check_parent(row["id"], place.get("parent_id", 0), post)
        return place

    def _check_parent(self, id: int, parent: int, post: int) -> None:
        """Refuse to answer what isn't on the same item, or answers this comment itself."""
        if not parent:
            return
        fault = self.site.stores.hierarchy.find_fault("comments", id, parent, {"post_id": post})
        if fault is not None:
            message = _("There is no comment %(id)s on this item to answer.", id=parent)
            raise ApiError("rest_comment_invalid_parent", message)

    def update(self, row: CommentRow, draft: Draft, principal: Principal) -> None:
        """Store changes; the answers to a comment that moves to another item stay where they are."""
        if draft.columns.get("post_id", row["post_id"]) != row["post_id"]:
            self.site.stores.comments.lift_replies(row)
        super().update(row, draft, principal)

    def trash(self, row: CommentRow, principal: Principal) -> None:
        """Move a comment to the trash; raises ApiError where it is there already."""
        if row["status"] == "trash":
            raise already_trashed()
        status = {"status": row["status"], "status_before": row["status_before"]}
        self.site.stores.items.update("comments", row["id"], changed_status("trash", status))

    def delete(self, row: CommentRow, args: Arguments, principal: Principal) -> None:
        """Delete a comment; its answers become answers to what it answered."""
        self.site.stores.comments.lift_replies(row)
        super().delete(row, args, principal)


def cannot_read(principal: Principal) -> NotAllowed:
    """Build the refusal of a comment."""
    return NotAllowed(principal, "rest_cannot_read", _("You may not read this comment."))


def cannot_read_post(principal: Principal) -> NotAllowed:
    """Build the refusal of comments on an item that can't be read."""
    return NotAllowed(principal, "rest_cannot_read_post", _("You may not read the item."))


def _check_reserved(args: Arguments, principal: Principal) -> None:
    """Refuse what moderators alone may set."""
    if args.get("author") is not None and args["author"] != principal.id:
        message = _("You may not comment in the name of others.")
        raise NotAllowed(principal, "rest_comment_invalid_author", message)
    if args.get("author_ip") is not None and args["author_ip"] != principal.address:
        message = _("You may not set the address.")
        raise NotAllowed(principal, "rest_comment_invalid_author_ip", message)
    if args.get("status") is not None:
        message = _("You may not set the state of a comment.")
        raise NotAllowed(principal, "rest_comment_invalid_status", message)


def _has_status(name: str) -> Expression:
    return Comment.status == Bound(name)


def _check_type(args: Arguments, row: CommentRow | None) -> None:
    sent = args.get("type")
    if sent is None or sent == ("comment" if row is None else row["type"]):
        return
    message = _("The kind of a comment can't be chosen.")
    if row is None:
        raise ApiError("rest_invalid_comment_type", message)
    raise ApiError("rest_comment_invalid_type", message, 404)
