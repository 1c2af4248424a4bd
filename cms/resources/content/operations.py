"""Reading, writing, trashing and deleting content: the rules that posts, pages and media have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from hmac import compare_digest
from typing import Any

from cms.access.capabilities import ContentPolicy, Principal
from cms.dates import sent_gmt, to_gmt
from cms.db import Bound, QueryPlan
from cms.db.models import Content
from cms.db.search import add_search, relevance
from cms.errors import ApiError, InvalidParams, NotAllowed
from cms.i18n import _
from cms.operations.crud import Operations
from cms.operations.slugs import clean_slug, without_mark
from cms.operations.visibility import INHERIT, may_read, readable, visibility_key
from cms.rendering.plain import make_slug, sort_key
from cms.rendering.sanitising import sanitize_post, sanitize_title
from cms.resources.content.plugin_visibility import hidden_items, narrow_items
from cms.resources.content.revisions import keep_revision
from cms.resources.content.schema import shown_status
from cms.resources.content.terms import chosen_terms, store_terms
from cms.resources.content.tree import free_below, lift_children
from cms.schema.content_types import ContentRegistry, ContentType
from cms.schema.fields import EDIT
from cms.schema.resource import Arguments, Item
from cms.schema.schemas import Loader

#: The fields that are stored as they are sent, with their columns.
PLAIN = {
    "comment_status": "comment_status",
    "ping_status": "ping_status",
    "format": "format",
    "template": "template",
    "menu_order": "menu_order",
    "password": "password",
    "sticky": "is_sticky",
}


class ContentOperations(Operations):
    """The operations on one type of content."""

    always = ("id", "type", "status", "author_id", "date_gmt", "trashed_status")
    not_found = ("rest_post_invalid_id", _("There is no item of this type with this id."))
    exists_code = "rest_post_exists"
    page_limit_code = "rest_post_invalid_page_number"
    offset_counts_pages = False
    counts_past_offset = False
    #: States that everybody may ask for; None for all public ones.
    open_states: tuple[str, ...] | None = None
    orders: Mapping[str, Callable[[], Any]] = {
        "author": lambda: Content.author_id,
        "date": lambda: Content.date_gmt,
        "id": lambda: Content.id,
        "modified": lambda: Content.modified_gmt,
        "parent": lambda: Content.parent_id,
        "slug": lambda: Content.slug,
        "title": lambda: Content.sort_title,
        "menu_order": lambda: Content.menu_order,
    }

    @property
    def content_registry(self) -> ContentRegistry:
        """What is registered on the site."""
        return self.site.registry.content_registry

    @property
    def kind(self) -> ContentType:
        """The type whose items these are."""
        return self.content_registry.types[self.resource.name]

    @property
    def policy(self) -> ContentPolicy:
        """Who may do what with items of this type."""
        return self.kind.policy

    def scope(self) -> tuple[Hashable, Any]:
        """Return the type's own rows."""
        return self.resource.name, Content.type == self.resource.name

    # Questions.

    def status_of(self, row: Any) -> str | None:
        """Return an item's state; one that is published at a date ahead is scheduled."""
        return shown_status(row, self.site.now())

    def hidden(self, rows: Sequence[Any], principal: Principal) -> dict[int, ApiError]:
        """Return which items plugins hide, themselves or what they are attached to."""
        return hidden_items(self.site, rows, principal)

    def narrow(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Narrow a list to items that plugins don't hide."""
        narrow_items(self.site, self.kind, plan, args, principal)

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may write items."""
        return self.policy.may_create(principal)

    def may_update(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may change this item."""
        return self.policy.may_edit(principal, row)

    def may_delete(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may trash or delete this item."""
        return self.policy.may_delete(principal, row)

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Refuse to write in another's name or to pin without the right, then to write at all."""
        self._check_claims(args, principal)
        super().check_create(args, principal)

    def check_update(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse to edit at all, then to give away or to pin without the right."""
        super().check_update(row, args, principal)
        self._check_claims(args, principal)

    def _check_claims(self, args: Arguments, principal: Principal) -> None:
        if (
            args.get("author")
            and args["author"] != principal.id
            and not self.policy.may_edit_others(principal)
        ):
            raise NotAllowed(
                principal, "rest_cannot_edit_others", _("You may not write in the name of others.")
            )
        if args.get("sticky") and not (
            self.policy.may_edit_others(principal) or self.policy.may_publish(principal)
        ):
            raise NotAllowed(principal, "rest_cannot_assign_sticky", _("You may not pin items to the front."))

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Refuse the editable form and unpublished states to readers, and orders that lack what they order by."""
        if args["context"] == EDIT and not self.may_create(principal):
            raise forbidden_context(principal)
        opened = self.policy.public if self.open_states is None else self.open_states
        unpublished = [status for status in self._statuses(args) if status not in opened]
        if unpublished and not self.may_create(principal):
            raise InvalidParams(
                {
                    "status": _(
                        "These states are shown to those who may edit: %(states)s.",
                        states=", ".join(unpublished),
                    )
                }
            )
        check_order(args)

    def check_read(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse what the principal may not read, then a password that doesn't fit."""
        if args["context"] == EDIT and not self.may_update(principal, row):
            raise forbidden_context(principal)
        if not may_read(self.site.content_registry.types, principal, row, self.site.now()):
            raise NotAllowed(principal, "rest_forbidden", _("You may not read this."))
        if args.get("password") and not self.unlocks(row, args):
            raise ApiError("rest_post_incorrect_password", _("This isn't the item's password."), 403)

    def unlocks(self, row: Any, args: Arguments) -> bool:
        """Tell whether the right password was sent."""
        return opens(row, args.get("password"))

    def restrict(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Show what is in the wanted states and may be read (or edited), and add search and dates."""
        statuses, types = tuple(dict.fromkeys(self._statuses(args))), self.content_registry.types
        kind = self.kind
        key = visibility_key(types, principal) if INHERIT in statuses else self.policy.key(principal)
        plan.where(("visible", statuses, key), lambda: readable(types, kind, principal, statuses))
        if args["context"] == EDIT:
            plan.where("editable", lambda: self.policy.editable(principal))
        zone = self.site.settings.zone
        for name in ("after", "before"):
            if args.get(name):
                plan.where(name, _dated(name), **{name: to_gmt(args[name], zone)})
        if args.get("search"):
            add_search(plan, Content, args["search"])
            if not principal.id:
                plan.where("unlocked", lambda: Content.password == "")

    def _statuses(self, args: Arguments) -> list[str]:
        wanted = args["status"] if isinstance(args["status"], list) else [args["status"]]
        if "any" in wanted:
            wanted = [*wanted, *self.content_registry.writable]
        return [status for status in wanted if status != "any"] or ["publish"]

    def order(self, plan: QueryPlan, args: Arguments) -> None:
        """Order by relevance where that is asked for, else as every list does."""
        if args["orderby"] == "relevance":
            plan.order("relevance", relevance(Content, plan, args["search"]))
            plan.ordering += [lambda: Content.date_gmt.desc(), lambda: Content.id.desc()]
        else:
            super().order(plan, args)

    # Writing.

    def prepare_write(
        self, action: str, args: Arguments, row: Any, principal: Principal, loader: Loader
    ) -> dict[str, Any]:
        """Tell first of a publication that is due, then do as for every resource."""
        if row is not None:
            self.site.schedule.catch_up(row["id"])
        return super().prepare_write(action, args, row, principal, loader)

    def values(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        """Return the columns of a write, checked in the interface's order."""
        now = self.site.now()
        values: dict[str, Any] = {
            column: args[name] for name, column in PLAIN.items() if args.get(name) is not None
        }
        values |= self.texts(args, row, principal)
        status = self._status(args, row, principal)
        values |= self._dates(args, row, status, now)
        values["status"] = "publish" if status == "future" else status
        values |= self._author(args, row, principal)
        _check_password(values, row)
        if status == "private":
            values["password"] = ""
        self._require_text(values)
        self._check_template(values, row)
        values |= self._slug(args, row, values)
        if status == "pending" and not self.policy.may_publish(principal):
            values["slug"] = ""  # the name in addresses is for those who publish to choose
        if row is not None and row["status"] == "trash" and status != "trash":
            values |= {"trashed_status": "", "trashed_gmt": ""}
        values |= self._pictures(args)
        values["terms"] = chosen_terms(self.site, self.resource.name, args, row)
        return values | ({"modified_gmt": now} if row is not None else self._defaults(values, now))

    def texts(self, args: Arguments, row: Any, principal: Principal) -> dict[str, Any]:
        """Return the columns of title, content and excerpt after a write, with the HTML that is made of them."""
        texts = {
            name: args[name] for name in ("title", "content", "excerpt") if isinstance(args.get(name), str)
        }
        stored = {name: row[name] if row is not None else "" for name in ("title", "content", "excerpt")}
        merged = stored | texts
        merged["title"] = merged["title"].strip()
        if not principal.may("unfiltered_html"):
            # Also what others wrote before: who saves an item answers for all of it.
            merged = {
                "title": sanitize_title(merged["title"]),
                "content": sanitize_post(merged["content"]),
                "excerpt": sanitize_post(merged["excerpt"]),
            }
        rendered = self.site.renderer.content_columns(self.resource.name, **merged)
        return merged | rendered | {"sort_title": sort_key(merged["title"])}

    def _status(self, args: dict[str, Any], row: Any, principal: Principal) -> str:
        present = shown_status(row, self.site.now()) if row is not None else "draft"
        sent = args.get("status")
        if sent is None or sent == present:
            return present
        if sent not in self.content_registry.writable:
            raise InvalidParams({"status": _("An item can't be put in this state by writing it.")})
        if sent not in self.content_registry.floating and not self.policy.may_publish(principal):
            raise NotAllowed(
                principal, "rest_cannot_publish", _("You may not publish. Save it as pending for review.")
            )
        return str(sent)

    def _dates(self, args: dict[str, Any], row: Any, status: str, now: str) -> dict[str, Any]:
        stored = row["date_gmt"] if row is not None else None
        sent = sent_gmt(args.get("date"), args.get("date_gmt"), stored, self.site.settings.zone)
        if sent is not None:
            return {"date_gmt": sent, "date_floats": False}
        if row is None or row["date_floats"]:
            # A draft without a date of its own moves along until it is published.
            return {"date_gmt": now, "date_floats": status in self.content_registry.floating}
        return {}

    def _author(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        author = args.get("author")
        if not author:
            return {} if row is not None else {"author_id": principal.id}
        if self.site.database.row("SELECT 1 FROM users WHERE id = ?", (author,)) is None:
            raise ApiError("rest_invalid_author", _("There is no account with the id %(id)s.", id=author))
        return {"author_id": author}

    def _require_text(self, values: dict[str, Any]) -> None:
        # A type that lacks one of the three may be empty in the others.
        texts = {values["title"], values["content"], values["excerpt"]}
        if texts == {""} and {"title", "editor", "excerpt"} <= set(self.kind.supports):
            raise ApiError(
                "empty_content", _("Title, content and excerpt are all empty. Send at least one of them.")
            )

    def _check_template(self, values: dict[str, Any], row: Any) -> None:
        template, known = values.get("template"), self.site.config["templates"]
        if template and template not in known and (row is None or template != row["template"]):
            names = ", ".join(known) or _("none")
            raise InvalidParams(
                {"template": _("There is no such template. Templates: %(names)s.", names=names)}
            )

    def _slug(self, args: dict[str, Any], row: Any, values: dict[str, Any]) -> dict[str, Any]:
        present = row["slug"] if row is not None else ""
        if row is not None and row["status"] == "trash":
            if values["status"] == "trash":
                return {}
            present = without_mark(present)
        wanted = present if args.get("slug") is None else clean_slug(args["slug"])
        if not wanted and values["status"] not in self.content_registry.floating:
            wanted = make_slug(values["title"])
        parent = args.get("parent_id", row["parent_id"] if row is not None else 0)
        if not wanted or (row is not None and wanted == row["slug"] and parent == row["parent_id"]):
            return {"slug": wanted}
        id = row["id"] if row is not None else 0
        return {"slug": free_below(self.site.database, self.kind, wanted, id, parent)}

    def _pictures(self, args: dict[str, Any]) -> dict[str, Any]:
        if args.get("featured_media") is None:
            return {}
        known = self.site.database.row(
            "SELECT 1 FROM content WHERE id = ? AND type = 'attachment'", (args["featured_media"],)
        )
        return {"featured_id": args["featured_media"] if known else 0}

    def _defaults(self, values: dict[str, Any], now: str) -> dict[str, Any]:
        kind, settings = self.kind, self.site.settings
        opened = kind.discussed and "comments" in kind.supports
        states = {
            name: values.get(name, settings[f"default_{name}"] if opened else "closed")
            for name in ("comment_status", "ping_status")
        }
        return {"type": kind.name, "modified_gmt": min(values["date_gmt"], now), **states}

    def insert(self, values: dict[str, Any], principal: Principal) -> int:
        """Store a new item and its terms; a published one always gets a slug."""
        terms = values.pop("terms")
        id = super().insert(values, principal)
        if not values["slug"] and values["status"] not in self.content_registry.floating:
            self.site.database.run(Content.update(slug=str(id)).where(Content.id == id))
        store_terms(self.site.database, id, terms)
        return id

    def modify(self, row: Any, values: dict[str, Any], principal: Principal) -> None:
        """Store changed columns and terms."""
        terms = values.pop("terms", {})
        if "slug" in values and not values["slug"] and values["status"] not in self.content_registry.floating:
            values["slug"] = str(row["id"])
        super().modify(row, values, principal)
        store_terms(self.site.database, row["id"], terms)
        keep_revision(self.site, {**dict(row), **values}, principal)

    # Deleting.

    def trash(self, row: Any, principal: Principal) -> Item:
        """Move an item to the trash: its slug is marked and free for others, it is pinned no more."""
        if row["status"] == "trash":
            message = _("This is in the trash already. Send force=true to delete it.")
            raise ApiError("rest_already_trashed", message, 410)
        super().modify(
            row,
            {
                "status": "trash",
                "slug": f"{row['slug']}__trashed",
                "is_sticky": False,
                "modified_gmt": self.site.now(),
                "trashed_status": row["status"],
                "trashed_gmt": self.site.now(),
            },
            principal,
        )
        return self.shown(self.find(row["id"]), EDIT, principal)

    def remove(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Delete an item with all that is its own; it is no more a picture or parent of others."""
        run = self.site.database.run
        self.site.database.execute("DELETE FROM content_terms WHERE content_id = ?", (row["id"],))
        self.site.database.execute("DELETE FROM comments WHERE post_id = ?", (row["id"],))
        self.site.database.execute("DELETE FROM revisions WHERE parent_id = ?", (row["id"],))
        run(Content.update(featured_id=0).where(Content.featured_id == row["id"], Content.featured_id != 0))
        super().remove(row, args, principal)
        lift_children(self.site.database, self.site.content_registry.types, row)


def _dated(name: str) -> Callable[[], Any]:
    if name == "after":
        return lambda: Content.date_gmt > Bound("after")
    return lambda: Content.date_gmt < Bound("before")


def _check_password(values: dict[str, Any], row: Any) -> None:
    password = values.get("password", row["password"] if row is not None else "")
    sticky = values.get("is_sticky", row["is_sticky"] if row is not None else False)
    if password and sticky:
        raise ApiError("rest_invalid_field", _("An item can't be both pinned and protected by a password."))


def opens(row: Any, password: str | None) -> bool:
    """Tell whether this is the password of a protected item."""
    real = row["password"]
    return bool(real) and compare_digest((password or "").encode(), real.encode())


def forbidden_context(principal: Principal) -> NotAllowed:
    """Build the refusal of the editable form."""
    return NotAllowed(principal, "rest_forbidden_context", _("You may not see the editable form of this."))


def check_order(args: Arguments) -> None:
    """Refuse an order by ids, slugs or relevance where there is nothing to order by."""
    by = args["orderby"]
    if by == "relevance" and not args.get("search"):
        raise ApiError("rest_no_search_term_defined", _("Order by relevance needs something to search for."))
    if by == "include" and not args.get("include"):
        raise ApiError("rest_orderby_include_missing_include", _("Order by include needs ids in include."))
