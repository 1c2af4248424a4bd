"""Comments in an export."""

from __future__ import annotations

from datetime import tzinfo

from cms.db.models import CommentRow
from cms.resources.comments.statuses import APPROVED, HOLD, REMOVED
from cms.transfer.exporting.values import Show, as_gmt, as_local, as_texts, pair, read_meta
from cms.transfer.wxr.extension import write_more
from cms.transfer.wxr.xml import element, plain, texts

#: How the format calls statuses of comments; the others it calls as they are stored.
STATUSES = {APPROVED: "1", HOLD: "0"}


def comment_xml(row: CommentRow, show: Show, awaits: list[list[str]], zone: tzinfo) -> str:
    """Return a comment with its texts as they are read, with what it waits for and local dates of a zone."""
    localized = {
        "wp:comment_author": row["author_name"],
        "wp:comment_author_url": show(row["author_url"]),
        "wp:comment_content": show(row["content"]),
    }
    stored = read_meta(row["meta"], show)
    meta = _status_before(row) | as_texts(stored)
    rest = {"agent": row["author_user_agent"], "meta": stored, "awaits": awaits}
    return "".join(
        (
            "<wp:comment>\n",
            plain("wp:comment_id", row["id"]),
            texts(localized),
            element("wp:comment_author_email", row["author_email"]),
            element("wp:comment_author_IP", row["author_ip"]),
            plain("wp:comment_date", as_local(row["date_gmt"], zone)),
            plain("wp:comment_date_gmt", as_gmt(row["date_gmt"])),
            element("wp:comment_approved", STATUSES.get(row["status"], row["status"])),
            element("wp:comment_type", row["type"]),
            plain("wp:comment_parent", row["parent_id"]),
            plain("wp:comment_user_id", row["author_id"]),
            *(pair("wp:commentmeta", name, value) for name, value in meta.items()),
            write_more(rest, {**localized, **meta}),
            "</wp:comment>\n",
        )
    )


def _status_before(row: CommentRow) -> dict[str, str]:
    status = row["status_before"]
    if row["status"] not in REMOVED or not status:
        return {}
    return {"_wp_trash_meta_status": STATUSES.get(status, status)}
