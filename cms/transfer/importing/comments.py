"""Comments of an export on their way into the table of comments."""

from __future__ import annotations

from datetime import UTC

from cms.dates import to_gmt
from cms.db.reader import Columns
from cms.rendering.plain import clean_line
from cms.rendering.sanitising import sanitize_comment
from cms.resources.accounts import is_email
from cms.resources.comments.authors import escaped_url
from cms.resources.comments.statuses import APPROVED, HOLD, SPAM, TRASH, status_columns
from cms.resources.comments.types import COMMENT, PUBLIC_TYPES
from cms.transfer.importing.cleaning import Warn, kept_line
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.meta import meta_column
from cms.transfer.wxr.extension import text_of
from cms.transfer.wxr.records import CommentRecord, ItemRecord

#: What a status of the file is stored as; comments of a trashed item are visible with it again.
STATUSES = {"1": APPROVED, "0": HOLD, "spam": SPAM, "trash": TRASH, "post-trashed": APPROVED}
STATUS_BEFORE = "_wp_trash_meta_status"


def write_comments(importing: ImportContext, item: ItemRecord, post_id: int) -> None:
    """Store an item's comments with their threads; the file may have an answer before what it answers."""
    ids: dict[int, int] = {}
    answers: dict[int, int] = {}
    for comment in item.comments:
        if _is_known(importing, comment):
            importing.report.recognise("comment")
            continue
        id = importing.store.add_comment(_columns(importing, item, comment, post_id))
        importing.report.count("comment")
        if comment.source_id is not None:
            ids[comment.source_id] = id
        if comment.parent_source_id:
            answers[id] = comment.parent_source_id
    for id, parent in answers.items():
        if ids.get(parent, id) != id:
            importing.store.set_reply(id, ids[parent])
        else:
            notice = f"a comment answers one that isn't there ({parent}); it stands by itself"
            importing.warn(item.line, notice, item.source_id)


def _is_known(importing: ImportContext, comment: CommentRecord) -> bool:
    if comment.source_id is None:
        return False
    return importing.store.has_comment(importing.source, str(comment.source_id))


def _columns(importing: ImportContext, item: ItemRecord, comment: CommentRecord, post_id: int) -> Columns:
    def warn(text: str) -> None:
        importing.warn(item.line, text, item.source_id)

    cleaned = importing.clean(comment.content, sanitize_comment, "a comment", warn)
    content = importing.links.rewrite_urls(cleaned)
    date = _date(importing, comment)
    if date is None:
        warn("a comment has no date; it got the date of the import")
    if comment.email and not is_email(comment.email):
        warn(f'"{comment.email}" of a comment isn\'t an e-mail address; it has none now')
    return {
        "post_id": post_id,
        **_author(importing, comment, warn),
        "content": content,
        **importing.site.renderer.comment_columns(content),
        "date_gmt": date or importing.now,
        **_status(comment),
        "type": _type(importing, comment),
        "meta": meta_column(importing.site, "comment", comment.more, warn),
        "source_site": importing.source,
        "source_id": None if comment.source_id is None else str(comment.source_id),
    }


def _author(importing: ImportContext, comment: CommentRecord, warn: Warn) -> Columns:
    url = escaped_url(comment.url)
    if comment.url and not url:
        warn(f'"{comment.url[:80]}" is no address of an author\'s site; a comment has none now')
    return {
        "author_id": importing.accounts.by_source_id.get(comment.user_id or 0, 0),
        "author_name": kept_line(comment.author, "the name of a comment's author", warn),
        "author_email": comment.email if is_email(comment.email) else "",
        "author_url": url,
        "author_ip": comment.ip,
        "author_user_agent": clean_line(text_of(comment.more, "agent")),
    }


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
