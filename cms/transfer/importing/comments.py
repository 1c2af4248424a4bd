"""Comments of an export on their way into the table of comments."""

from __future__ import annotations

from cms.dates import to_gmt
from cms.rendering.plain import clean_line
from cms.resources.accounts import EMAIL, clean_url
from cms.resources.comments.statuses import REMOVED
from cms.transfer.importing.context import UTC, ImportContext
from cms.transfer.importing.meta import kept_meta
from cms.transfer.wxr.extension import text_of
from cms.transfer.wxr.records import CommentRecord, ItemRecord

#: What a state of the file is stored as; comments of a trashed item are shown with it again.
STATES = {"1": "approved", "0": "hold", "spam": "spam", "trash": "trash", "post-trashed": "approved"}
KNOWN = "SELECT id FROM comments WHERE source_site = ? AND source_id = ?"


def write_comments(importing: ImportContext, item: ItemRecord, post_id: int) -> None:
    """Store an item's comments with their threads; the file may have an answer before what it answers."""
    ids: dict[int, int] = {}
    answers: dict[int, int] = {}
    for comment in item.comments:
        source = str(comment.source_id) if comment.source_id is not None else None
        if source is not None and importing.site.database.row(KNOWN, (importing.source, source)) is not None:
            importing.report.recognise("comment")
            continue
        id = _store(importing, item, comment, post_id, source)
        importing.report.count("comment")
        if comment.source_id is not None:
            ids[comment.source_id] = id
        if comment.parent_source_id:
            answers[id] = comment.parent_source_id
    for id, parent in answers.items():
        if parent in ids and ids[parent] != id:
            importing.run("UPDATE comments SET parent_id = ? WHERE id = ?", ids[parent], id)
        else:
            importing.tell(
                item.line,
                f"a comment answers one that isn't there ({parent}); it stands by itself",
                item.source_id,
            )


def _store(
    importing: ImportContext, item: ItemRecord, comment: CommentRecord, post_id: int, source: str | None
) -> int:
    def tell(text: str) -> None:
        importing.tell(item.line, text, item.source_id)

    content = importing.addresses.rewrite(comment.content)
    date = _date(importing, comment)
    if date is None:
        tell("a comment has no date; it got the date of the import")
    if comment.email and not EMAIL.fullmatch(comment.email):
        tell(f'"{comment.email}" of a comment isn\'t an e-mail address; it has none now')
    return importing.insert(
        "comments",
        {
            "post_id": post_id,
            "author_id": importing.accounts.get(comment.user_id or 0, 0),
            "author_name": clean_line(comment.author),
            "author_url": clean_url(comment.url),
            "author_ip": comment.ip,
            "author_email": comment.email if EMAIL.fullmatch(comment.email) else "",
            "content": content,
            **importing.site.renderer.comment_columns(content),
            "date_gmt": date or importing.now,
            **_state(comment),
            "type": comment.type or "comment",
            "author_user_agent": clean_line(text_of(comment.more, "agent")),
            "meta": kept_meta(importing.site, "comment", comment.more, tell),
            "source_site": importing.source,
            "source_id": source,
        },
    )


def _state(comment: CommentRecord) -> dict[str, str]:
    """Return a comment's state, and the one that it goes back to from spam or the trash."""
    state, before = STATES.get(comment.approved, "hold"), dict(comment.meta).get("_wp_trash_meta_status", "")
    return {"status": state, "status_before": STATES.get(before, "") if state in REMOVED else ""}


def _date(importing: ImportContext, comment: CommentRecord) -> str | None:
    """Return a comment's date in GMT, None where it has none or one before all calendars."""
    try:
        if comment.date_gmt:
            return to_gmt(comment.date_gmt, UTC)
        return to_gmt(comment.date, importing.zone) if comment.date else None
    except OverflowError:
        return None
