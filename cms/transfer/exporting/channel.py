"""The head of an export: what it says of the site, its accounts and its terms."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import orjson

from cms.db.reader import Row
from cms.db.snapshot import Snapshot
from cms.rendering.plain import encode_slug
from cms.transfer.wxr.extension import NAMESPACE, write_more
from cms.transfer.wxr.xml import element, plain, texts
from cms.version import __version__

VERSION = "1.2"
OPENING = f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"
    xmlns:excerpt="http://wordpress.org/export/{VERSION}/excerpt/"
    xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:wp="http://wordpress.org/export/{VERSION}/"
    xmlns:cms="{NAMESPACE}">
<channel>
"""
CLOSING = "</channel>\n</rss>\n"

ACCOUNTS = "SELECT * FROM users ORDER BY id"
TERM = "SELECT t.*, p.slug AS parent_slug FROM terms t LEFT JOIN terms p ON p.id = t.parent_id WHERE t.taxonomy = ?"
TAXONOMIES = "SELECT DISTINCT taxonomy FROM terms ORDER BY taxonomy"
# Element, and the names of slug, parent, name and description, by taxonomy.
NAMES = {
    "category": ("wp:category", "category_nicename", "category_parent", "cat_name", "category_description"),
    "post_tag": ("wp:tag", "tag_slug", "", "tag_name", "tag_description"),
}
OTHER = ("wp:term", "term_slug", "term_parent", "term_name", "term_description")


def site_xml(settings: Mapping[str, Any], url: str) -> str:
    """Return what stands before everything else: which site this is, and when it was exported."""
    # Stored as HTML, and texts in the format.
    localized = {name: html.unescape(settings[name] or "") for name in ("title", "description")}
    return "".join(
        (
            OPENING,
            texts(localized),
            element("link", url),
            plain("pubDate", format_datetime(datetime.now(UTC))),
            element("language", settings["language"].replace("_", "-")),
            plain("wp:wxr_version", VERSION),
            element("wp:base_site_url", url),
            element("wp:base_blog_url", url),
            write_more({"exact": True, "timezone": settings["timezone"]}, localized),
            plain("generator", f"headless-cms {__version__}"),
        )
    )


def accounts_xml(data: Snapshot) -> Iterator[str]:
    """Yield every account; passwords and roles are left out."""
    for row in data.each(ACCOUNTS):
        localized = {
            "wp:author_display_name": row["name"],
            "wp:author_first_name": row["first_name"],
            "wp:author_last_name": row["last_name"],
        }
        rest = {
            name: row[name] for name in ("slug", "nickname", "url", "description", "locale", "registered_gmt")
        }
        yield "".join(
            (
                "<wp:author>\n",
                plain("wp:author_id", row["id"]),
                element("wp:author_login", row["login"]),
                element("wp:author_email", row["email"]),
                texts(localized),
                write_more(rest | {"meta": read_meta(row)}, localized),
                "</wp:author>\n",
            )
        )


def terms_xml(data: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield every term with its taxonomy in front, parents before those below them."""
    taxonomies = [row["taxonomy"] for row in data.each(TAXONOMIES)]
    for taxonomy in taxonomies:
        for row in _parents_first(data, taxonomy):
            yield taxonomy, _term(row)


def _parents_first(data: Snapshot, taxonomy: str) -> Iterator[Row]:
    """Yield terms by id, but none before its parent; only those that come early have to be remembered."""
    early: set[int] = set()
    for row in data.each(f"{TERM} ORDER BY t.id", (taxonomy,)):
        chain: list[Row] = []
        above: Row | None = row
        while above is not None and above["id"] >= row["id"] and above["id"] not in early:
            chain.append(above)
            early.add(above["id"])
            above = data.row(f"{TERM} AND t.id = ?", (taxonomy, above["parent_id"]))
        early.discard(row["id"])
        yield from reversed(chain)


def _term(row: Row) -> str:
    kind, slug, parent, name, description = NAMES.get(row["taxonomy"], OTHER)
    localized = {f"wp:{name}": row["name"], f"wp:{description}": row["description"]}
    return "".join(
        (
            f"<{kind}>\n",
            plain("wp:term_id", row["id"]),
            element("wp:term_taxonomy", row["taxonomy"]) if kind == "wp:term" else "",
            element(f"wp:{slug}", encode_slug(row["slug"])),
            element(f"wp:{parent}", encode_slug(row["parent_slug"] or "")) if parent else "",
            texts(localized),
            write_more({"meta": read_meta(row)}, localized),
            f"</{kind}>\n",
        )
    )


def read_meta(row: Row) -> dict[str, Any]:
    """Return the further values of a row."""
    meta = orjson.loads(row["meta"])
    return meta if isinstance(meta, dict) else {}
