"""Items of content in an export, each with its terms, its further values and its comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from email.utils import format_datetime
from typing import Any

import orjson

from cms.access.capabilities import Principal
from cms.db.expressions import effective_status
from cms.db.reader import Row
from cms.db.snapshot import Snapshot
from cms.operations.serialize import SerializationContext
from cms.rendering.plain import encode_slug
from cms.resources.comments.statuses import REMOVED
from cms.resources.content.tree import load_paths, paths
from cms.schema.content_types import FORMATS
from cms.schema.fields import VIEW
from cms.site import Site
from cms.transfer.exporting.channel import read_meta
from cms.transfer.wxr.extension import write_more
from cms.transfer.wxr.xml import attribute, cdata, element, plain, texts

NO_DATE = "0000-00-00 00:00:00"
ITEMS = """
SELECT c.*, u.login, m.file, m.origin, m.alt_text,
    EXISTS (SELECT 1 FROM content_terms l WHERE l.content_id = c.id) AS has_terms,
    EXISTS (SELECT 1 FROM comments o WHERE o.post_id = c.id) AS has_comments
FROM content c JOIN users u ON u.id = c.author_id LEFT JOIN media m ON m.content_id = c.id ORDER BY c.id
"""
TERMS = """
SELECT t.taxonomy, t.slug, t.name FROM content_terms l JOIN terms t ON t.id = l.term_id
WHERE l.content_id = ? ORDER BY t.id
"""
COMMENTS = "SELECT * FROM comments WHERE post_id = ? ORDER BY id"
#: How the format calls the states of comments.
STATES = {"approved": "1", "hold": "0"}


@dataclass(frozen=True)
class ItemWriter:
    """Writes the items of one export."""

    site: Site
    data: Snapshot
    now: str
    zone: tzinfo

    def parts(self, row: Row) -> Iterator[tuple[str, str]]:
        """Yield an item in parts, each with the kind of thing that it completes, if any."""
        yield "", self._opening(row)
        if row["has_comments"]:
            for comment in self.data.each(COMMENTS, (row["id"],)):
                yield "comment", self._comment(comment)
        yield row["type"], "</item>\n"

    def _opening(self, row: Row) -> str:
        localized = {
            "title": row["title"],
            "content:encoded": row["content"],
            "excerpt:encoded": row["excerpt"],
            "wp:post_password": row["password"],
        }
        meta = self._postmeta(row)
        rest = {"meta": read_meta(row), "mime_type": row["mime_type"]}
        return "".join(
            (
                "<item>\n",
                texts(localized),
                element("link", self._link(row)),
                plain("pubDate", format_datetime(_moment(row["date_gmt"]))),
                element("dc:creator", row["login"]),
                f'<guid isPermaLink="false">{cdata(self._name(row))}</guid>\n',
                plain("description", ""),
                plain("wp:post_id", row["id"]),
                self._dates(row),
                element("wp:comment_status", row["comment_status"]),
                element("wp:ping_status", row["ping_status"]),
                element("wp:post_name", encode_slug(row["slug"])),
                element("wp:status", effective_status(row, self.now)),
                plain("wp:post_parent", row["parent_id"]),
                plain("wp:menu_order", row["menu_order"]),
                element("wp:post_type", row["type"]),
                plain("wp:is_sticky", int(row["is_sticky"])),
                self._attachment(row),
                *self._terms(row),
                *(_pair("wp:postmeta", name, value) for name, value in meta.items()),
                write_more(rest, {**localized, **meta}),
            )
        )

    def _link(self, row: Row) -> str:
        resource = self.site.registry.resources.get(row["type"])
        if resource is None or resource.address is None:
            return self._name(row)
        page = SerializationContext(self.site.context, self.site.renderer, Principal(), VIEW, [row], self.now)
        if row["parent_id"]:
            page.preload(load_paths, paths(page, page.rows, self.data))
        return resource.address(row, page)

    def _name(self, row: Row) -> str:
        return f"{self.site.url}/?p={row['id']}"

    def _dates(self, row: Row) -> str:
        floats = row["date_floats"]
        return "".join(
            (
                plain("wp:post_date", self._local(row["date_gmt"])),
                plain("wp:post_date_gmt", NO_DATE if floats else _date(row["date_gmt"])),
                plain("wp:post_modified", self._local(row["modified_gmt"])),
                plain("wp:post_modified_gmt", _date(row["modified_gmt"])),
            )
        )

    def _local(self, stored: str) -> str:
        """Return the local time of a date; next to the ends of the calendar that of GMT."""
        try:
            return f"{_moment(stored).astimezone(self.zone).replace(tzinfo=None)}"
        except OverflowError:
            return _date(stored)

    def _attachment(self, row: Row) -> str:
        if row["type"] != "attachment":
            return ""
        file = row["file"]
        return element("wp:attachment_url", self.site.context.file_url(file) if file else row["origin"] or "")

    def _terms(self, row: Row) -> Iterator[str]:
        if row["format"] in FORMATS and row["format"] != "standard":
            yield _category("post_format", f"post-format-{row['format']}", row["format"].capitalize())
        if row["has_terms"]:
            for term in self.data.each(TERMS, (row["id"],)):
                yield _category(term["taxonomy"], encode_slug(term["slug"]), term["name"])

    def _postmeta(self, row: Row) -> dict[str, str]:
        """Return what the format holds as pairs, the values of plugins last."""
        known = {
            "_thumbnail_id": str(row["featured_id"] or ""),
            "_wp_page_template": row["template"],
            "_wp_trash_meta_status": row["trashed_status"],
            "_wp_trash_meta_time": str(int(_moment(row["trashed_gmt"]).timestamp()))
            if row["trashed_gmt"]
            else "",
            "_wp_attached_file": row["file"],
            "_wp_attachment_image_alt": row["alt_text"],
        }
        return {name: value for name, value in known.items() if value} | _as_texts(read_meta(row))

    def _comment(self, row: Row) -> str:
        localized = {
            "wp:comment_author": row["author_name"],
            "wp:comment_author_url": row["author_url"],
            "wp:comment_content": row["content"],
        }
        state = row["status_before"] if row["status"] in REMOVED else ""
        meta = {"_wp_trash_meta_status": STATES.get(state, state)} if state else {}
        meta |= _as_texts(read_meta(row))
        rest = {"agent": row["author_user_agent"], "meta": read_meta(row)}
        return "".join(
            (
                "<wp:comment>\n",
                plain("wp:comment_id", row["id"]),
                texts(localized),
                element("wp:comment_author_email", row["author_email"]),
                element("wp:comment_author_IP", row["author_ip"]),
                plain("wp:comment_date", self._local(row["date_gmt"])),
                plain("wp:comment_date_gmt", _date(row["date_gmt"])),
                element("wp:comment_approved", str(STATES.get(row["status"], row["status"]))),
                element("wp:comment_type", row["type"]),
                plain("wp:comment_parent", row["parent_id"]),
                plain("wp:comment_user_id", row["author_id"]),
                *(_pair("wp:commentmeta", name, value) for name, value in meta.items()),
                write_more(rest, {**localized, **meta}),
                "</wp:comment>\n",
            )
        )


def _as_texts(meta: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else orjson.dumps(value).decode()
        for name, value in meta.items()
    }


def _pair(kind: str, name: str, value: str) -> str:
    return f"<{kind}>\n{element('wp:meta_key', name)}{element('wp:meta_value', value)}</{kind}>\n"


def _category(taxonomy: str, slug: str, name: str) -> str:
    return f"<category domain={attribute(taxonomy)} nicename={attribute(slug)}>{cdata(name)}</category>\n"


def _moment(stored: str) -> datetime:
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)


def _date(stored: str) -> str:
    return stored.replace("T", " ")
