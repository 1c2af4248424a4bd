"""Who may write what, told in plain Python from the roles that WordPress has; nothing of the product is asked."""

from __future__ import annotations

from typing import NamedTuple

CONTRIBUTOR = {"edit_posts", "delete_posts"}
AUTHOR = CONTRIBUTOR | {"edit_published_posts", "delete_published_posts", "publish_posts", "upload_files"}
OF_CONTENT = ("edit", "edit_others", "edit_published", "edit_private", "publish", "delete", "delete_others", "delete_published",
              "delete_private")
EDITOR = AUTHOR | {f"{verb}_{plural}" for verb in OF_CONTENT for plural in ("posts", "pages", "menu_items")}
EDITOR |= {"manage_categories", "moderate_comments", "manage_event_venues"}
ADMINISTRATOR = EDITOR | {"manage_options", "manage_webhooks", "create_users", "edit_users", "delete_users", "promote_users"}
MAY: dict[str | None, set[str]] = {None: set(), "subscriber": set(), "contributor": CONTRIBUTOR, "author": AUTHOR,
                                   "editor": EDITOR, "administrator": ADMINISTRATOR}
#: Plural in the capabilities, by collection: events and files go by those of posts.
PLURALS = {"posts": "posts", "pages": "pages", "events": "posts", "media": "posts", "menu-items": "menu_items"}
MANAGED = {"categories": "manage_categories", "tags": "manage_categories", "menus": "edit_menu_items",
           "event-venues": "manage_event_venues", "webhooks": "manage_webhooks", "settings": "manage_options"}


class Target(NamedTuple):
    """An item that is written to: whose, and in which status (of a trashed one: which one it had)."""

    collection: str
    is_own: bool
    status: str
    id: int = 0
    #: Of a comment: what it is on.
    on: Target | None = None


def may_change(role: str | None, target: Target, verb: str = "edit") -> bool:
    """Tell whether a role may edit or delete an item of content."""
    plural = PLURALS[target.collection]
    wanted = set()
    if target.is_own:
        wanted.add(f"{verb}_published_{plural}" if target.status in ("publish", "future") else f"{verb}_{plural}")
    else:
        wanted.add(f"{verb}_others_{plural}")
        if target.status in ("publish", "future"):
            wanted.add(f"{verb}_published_{plural}")
        if target.status == "private":
            wanted.add(f"{verb}_private_{plural}")
    return role is not None and wanted <= MAY[role]


def may_create(role: str | None, collection: str, is_own: bool, status: str) -> bool:
    """Tell whether a role may create an item of content in a status, in its own or another's name."""
    plural = PLURALS[collection]
    wanted = {f"edit_{plural}"} if collection != "media" else {"upload_files"}
    if status in ("publish", "future", "private"):
        wanted.add(f"publish_{plural}")
    if not is_own:
        wanted.add(f"edit_others_{plural}")
    return role is not None and wanted <= MAY[role]


def may_write(role: str | None, method: str, rest: str, target: Target) -> bool:
    """Tell whether a role may send a writing method to what is below an item's route, or to the item's (`rest` is empty)."""
    if target.collection == "users":
        return _may_write_account(role, method, rest, target)
    if target.collection == "comments":
        assert target.on is not None
        return "moderate_comments" in MAY[role] or may_change(role, target.on)
    if (target.collection, method, rest) == ("tags", "POST", ""):
        return "edit_posts" in MAY[role]  # who writes texts may make up tags for them
    if target.collection in MANAGED:
        return MANAGED[target.collection] in MAY[role]
    if method == "DELETE" and rest == "":
        return may_change(role, target, "delete")
    if method == "DELETE" and rest == "/revisions/{id}":
        return may_change(role, target) and may_change(role, target, "delete")
    return may_change(role, target)


def _may_write_account(role: str | None, method: str, rest: str, target: Target) -> bool:
    if method == "DELETE" and rest == "":
        return "delete_users" in MAY[role]
    return role is not None and (target.is_own or "edit_users" in MAY[role])


def may_read(role: str | None, target: Target) -> bool:
    """Tell whether a role may read an item: its author always does, others by its status."""
    if target.status == "publish" or (target.is_own and role is not None):
        return True
    if target.status == "private":
        return role in ("editor", "administrator")
    return may_change(role, target)
