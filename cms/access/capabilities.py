"""Roles with their capabilities, and who asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    """All capabilities, those included that nobody has thought of yet; equal to nothing but its own kind."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AllCapabilities)

    def __hash__(self) -> int:
        return hash(AllCapabilities)

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
    #: How it signed in: password, session, link (to a new password), token, application_password, plugin or
    #: command; empty for none.
    sign_in: str = field(default="", compare=False)

    def may(self, capability: str) -> bool:
        """Tell whether the account has a capability."""
        return capability in self.capabilities


#: Who acts in commands: whoever can read the database file may do everything with it.
OPERATOR = Principal(0, "operator", ("administrator",), AllCapabilities(ADMINISTRATOR), sign_in="command")
#: A visitor, of whom nothing more is known.
VISITOR = Principal()


def capabilities_of(roles: tuple[str, ...], table: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return all that accounts with these roles may do."""
    if len(roles) == 1:
        # With many types these are thousands of names, which no request should copy and hash.
        return table.get(roles[0], frozenset())
    return frozenset().union(*(table.get(role, frozenset()) for role in roles))
