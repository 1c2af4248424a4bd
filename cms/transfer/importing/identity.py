"""What items and comments of an export are recognised by when the same export, or a later one, is imported.

A number is the surest where it is alone; marks tell apart what shares one, and find again what has another one now.
A mark holds digests of what the source says: type, title, date and slug of an item, and of one whose date and slug tell
nothing its text as well; date and text of a comment.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import blake2b
from pathlib import PurePosixPath
from urllib.parse import unquote

from cms.rendering.slugs import without_trash_mark
from cms.transfer.wxr.records import CommentRecord, ItemRecord

#: States in which the date of an item moves, so that it tells nothing.
UNDATED = ("draft", "pending", "auto-draft")
NOTHING = "-"
ATTACHMENT = "attachment"


def name_item(item: ItemRecord) -> str:
    """Return what an export calls an item: its number where it has one."""
    if item.source_id is not None:
        return str(item.source_id)
    return item.guid or item.link or mark_item(item)


def number_in(name: str) -> int | None:
    """Return the number that a stored name begins with, None for one that has no number."""
    first = name.partition(" ")[0]
    if first.isdecimal() and first.isascii() and len(first) <= 18:
        return int(first)
    return None


def mark_item(item: ItemRecord) -> str:
    """Return the mark of an item."""
    date = None if item.status in UNDATED else item.date_gmt or item.date_local
    slug = without_trash_mark(unquote(item.slug)).lower()
    if item.type == ATTACHMENT:
        # Several may have the slug of one picture.
        slug = f"{slug}/{PurePosixPath(unquote(item.attachment_url)).name}".strip("/")
    parts = [_digest(item.title.strip()), _digest_date(date), _digest(slug)]
    if NOTHING in parts[1:]:
        parts.append(_digest(f"{item.content}{item.excerpt}"))
    return " ".join([item.type or NOTHING, *parts])


def mark_comment(comment: CommentRecord) -> str:
    """Return the mark of a comment."""
    return mark_said(comment.date_gmt or comment.date, comment.email or comment.author, comment.content)


def mark_said(date: datetime | None, author: str, content: str) -> str:
    """Return the mark of a comment by when it was written, by whom, and what it says."""
    return f"{_digest_date(date)} {_digest(f'{author} {content}')}"


def contradicts(one: str, other: str | None) -> bool:
    """Tell whether two marks can't be of one thing: nothing that both of them tell is equal, and that is more than one.

    There is no `other` where something was imported before there were marks.
    """
    if other is None:
        return False
    different = 0
    for mine, yours in zip(_facts(one), _facts(other), strict=False):
        if NOTHING in (mine, yours):
            continue
        if mine == yours:
            return False
        different += 1
    return different > 1


def _facts(mark: str) -> list[str]:
    """Return title, date and slug of an item's mark, date and text of a comment's."""
    parts = mark.split(" ")
    return parts if len(parts) == 2 else parts[1:4]


def tells_enough(mark: str) -> bool:
    """Tell whether a mark of an item is nobody else's: it holds date and slug, or a text."""
    return NOTHING not in mark.split(" ")[2:4] or mark.split(" ")[-1] != NOTHING


def _digest_date(date: datetime | None) -> str:
    if date is None:
        return NOTHING
    return _digest(date.isoformat())


def _digest(text: str) -> str:
    if text:
        return blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
    return NOTHING
