"""Reading, writing and moderating comments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any

from cms.access.capabilities import Principal
from cms.dates import sent_gmt, to_gmt
from cms.db import Bound, Each, QueryPlan
from cms.db.models import Comment, Content
from cms.db.search import contains, like
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.operations.crud import Operations
from cms.operations.hierarchy import is_ancestor_or_self
from cms.operations.visibility import INHERIT, ITEMS, may_edit, may_read, readable, visibility_key
from cms.rendering.sanitising import sanitize_comment
from cms.resources.comments.authors import author_columns
from cms.resources.comments.moderation import CAPABILITY, first_state, refuse_repetition
from cms.resources.content.operations import forbidden_context, opens
from cms.resources.content.plugin_visibility import hidden_items, narrow_items
from cms.schema.fields import EDIT, EMBED, VIEW
from cms.schema.resource import Arguments, Item, SerializationContext, SerializedItems

#: What may be sent as a state, with the state that it means.
STATES = {
    "approve": "approved",
    "approved": "approved",
    "1": "approved",
    "hold": "hold",
    "0": "hold",
    "spam": "spam",
    "trash": "trash",
}
REMOVED = ("spam", "trash")
FILTERS = ("author", "author_exclude", "author_email")


class CommentOperations(Operations):
    """The operations on comments."""

    always = ("id", "post_id", "parent_id", "author_id", "status")
    not_found = ("rest_comment_invalid_id", _("There is no comment with this id."))
    exists_code = "rest_comment_exists"
    offset_counts_pages = False
    orders: Mapping[str, Callable[[], Any]] = {
        "date": lambda: Comment.date_gmt,
        "date_gmt": lambda: Comment.date_gmt,
        "id": lambda: Comment.id,
        "post": lambda: Comment.post_id,
        "parent": lambda: Comment.parent_id,
        "type": lambda: Comment.type,
    }

    # Questions.

    def may_list_editable(self, principal: Principal) -> bool:
        """Tell whether the principal may list comments of any state."""
        return principal.may("edit_posts")

    def context_after_create(self, principal: Principal) -> str:
        """Return the editable form for moderators alone."""
        return EDIT if principal.may(CAPABILITY) else VIEW

    def may_update(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may change a comment: moderators, and those who may edit what it stands on."""
        return self._may_moderate(principal, self._posts([row["post_id"]])[row["post_id"]])

    def may_delete(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may delete a comment."""
        return self.may_update(principal, row)

    def _may_moderate(self, principal: Principal, post: Any) -> bool:
        return principal.may(CAPABILITY) or may_edit(self.site.content_registry.types, principal, post)

    def _may_read_post(self, principal: Principal, post: Any, password: str | None) -> bool:
        types = self.site.content_registry.types
        if hidden_items(self.site, [post], principal):
            return False
        if may_edit(types, principal, post):
            return True
        opened = not post["password"] or opens(post, password)
        return opened and may_read(types, principal, post, self.site.now())

    def _posts(self, ids: Sequence[int]) -> dict[int, Any]:
        return {row["id"]: row for row in self.site.database.rows(ITEMS, (str(list(ids)),))}

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Refuse visitors, what is reserved for moderators, and items that take no comments."""
        if not principal.id and not self.site.config["anonymous_comments"]:
            raise ApiError("rest_comment_login_required", _("Sign in to comment."), 401)
        self._check_reserved(args, principal)
        self._check_post(args, principal)

    def _check_reserved(self, args: Arguments, principal: Principal) -> None:
        if principal.may(CAPABILITY):
            return
        if args.get("author") is not None and args["author"] != principal.id:
            raise NotAllowed(
                principal, "rest_comment_invalid_author", _("You may not comment in the name of others.")
            )
        if args.get("author_ip") is not None and args["author_ip"] != principal.address:
            raise NotAllowed(principal, "rest_comment_invalid_author_ip", _("You may not set the address."))
        if args.get("status") is not None:
            raise NotAllowed(
                principal, "rest_comment_invalid_status", _("You may not set the state of a comment.")
            )

    def _check_post(self, args: Arguments, principal: Principal) -> None:
        post = self._posts([args["post"]]).get(args["post"])
        if post is None:
            raise ApiError(
                "rest_comment_invalid_post_id", _("There is no item with this id to comment on."), 403
            )
        if post["status"] == "draft":
            raise ApiError("rest_comment_draft_post", _("A draft takes no comments."), 403)
        if post["status"] == "trash":
            raise ApiError("rest_comment_trash_post", _("What is in the trash takes no comments."), 403)
        if not self._may_read_post(principal, post, args.get("password")):
            raise NotAllowed(principal, "rest_cannot_read_post", _("You may not read the item."))
        if post["comment_status"] != "open":
            raise ApiError("rest_comment_closed", _("This item takes no comments any more."), 403)

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Refuse items that can't be read, the editable form, and filters that need authorization."""
        for post in self._posts(args["post"]).values():
            if not self._may_read_post(principal, post, args.get("password")):
                raise NotAllowed(principal, "rest_cannot_read_post", _("You may not read the item."))
        if 0 in args["post"] and not principal.may(CAPABILITY):
            raise NotAllowed(principal, "rest_cannot_read", _("You may not read comments without an item."))
        if args["context"] == EDIT and not principal.may(CAPABILITY):
            raise forbidden_context(principal)
        named = [name for name in FILTERS if args.get(name) not in (None, [])]
        named += [name for name, usual in (("status", "approve"), ("type", "comment")) if args[name] != usual]
        if named and not principal.may("edit_posts"):
            message = _("These arguments need authorization: %(names)s.", names=", ".join(named))
            raise NotAllowed(principal, "rest_forbidden_param", message)

    def check_read(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse the editable form to all but moderators, and what the principal may not read."""
        post = self._posts([row["post_id"]])[row["post_id"]]
        if args["context"] == EDIT and not principal.may(CAPABILITY):
            raise forbidden_context(principal)
        if not self._may_read(row, post, args.get("password"), principal):
            raise NotAllowed(principal, "rest_cannot_read", _("You may not read this comment."))

    def _may_read(self, row: Any, post: Any, password: str | None, principal: Principal) -> bool:
        if self._may_moderate(principal, post):
            return True
        own = principal.id != 0 and row["author_id"] == principal.id
        return (own or row["status"] == "approved") and self._may_read_post(principal, post, password)

    def refused(self, rows: Sequence[Any], principal: Principal) -> dict[int, ApiError]:
        """Return which comments the principal may not read; their items are loaded at once."""
        posts = self._posts([row["post_id"] for row in rows])
        return {
            row["id"]: NotAllowed(principal, "rest_cannot_read", _("You may not read this comment."))
            for row in rows
            if not self._may_read(row, posts[row["post_id"]], None, principal)
        }

    def hidden(self, rows: Sequence[Any], principal: Principal) -> dict[int, ApiError]:
        """Return which comments plugins hide, themselves or what they stand on."""
        posts = hidden_items(
            self.site, list(self._posts([row["post_id"] for row in rows]).values()), principal
        )
        of_posts = {row["id"]: posts[row["post_id"]] for row in rows if row["post_id"] in posts}
        return super().hidden([row for row in rows if row["id"] not in of_posts], principal) | of_posts

    def status_of(self, row: Any) -> str | None:
        """Return a comment's state."""
        return str(row["status"])

    # Lists.

    def restrict(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Show comments in the wanted state on items that may be read, others' held ones to those who moderate."""
        status, kind = args["status"], args["type"].lower()
        wanted = {"all": ("approved", "hold"), "any": ("approved", "hold", "spam", "trash")}.get(
            status, (STATES.get(status, status),)
        )
        plan.where("status", lambda: Comment.status.in_(Each("statuses")), statuses=list(wanted))
        if kind != "all":
            plan.where("type", lambda: Comment.type == Bound("kind"), kind=kind)
        self._restrict_posts(plan, principal, args, trashed=status == "any")
        zone = self.site.settings.zone
        for name, compare in (("after", Comment.date_gmt.__gt__), ("before", Comment.date_gmt.__lt__)):
            if args.get(name):
                plan.where(name, partial(compare, Bound(name)), **{name: to_gmt(args[name], zone)})
        if args.get("search"):
            full = principal.may(CAPABILITY)
            plan.where(("search", full), lambda: _search(full), search=like(args["search"]))

    def _restrict_posts(self, plan: QueryPlan, principal: Principal, args: Arguments, trashed: bool) -> None:
        types = self.site.content_registry.types
        kinds = [kind for kind in types.values() if kind.public]
        key = visibility_key(types, principal)
        opened = [
            post["id"] for post in self._posts(args["post"]).values() if opens(post, args.get("password"))
        ]
        content_registry = self.site.content_registry
        states = (*content_registry.writable, INHERIT, *(["trash"] if trashed else []))
        seen = {kind.name: QueryPlan() for kind in kinds}
        for kind in kinds:
            narrow_items(self.site, kind, seen[kind.name], {}, principal)
            plan.bind(seen[kind.name].values)

        def unlocked_of(kind: Any) -> Any:
            unlocked = (Content.password == "") | Content.id.in_(Each("opened"))
            if principal.id:
                unlocked |= kind.policy.editable(principal)
            shown = (Content.type == kind.name) & readable(types, kind, principal, states) & unlocked
            condition = seen[kind.name].condition()
            return shown if condition is None else shown & condition

        def visible() -> Any:
            posts = Content.select(Content.id).where(reduce(or_, [unlocked_of(kind) for kind in kinds]))
            return Comment.post_id.in_(posts)

        keys = tuple(tuple(each.shape) for each in seen.values())
        plan.where(("posts", key, trashed, keys), visible, opened=opened)
        if not principal.may(CAPABILITY):
            plan.where(("approved", key), lambda: self._approved(principal, kinds))

    def _approved(self, principal: Principal, kinds: Sequence[Any]) -> Any:
        if not principal.id:
            return Comment.status == "approved"
        editable = reduce(
            or_, [(Content.type == kind.name) & kind.policy.editable(principal) for kind in kinds]
        )
        own = Comment.author_id == Bound("principal")
        return (
            (Comment.status == "approved")
            | own
            | Comment.post_id.in_(Content.select(Content.id).where(editable))
        )

    def grouped(self, argument: str, ids: Sequence[int], principal: Principal) -> dict[int, SerializedItems]:
        """Return the comments on several items, or the answers to several comments, at once."""
        if argument not in ("post", "parent"):
            return super().grouped(argument, ids, principal)
        now = self.site.now()
        args = self.list_loader.load({argument: list(ids), "context": EMBED})
        serializer = self.serializer(EMBED)
        rows = self._rows(self.plan(args, principal, now), serializer, 100 * len(ids), 0)
        page = SerializationContext(self.site, principal, EMBED, rows, now)
        found: dict[int, SerializedItems] = {}
        for row, item in zip(rows, self.show(page, serializer), strict=True):
            found.setdefault(row[f"{argument}_id"], []).append(item)
        return found

    # Writing.

    def values(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        """Return the columns of a write."""
        _check_type(args, row)
        values = self._text(args, row, principal)
        values |= author_columns(self.site, args, row, principal)
        values |= self._place(args, row, principal)
        stored = row["date_gmt"] if row is not None else None
        sent = sent_gmt(args.get("date"), args.get("date_gmt"), stored, self.site.settings.zone)
        if sent is not None:
            values["date_gmt"] = sent
        if row is not None:
            return values | self._new_state(args.get("status"), row)
        values = {"date_gmt": self.site.now(), **values}
        refuse_repetition(self.site, values, principal)
        if args.get("status") is not None:
            return {"status": STATES.get(args["status"], "approved"), **values}
        post = self._posts([values["post_id"]])[values["post_id"]]
        return first_state(self.site, values, post, principal, self._may_moderate(principal, post)) | values

    def _text(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        if row is not None and "content" not in args:
            return {}
        text = str(args.get("content") or "").strip()
        if not text:
            raise ApiError("rest_comment_content_invalid", _("A comment must say something."))
        if not principal.may("unfiltered_html"):
            text = sanitize_comment(text)
        return {"content": text, **self.site.renderer.comment_columns(text)}

    def _place(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, int]:
        """Return where the comment stands: moderators alone may move it, and an answer stays on its item."""
        if row is None:
            place = {"post_id": args["post"], "parent_id": args["parent"]}
        else:
            place = {f"{name}_id": args[name] for name in ("post", "parent") if args.get(name) is not None}
        post = place.get("post_id", row["post_id"] if row is not None else 0)
        moved = row is not None and post != row["post_id"]
        if moved and (not principal.may(CAPABILITY) or post not in self._posts([post])):
            raise ApiError("rest_comment_invalid_post_id", _("The comment can't stand on this item."), 403)
        if moved:
            place.setdefault("parent_id", 0)
        if place.get("parent_id"):
            known = self.site.database.row("SELECT post_id FROM comments WHERE id = ?", (place["parent_id"],))
            loops = row is not None and is_ancestor_or_self(
                self.site.database, "comments", row["id"], place["parent_id"]
            )
            if known is None or known["post_id"] != post or loops:
                message = _("There is no comment %(id)s on this item to answer.", id=place["parent_id"])
                raise ApiError("rest_comment_invalid_parent", message)
        return place

    def _new_state(self, sent: str | None, row: Any) -> dict[str, str]:
        if sent in ("untrash", "unspam"):
            return {"status": row["status_before"] or "approved", "status_before": ""}
        state = STATES.get(sent or "", row["status"])
        if state in REMOVED and row["status"] not in REMOVED:
            return {"status": state, "status_before": row["status"]}
        return {"status": state}

    def modify(self, row: Any, values: dict[str, Any], principal: Principal) -> None:
        """Store changes; the answers to a comment that moves to another item stay where they are."""
        if values.get("post_id", row["post_id"]) != row["post_id"]:
            self._lift_answers(row)
        super().modify(row, values, principal)

    def _lift_answers(self, row: Any) -> None:
        self.site.database.run(
            Comment.update(parent_id=row["parent_id"]).where(Comment.parent_id == row["id"])
        )

    def trash(self, row: Any, principal: Principal) -> Item:
        """Move a comment to the trash."""
        if row["status"] == "trash":
            message = _("This is in the trash already. Send force=true to delete it.")
            raise ApiError("rest_already_trashed", message, 410)
        self.modify(row, self._new_state("trash", row), principal)
        return self.shown(self.find(row["id"]), EDIT, principal)

    def remove(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Delete a comment; its answers become answers to what it answered."""
        self._lift_answers(row)
        super().remove(row, args, principal)


def _check_type(args: dict[str, Any], row: Any) -> None:
    kind = args.get("type")
    if kind is None or kind == (row["type"] if row is not None else "comment"):
        return
    message = _("The kind of a comment can't be chosen.")
    if row is None:
        raise ApiError("rest_invalid_comment_type", message)
    raise ApiError("rest_comment_invalid_type", message, 404)


def _search(full: bool) -> Any:
    place = Bound("search")
    seen = (Comment.content, Comment.author_name, Comment.author_url)
    columns = (*seen, Comment.author_email, Comment.author_ip) if full else seen
    return reduce(or_, [contains(column, place) for column in columns])
