"""Comments of an export on their way into the table of comments."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial

from cms.dates import to_gmt
from cms.db.reader import Columns
from cms.db.stores import KnownComment
from cms.rendering.plain import clean_line
from cms.rendering.sanitising import sanitize_comment
from cms.resources.comments.authors import clean_agent, escaped_url
from cms.resources.comments.statuses import APPROVED, HOLD, SPAM, TRASH, status_columns
from cms.resources.comments.types import COMMENT, PUBLIC_TYPES
from cms.transfer.importing.cleaning import Warn, imported_line
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.exported_references import await_exported
from cms.transfer.importing.identity import contradicts, mark_comment, mark_said, number_in
from cms.transfer.importing.meta import meta_column
from cms.transfer.wxr.extension import text_of
from cms.transfer.wxr.records import CommentRecord, ItemRecord

#: What a status of the file is stored as; comments of a trashed item are visible with it again.
STATUSES = {"1": APPROVED, "0": HOLD, "spam": SPAM, "trash": TRASH, "post-trashed": APPROVED}
#: What a comment could be recognised by, made of its number in the source and its mark.
Key = tuple[object, ...]
KeyOf = Callable[[int | None, str], Key]
#: What is told of an address that a comment can't have, by its field.
ADDRESSES = {
    "author_email": "isn't an e-mail address",
    "author_url": "is no address of an author's site",
    "author_ip": "isn't an IP address",
}
STATUS_BEFORE = "_wp_trash_meta_status"


def write_comments(importing: ImportContext, item: ItemRecord, post_id: int, is_new: bool) -> None:
    """Store an item's comments with their threads; the file may have an answer before what it answers.

    An item that `is_new` has no comments here yet.
    """
    if not item.comments:
        return
    known = KnownComments([] if is_new else importing.store.comments(post_id, importing.source))
    new = known.recognise(item.comments)
    importing.report.recognise("comment", len(item.comments) - len(new))
    free = importing.site.stores.ids.free("comments", [each.source_id for each in new if each.source_id])
    stored: dict[int, CommentRecord] = {}
    for comment in new:
        columns = {**_columns(importing, item, comment, post_id), "source_id": known.name(comment)}
        if comment.source_id in free:
            free.discard(comment.source_id)
            columns["id"] = comment.source_id
        id = importing.store.add_comment(columns)
        if comment.user_id and not columns["author_id"]:
            importing.await_reference("comments", id, "author", "user", comment.user_id)
        await_exported(importing, "comments", id, comment.more, partial(importing.warn, item.line))
        known.add(comment, id)
        stored[id] = comment
        importing.report.count("comment")
    for id, comment in stored.items():
        _set_reply(importing, item, id, known, comment)


def _set_reply(
    importing: ImportContext, item: ItemRecord, id: int, known: KnownComments, comment: CommentRecord
) -> None:
    number = comment.parent_source_id
    if not number:
        return
    parent = known.ids.get(number, id)
    if parent != id:
        importing.store.set_reply(id, parent)
        return
    importing.warn(
        item.line, f"a comment answers one that isn't there ({number}); it stands by itself", item.source_id
    )
    if number != comment.source_id:
        importing.await_reference("comments", id, "parent", "comment", number)


class KnownComments:
    """The comments on one item by what the source calls them: those that are here, and those that are added."""

    def __init__(self, rows: Iterable[KnownComment]) -> None:
        #: Rows that no comment of the file is yet, by what they could be recognised by.
        self._rows: dict[Key, dict[int, KnownComment]] = {}
        #: The ids here by the numbers of the source; of several with one number the first.
        self.ids: dict[int, int] = {}
        self._names: set[str] = set()
        for row in rows:
            self._note(row["source_id"], row["id"])
            for key in _keys_of_row(row):
                self._rows.setdefault(key, {})[row["id"]] = row

    def recognise(self, comments: Sequence[CommentRecord]) -> list[CommentRecord]:
        """Return the comments that aren't here: by number and mark, then by number alone, then by mark alone."""
        left = [(comment, mark_comment(comment)) for comment in comments]
        for key_of in (_number_and_mark, _number, _mark):
            left = [(comment, mark) for comment, mark in left if not self._take(comment, mark, key_of)]
        return [comment for comment, _mark in left]

    def _take(self, comment: CommentRecord, mark: str, key_of: KeyOf) -> bool:
        rows = self._rows.get(key_of(comment.source_id, mark), {})
        row = next(iter(rows.values()), None)
        if row is None or (key_of is _number and contradicts(mark, row["source_mark"])):
            return False
        for key in _keys_of_row(row):
            del self._rows[key][row["id"]]
        if comment.source_id is not None:
            self.ids[comment.source_id] = row["id"]
        return True

    def name(self, comment: CommentRecord) -> str | None:
        """Return what a new comment is called here: its number, where no other comment on the item has it."""
        if comment.source_id is None:
            return None
        name = str(comment.source_id)
        number = 2
        while name in self._names:
            name = f"{comment.source_id} {number}"
            number += 1
        return name

    def add(self, comment: CommentRecord, id: int) -> None:
        """Note a comment that was added."""
        self._note(self.name(comment), id)

    def _note(self, name: str | None, id: int) -> None:
        if name is not None:
            self._names.add(name)
            number = number_in(name)
            if number is not None:
                self.ids.setdefault(number, id)


def _number_and_mark(number: int | None, mark: str) -> Key:
    return number, mark


def _number(number: int | None, mark: str) -> Key:
    return ("number", number) if number is not None else ("none",)


def _mark(number: int | None, mark: str) -> Key:
    return "mark", mark


def _keys_of_row(row: KnownComment) -> list[Key]:
    name, mark = row["source_id"] or "", row["source_mark"]
    if mark is None and not name:
        # From before there were marks: what it says is what is left to know it by.
        author = row["author_email"] or html.unescape(row["author_name"])
        mark = mark_said(datetime.fromisoformat(row["date_gmt"]), author, row["content"])
    keys: list[Key] = []
    if name.isdecimal():
        keys.append(_number(int(name), ""))
    if mark is not None:
        keys += [_number_and_mark(number_in(name), mark), _mark(None, mark)]
    return keys


def _columns(importing: ImportContext, item: ItemRecord, comment: CommentRecord, post_id: int) -> Columns:
    def warn(text: str) -> None:
        importing.warn(item.line, text, item.source_id)

    date = _date(importing, comment)
    if date is None:
        warn("a comment has no date; it got the date of the import")
    return {
        "post_id": post_id,
        **_author(importing, comment, warn),
        **comment_texts(importing, comment, warn),
        "date_gmt": date or importing.now,
        **_status(comment),
        "type": _type(importing, comment),
        "meta": meta_column(importing, "comment", comment.more, warn),
        "source_site": importing.source,
        "source_mark": mark_comment(comment),
    }


def comment_texts(importing: ImportContext, comment: CommentRecord, warn: Warn) -> dict[str, str]:
    """Return the columns of what a comment says."""
    cleaned = importing.clean(comment.content, sanitize_comment, "a comment", warn)
    content = importing.links.rewrite_urls(cleaned)
    tidy = importing.tidy(sanitize_comment)
    content = importing.bounds.fit(("comment", "content"), content, "a comment", warn, tidy)
    site = importing.site
    rendered = importing.made.make(site.renderer.comment_columns, "comment", content)
    return {"content": site.own_files.store(content), **rendered}


def _author(importing: ImportContext, comment: CommentRecord, warn: Warn) -> Columns:
    name = imported_line(comment.author, "the name of a comment's author", warn)
    fit = importing.bounds.fit
    return {
        "author_id": importing.find_account(comment.user_id) if comment.user_id else 0,
        "author_name": fit(
            ("comment", "author_name"), name, "the name of a comment's author", warn, clean_line
        ),
        "author_email": _accepted(importing, comment.email, comment.email, "author_email", warn),
        "author_url": importing.site.own_files.store(
            _accepted(importing, comment.url, escaped_url(comment.url), "author_url", warn)
        ),
        "author_ip": _accepted(importing, comment.ip, comment.ip, "author_ip", warn),
        "author_user_agent": clean_agent(text_of(comment.more, "agent")),
    }


def _accepted(importing: ImportContext, sent: str, value: str, field: str, warn: Warn) -> str:
    """Return an address as the interface takes it, empty with a warning for one that it doesn't."""
    accepted = importing.bounds.accept(("comment", field), value) if value else None
    if sent and not accepted:
        warn(f'"{sent[:80]}" of a comment {ADDRESSES[field]}; it has none now')
    return accepted or ""


def _type(importing: ImportContext, comment: CommentRecord) -> str:
    type = comment.type or COMMENT
    if type not in PUBLIC_TYPES:
        importing.report.hide(type)
    return type


def _status(comment: CommentRecord) -> dict[str, str]:
    """Return a comment's status, and the one that it goes back to from spam or the trash."""
    before = dict(comment.meta).get(STATUS_BEFORE, "")
    return status_columns(STATUSES.get(comment.approved, HOLD), STATUSES.get(before, ""))


def _date(importing: ImportContext, comment: CommentRecord) -> str | None:
    """Return a comment's date in GMT, None where it has none or one before all calendars."""
    try:
        if comment.date_gmt:
            return to_gmt(comment.date_gmt, UTC)
        if comment.date:
            return to_gmt(comment.date, importing.zone)
    except OverflowError:
        return None
    return None
