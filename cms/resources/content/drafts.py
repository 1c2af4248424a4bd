"""What a write of content stores, from the arguments of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cms.access.capabilities import Principal
from cms.dates import sent_gmt
from cms.db.expressions import DRAFT, effective_status, stored_status
from cms.db.models import ContentRow
from cms.db.reader import Columns, ColumnValues
from cms.db.stores import ParentFault
from cms.errors import ApiError, InvalidParams, NotAllowed
from cms.i18n import _
from cms.operations.rules import Draft
from cms.operations.services import Services
from cms.rendering.sanitising import sanitize_post, sanitize_title
from cms.rendering.slugs import mark_trashed, resent_slug, title_slug, without_trash_mark
from cms.resources.content.terms import chosen_terms, unknown_terms
from cms.resources.content.writing import (
    TEXTS,
    default_discussion,
    free_slug,
    is_pinned_and_locked,
    password_of,
    text_columns,
)
from cms.schema.content_types import ContentType
from cms.schema.resource import Arguments

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
TERMS = "terms"


@dataclass(frozen=True)
class ContentDrafts:
    """Builds what the writes of one type's items store; values are checked in the interface's order."""

    services: Services
    type: ContentType

    def build(
        self,
        args: Arguments,
        row: ContentRow | None,
        principal: Principal,
        status: str,
        texts: ColumnValues | None = None,
    ) -> Draft:
        """Return the columns of a write, and its terms; `status` is the one that the item will be shown with.

        `texts` is what `texts()` returned before the transaction. Raises ApiError for what can't be stored.
        """
        now = self.services.site.now()
        if texts is None:
            texts = self.texts(args, row, principal)
        columns = self._own_columns(args, row, principal, status, texts)
        columns |= self._parent(args, row)
        columns |= self._slug(args, row, columns)
        if status == "pending" and not self.type.policy.may_publish(principal):
            columns["slug"] = ""  # the name in addresses is for those who publish to choose
        columns |= self._featured(args)
        columns |= self._defaults(columns, now) if row is None else self._changed(row, status, now)
        terms = chosen_terms(self.services.site, self.type.name, args, row)
        return Draft(columns, {TERMS: terms}, self._ignored(args, columns, terms))

    def _own_columns(
        self, args: Arguments, row: ContentRow | None, principal: Principal, status: str, texts: ColumnValues
    ) -> Columns:
        """Return the columns that depend on no other item."""
        columns = {column: args[name] for name, column in PLAIN.items() if args.get(name) is not None}
        columns |= texts
        columns |= self._dates(args, row, status, self.services.site.now())
        columns["status"] = stored_status(status)
        columns |= self._author(args, row, principal)
        self._set_password(columns, row, status)
        self._require_text(columns)
        self._check_template(columns, row)
        return columns

    def _parent(self, args: Arguments, row: ContentRow | None) -> Columns:
        parent = self.parent(args, row)
        if parent is None:
            return {}
        return {"parent_id": parent}

    def _changed(self, row: ContentRow, status: str, now: str) -> Columns:
        columns: Columns = {"modified_gmt": now}
        if row["status"] == "trash" and status != "trash":
            columns |= {"trashed_status": "", "trashed_gmt": ""}
        return columns

    def _ignored(
        self, args: Arguments, columns: ColumnValues, terms: Mapping[str, list[int]]
    ) -> dict[str, list[Any]]:
        """Return what was sent and isn't stored: terms and pictures that there aren't, a parent below the item."""
        ignored: dict[str, list[Any]] = dict(unknown_terms(self.services.site, self.type.name, args, terms))
        for name, column in (("featured_media", "featured_id"), ("parent", "parent_id")):
            if args.get(name) and columns.get(column) == 0:
                ignored[name] = [args[name]]
        return ignored

    def texts(self, args: Arguments, row: ContentRow | None, principal: Principal) -> Columns:
        """Return the columns of title, content and excerpt after a write, with the HTML that is made of them."""
        merged = {}
        for name in TEXTS:
            sent = args.get(name)
            stored = row[name] if row is not None else ""  # type: ignore[literal-required]  # one of TEXTS
            merged[name] = sent if isinstance(sent, str) else self.services.site.own_files.show(stored)
        merged["title"] = merged["title"].strip()
        if not principal.may("unfiltered_html"):
            # Also what others wrote before: who saves an item answers for all of it.
            merged["title"] = sanitize_title(merged["title"])
            merged["content"] = sanitize_post(merged["content"])
            merged["excerpt"] = sanitize_post(merged["excerpt"])
        return dict(text_columns(self.services.renderer, self.type.name, merged, row))

    def chosen_status(self, args: Arguments, row: ContentRow | None, principal: Principal) -> str:
        """Return the status that an item is shown with after a write.

        Raises ApiError where it can't have the one that is sent, or the principal may not give it.
        """
        present = DRAFT if row is None else effective_status(row, self.services.site.now())
        sent = args.get("status")
        if sent is None or sent == present:
            return present
        registry = self.services.site.content_registry
        if sent not in registry.writable:
            raise not_writable()
        if sent not in registry.floating and not self.type.policy.may_publish(principal):
            raise may_not_publish(principal)
        return str(sent)

    def parent(self, args: Arguments, row: ContentRow | None) -> int | None:
        """Return the parent that an item gets, None where it keeps its own; an item below itself gets none.

        Raises ApiError where there is no such item.
        """
        sent = args.get("parent")
        if sent is None or not self.type.hierarchical:
            return args.get("parent_id")
        if sent == 0:
            return 0
        id = 0 if row is None else row["id"]
        fault = self.services.site.stores.hierarchy.find_fault("content", id, sent, {"type": self.type.name})
        if fault is ParentFault.MISSING:
            raise ApiError("rest_post_invalid_id", _("There is no item %(id)s to be the parent.", id=sent))
        return 0 if fault is ParentFault.LOOP else int(sent)

    def _dates(self, args: Arguments, row: ContentRow | None, status: str, now: str) -> Columns:
        stored = None if row is None else row["date_gmt"]
        zone = self.services.site.settings.zone
        sent = sent_gmt(args.get("date"), args.get("date_gmt"), stored, zone)
        if sent is not None:
            return {"date_gmt": sent, "date_floats": False}
        if row is None or row["date_floats"]:
            # A draft without a date of its own moves along until it is published.
            floating = self.services.site.content_registry.floating
            return {"date_gmt": now, "date_floats": status in floating}
        return {}

    def _author(self, args: Arguments, row: ContentRow | None, principal: Principal) -> dict[str, int]:
        author = args.get("author")
        if not author:
            return {"author_id": principal.id} if row is None else {}
        if not self.services.site.stores.users.exists(author):
            message = _("There is no account with the id %(id)s.", id=author)
            raise ApiError("rest_invalid_author", message)
        return {"author_id": author}

    def _set_password(self, columns: Columns, row: ContentRow | None, status: str) -> None:
        """Keep an item from being pinned and protected at once, and a private one from having a password."""
        present = {"password": "", "is_sticky": False}
        if row is not None:
            present = {"password": row["password"], "is_sticky": bool(row["is_sticky"])}
        if is_pinned_and_locked({**present, **columns}):
            message = _("An item can't be both pinned and protected by a password.")
            raise ApiError("rest_invalid_field", message)
        if status == "private":
            columns["password"] = password_of(status, "")

    def _require_text(self, columns: ColumnValues) -> None:
        # A type that lacks one of the three may be empty in the others.
        needs_text = {"title", "editor", "excerpt"} <= set(self.type.supports)
        if needs_text and not any(columns[name] for name in TEXTS):
            message = _("Title, content and excerpt are all empty. Send at least one of them.")
            raise ApiError("empty_content", message)

    def _check_template(self, columns: ColumnValues, row: ContentRow | None) -> None:
        template, known = columns.get("template"), self.services.site.config["templates"]
        if not template or template in known or (row is not None and template == row["template"]):
            return
        names = ", ".join(known) or _("none")
        message = _("There is no such template. Templates: %(names)s.", names=names)
        raise InvalidParams({"template": message})

    def _slug(self, args: Arguments, row: ContentRow | None, columns: ColumnValues) -> dict[str, str]:
        present = "" if row is None else row["slug"]
        if row is not None and row["status"] == "trash":
            if columns["status"] == "trash":
                return self._trashed_slug(args, row, present)
            present = without_trash_mark(present)
        wanted = present
        if args.get("slug") is not None:
            wanted = self._sent_slug(args["slug"], row, present)
        floating = self.services.site.content_registry.floating
        if not wanted and columns["status"] not in floating:
            wanted = title_slug(columns["title"])
        stored_parent = 0 if row is None else row["parent_id"]
        parent = columns.get("parent_id", stored_parent)
        is_unchanged = row is not None and wanted == row["slug"] and parent == stored_parent
        if not wanted or is_unchanged:
            return {"slug": wanted}
        id = 0 if row is None else row["id"]
        return {"slug": free_slug(self.services.site.stores.slugs, self.type, wanted, id, parent)}

    def _trashed_slug(self, args: Arguments, row: ContentRow, present: str) -> dict[str, str]:
        """Return the slug for when the item comes back, when it is made unique."""
        if args.get("slug") is None:
            return {}
        return {"slug": mark_trashed(self._sent_slug(args["slug"], row, without_trash_mark(present)))}

    def _sent_slug(self, sent: str, row: ContentRow | None, present: str) -> str:
        if row is not None and row["status"] == "trash":
            sent = without_trash_mark(sent)
        return resent_slug(sent, present)

    def _featured(self, args: Arguments) -> dict[str, int]:
        sent = args.get("featured_media")
        if sent is None:
            return {}
        is_known = self.services.site.stores.content.exists(sent, "attachment")
        return {"featured_id": sent if is_known else 0}

    def _defaults(self, columns: ColumnValues, now: str) -> Columns:
        discussion = default_discussion(self.type, self.services.site.settings)
        chosen = {name: columns.get(name, default) for name, default in discussion.items()}
        return {"type": self.type.name, "modified_gmt": min(columns["date_gmt"], now), **chosen}


def not_writable() -> InvalidParams:
    """Build the refusal of a status that no write can give."""
    return InvalidParams({"status": _("An item can't be put in this state by writing it.")})


def may_not_publish(principal: Principal) -> NotAllowed:
    """Build the refusal of a status to those who may not publish."""
    message = _("You may not publish. Save it as pending for review.")
    return NotAllowed(principal, "rest_cannot_publish", message)
