"""Who sees what, told in plain Python from the interface's rules; nothing of the product is asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fuzzing.write_oracle import MAY, PLURALS

from visibility.facts import Account, Item, Remark

OPEN = {"media": {"inherit"}}
PUBLIC_COLLECTIONS = ("posts", "pages", "events", "media")


def may(asker: str | None, capability: str) -> bool:
    """Tell whether an account has a capability; a number behind a role's name stands for another account of it."""
    return capability in MAY[asker.rstrip("0123456789") if asker else None]


def may_change(asker: str | None, item: Item, verb: str = "edit") -> bool:
    """Tell whether the asker may edit or delete an item; what is in the trash counts as what it was."""
    if asker is None or _is_hidden(asker, item) or not _may_read_target(asker, item):
        return False
    plural, status = PLURALS[item.collection], item.was or item.status
    is_published = status in ("publish", "future")
    if item.author == asker:
        return may(asker, f"{verb}_published_{plural}" if is_published else f"{verb}_{plural}")
    needed = [f"{verb}_others_{plural}"]
    if is_published:
        needed.append(f"{verb}_published_{plural}")
    if status == "private":
        needed.append(f"{verb}_private_{plural}")
    return all(may(asker, capability) for capability in needed)


def may_read(asker: str | None, item: Item) -> bool:
    """Tell whether the asker may know of an item and read its name."""
    if _is_hidden(asker, item):
        return False
    if not _may_read_target(asker, item):
        return False
    if may_change(asker, item):
        return True
    if item.status == "inherit":
        return item.on is None or may_read(asker, item.on)
    if item.status == "publish" or (asker is not None and item.author == asker):
        return True
    return item.status == "private" and may(asker, "edit_private_posts")


def may_read_text(asker: str | None, item: Item, password: str = "", is_editing: bool = False) -> bool:
    """Tell whether the asker gets the texts that a password protects."""
    if is_editing and may_change(asker, item):
        return True
    return may_read(asker, item) and item.password in ("", password)


def may_list(asker: str | None, collection: str, statuses: Collection[str], is_editing: bool = False) -> bool:
    """Tell whether the asker gets such a list at all: what isn't published is for those who write."""
    writes = "upload_files" if collection == "media" else f"edit_{PLURALS[collection]}"
    return may(asker, writes) or (not is_editing and set(statuses) <= OPEN.get(collection, {"publish"}))


def is_listed(asker: str | None, item: Item, statuses: Collection[str], is_editing: bool = False) -> bool:
    """Tell whether a list that the asker may get holds an item."""
    return item.status in statuses and may_read(asker, item) and (not is_editing or may_change(asker, item))


def is_found(asker: str | None, item: Item) -> bool:
    """Tell whether a search may find an item that the asker may read: not by texts behind a password."""
    return not item.password or may_change(asker, item)


def may_moderate(asker: str | None, item: Item) -> bool:
    """Tell whether the asker may read all comments on an item."""
    return not _is_hidden(asker, item) and (may(asker, "moderate_comments") or may_change(asker, item))


def may_read_remarks(asker: str | None, item: Item, password: str = "") -> bool:
    """Tell whether the asker may read the approved comments on an item."""
    return may_change(asker, item) or may_read_text(asker, item, password)


def may_read_remark(asker: str | None, remark: Remark, password: str = "") -> bool:
    """Tell whether the asker may read a comment: unapproved ones are for their authors and moderators."""
    if may_moderate(asker, remark.on):
        return True
    is_own = asker is not None and remark.author == asker
    return (is_own or remark.status == "approve") and may_read_remarks(asker, remark.on, password)


def may_see_account(asker: str | None, account: Account, items: Iterable[Item]) -> bool:
    """Tell whether the asker may see an account: their own, or one that is listed for them."""
    return asker == account.name or is_account_listed(asker, account, items)


def is_account_listed(asker: str | None, account: Account, items: Iterable[Item]) -> bool:
    """Tell whether lists have an account: of those who have finished something that the asker may read."""
    if may(asker, "manage_options"):
        return True
    finished = [item for item in items if item.author == account.name and item.collection in PUBLIC_COLLECTIONS
                and item.status in ("publish", "private", "inherit")]
    return any(may_read(asker, item) for item in finished)


def _may_read_target(asker: str | None, item: Item) -> bool:
    """Tell whether the asker may read what a menu item leads to: without that there is no menu item for them."""
    return item.collection != "menu-items" or item.on is None or may_read(asker, item.on)


def _is_hidden(asker: str | None, item: Item) -> bool:
    is_hidden = item.is_hidden or (item.on is not None and item.status == "inherit" and item.on.is_hidden)
    return is_hidden and not may(asker, "manage_options")
