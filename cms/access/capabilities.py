"""Who may do what: roles, their capabilities, the rules for an item, and the same rules as query conditions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from peewee import SQL, fn

from cms.db import Bound
from cms.db.models import Content

READER = frozenset({"read"})
CONTRIBUTOR = READER | {"edit_posts", "delete_posts"}
AUTHOR = CONTRIBUTOR | {"edit_published_posts", "delete_published_posts", "publish_posts", "upload_files"}
EDITOR = AUTHOR | {
    "edit_others_posts",
    "delete_others_posts",
    "edit_private_posts",
    "delete_private_posts",
    "read_private_posts",
    "edit_pages",
    "edit_others_pages",
    "edit_published_pages",
    "edit_private_pages",
    "publish_pages",
    "delete_pages",
    "delete_others_pages",
    "delete_published_pages",
    "delete_private_pages",
    "read_private_pages",
    "manage_categories",
    "moderate_comments",
    "unfiltered_html",
}
ADMINISTRATOR = EDITOR | {
    "list_users",
    "create_users",
    "edit_users",
    "delete_users",
    "promote_users",
    "manage_options",
}

#: What may be done with a type's content; with its plural behind them they name its capabilities.
VERBS = (
    "edit",
    "edit_others",
    "edit_published",
    "edit_private",
    "publish",
    "read_private",
    "delete",
    "delete_others",
    "delete_published",
    "delete_private",
)

ROLES = {
    "administrator": ADMINISTRATOR,
    "editor": EDITOR,
    "author": AUTHOR,
    "contributor": CONTRIBUTOR,
    "subscriber": READER,
}


@dataclass(frozen=True)
class Capability:
    """A right, with the roles that have it unless a site says otherwise; administrators have all of them."""

    name: str
    roles: tuple[str, ...] = ()


class AllCapabilities(frozenset[str]):
    """All capabilities, those included that nobody has thought of yet."""

    def __contains__(self, capability: object) -> bool:
        return True


@dataclass(frozen=True)
class Principal:
    """Who asks, in which language and from where; id 0 is a visitor."""

    id: int = 0
    login: str = ""
    roles: tuple[str, ...] = ()
    capabilities: frozenset[str] = frozenset()
    language: str = field(default="", compare=False)
    address: str = field(default="", compare=False)
    agent: str = field(default="", compare=False)
    #: Signed in by a token that may only read; capabilities stay those of the account.
    read_only: bool = False
    #: Id of the token that signed in; 0 for a password.
    token: int = field(default=0, compare=False)

    def may(self, capability: str) -> bool:
        """Tell whether the account has a capability."""
        return capability in self.capabilities


PUBLIC, PRIVATE = frozenset({"publish"}), frozenset({"private"})


@dataclass(frozen=True)
class ContentPolicy:
    """The rules for one type of content, whose capabilities end in its plural (`posts`).

    `public` and `private` name the states whose items everybody sees, or only their authors and those with the right.
    """

    plural: str
    public: frozenset[str] = PUBLIC
    private: frozenset[str] = PRIVATE

    def _may(self, principal: Principal, verb: str) -> bool:
        return f"{verb}_{self.plural}" in principal.capabilities

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may write items of their own."""
        return self._may(principal, "edit")

    def may_publish(self, principal: Principal) -> bool:
        """Tell whether the principal may make items public, private or scheduled."""
        return self._may(principal, "publish")

    def may_edit_others(self, principal: Principal) -> bool:
        """Tell whether the principal may edit what others wrote and write in their name."""
        return self._may(principal, "edit_others")

    def may_edit(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may change this item."""
        return self._may_handle(principal, row, "edit")

    def may_delete(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may trash or delete this item."""
        return self._may_handle(principal, row, "delete")

    def _may_handle(self, principal: Principal, row: Any, verb: str) -> bool:
        status = row["trashed_status"] or "draft" if row["status"] == "trash" else row["status"]
        if row["author_id"] == principal.id and principal.id:
            return self._may(principal, f"{verb}_published" if status in self.public else verb)
        if not self._may(principal, f"{verb}_others"):
            return False
        if status in self.public:
            return self._may(principal, f"{verb}_published")
        return status not in self.private or self._may(principal, f"{verb}_private")

    def may_read(self, principal: Principal, row: Any, now: str) -> bool:
        """Tell whether the principal may read this item, its password apart."""
        if row["status"] in self.public and (row["status"] != "publish" or row["date_gmt"] <= now):
            return True
        if row["author_id"] == principal.id and principal.id:
            return self._may(principal, "edit") or principal.may("read")
        if row["status"] in self.private and self._may(principal, "read_private"):
            return True
        return self.may_edit(principal, row)

    def key(self, principal: Principal) -> tuple[bool, ...]:
        """Return what of a principal the conditions depend on; it is part of a statement's shape."""
        verbs = ("edit", "edit_others", "edit_published", "edit_private", "read_private")
        return (principal.id != 0, *(self._may(principal, verb) for verb in verbs))

    def readable(self, principal: Principal, status: str) -> Any:
        """Build the condition under which items of a status may be read; `now` and `principal` are bound."""
        own = (Content.author_id == Bound("principal")) if principal.id else None
        if status == "publish":
            # Nearly all of them: else SQLite takes the range of dates for narrow, and sorts all by what has an index.
            return (Content.status == "publish") & fn.likely(Content.date_gmt <= Bound("now"))
        if status in self.public:
            return Content.status == status
        if status == "future":
            condition = (Content.status == "publish") & (Content.date_gmt > Bound("now"))
            whole = self._may(principal, "edit_others") and self._may(principal, "edit_published")
        else:
            condition = Content.status == status
            whole = self._may(principal, "read_private" if status in self.private else "edit_others")
        if whole:
            return condition
        return condition & own if own is not None else SQL("0")

    def editable(self, principal: Principal) -> Any:
        """Build the condition under which items may be edited; `principal` is bound."""
        own = Content.author_id == Bound("principal")
        if not self._may(principal, "edit_published"):
            own &= Content.status.not_in(sorted(self.public)) & Content.trashed_status.not_in(
                sorted(self.public)
            )
        if not self._may(principal, "edit_others"):
            return own
        barred = [
            state
            for word, states in (("published", self.public), ("private", self.private))
            if not self._may(principal, f"edit_{word}")
            for state in sorted(states)
        ]
        if not barred:
            return SQL("1")
        return own | (Content.status.not_in(barred) & Content.trashed_status.not_in(barred))


def capabilities_of(roles: tuple[str, ...], table: dict[str, frozenset[str]]) -> frozenset[str]:
    """Return all that accounts with these roles may do."""
    return frozenset().union(*(table.get(role, frozenset()) for role in roles))
