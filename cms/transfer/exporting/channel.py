"""The head of an export: what it says of the site, its accounts and its terms."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from cms.db.stores import ExportedTerm, ExportStore
from cms.rendering.plain import encode_slug
from cms.transfer.exporting.values import Show, read_meta
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

#: Element, and the names of slug, parent, name and description, by taxonomy.
NAMES = {
    "category": ("wp:category", "category_nicename", "category_parent", "cat_name", "category_description"),
    "post_tag": ("wp:tag", "tag_slug", "", "tag_name", "tag_description"),
}
OTHER = ("wp:term", "term_slug", "term_parent", "term_name", "term_description")


def site_xml(settings: Mapping[str, Any], url: str, front_url: str) -> str:
    """Return what stands before everything else: which site this is, and when it was exported.

    An import knows the site by `url`.
    """
    # Stored as HTML, and texts in the format.
    localized = {name: html.unescape(settings[name] or "") for name in ("title", "description")}
    return "".join(
        (
            OPENING,
            texts(localized),
            element("link", front_url),
            plain("pubDate", format_datetime(datetime.now(UTC))),
            element("language", settings["language"].replace("_", "-")),
            plain("wp:wxr_version", VERSION),
            element("wp:base_site_url", url),
            element("wp:base_blog_url", url),
            write_more({"exact": True, "timezone": settings["timezone"]}, localized),
            plain("generator", f"headless-cms {__version__}"),
        )
    )


def accounts_xml(store: ExportStore, show: Show) -> Iterator[str]:
    """Yield every account; passwords and roles are left out."""
    for row in store.accounts():
        localized = {
            "wp:author_display_name": row["name"],
            "wp:author_first_name": row["first_name"],
            "wp:author_last_name": row["last_name"],
        }
        rest = {
            "slug": row["slug"],
            "nickname": row["nickname"],
            "url": show(row["url"]),
            "description": show(row["description"]),
            "locale": row["locale"],
            "registered_gmt": row["registered_gmt"],
        }
        yield "".join(
            (
                "<wp:author>\n",
                plain("wp:author_id", row["id"]),
                element("wp:author_login", row["login"]),
                element("wp:author_email", row["email"]),
                texts(localized),
                write_more({**rest, "meta": read_meta(row["meta"], show)}, localized),
                "</wp:author>\n",
            )
        )


def terms_xml(store: ExportStore, show: Show) -> Iterator[tuple[str, str]]:
    """Yield every term with its taxonomy in front, parents before those below them."""
    for taxonomy in store.taxonomies():
        for row in _parents_first(store, taxonomy):
            awaits = store.awaited_by("terms", row["id"]) if row["is_awaiting"] else []
            yield taxonomy, _term(row, awaits, show)


def _parents_first(store: ExportStore, taxonomy: str) -> Iterator[ExportedTerm]:
    """Yield terms by id, but none before its parent; only those that come early have to be remembered."""
    early: set[int] = set()
    for row in store.terms(taxonomy):
        chain: list[ExportedTerm] = []
        above: ExportedTerm | None = row
        while above is not None and above["id"] >= row["id"] and above["id"] not in early:
            chain.append(above)
            early.add(above["id"])
            above = store.find_term(taxonomy, above["parent_id"])
        early.discard(row["id"])
        yield from reversed(chain)


def _term(row: ExportedTerm, awaits: list[list[str]], show: Show) -> str:
    tag, slug, parent, name, description = NAMES.get(row["taxonomy"], OTHER)
    localized = {f"wp:{name}": row["name"], f"wp:{description}": show(row["description"])}
    parts = [f"<{tag}>\n", plain("wp:term_id", row["id"])]
    if tag == "wp:term":
        parts.append(element("wp:term_taxonomy", row["taxonomy"]))
    parts.append(element(f"wp:{slug}", encode_slug(row["slug"])))
    if parent:
        parts.append(element(f"wp:{parent}", encode_slug(row["parent_slug"] or "")))
    parts += [
        texts(localized),
        write_more({"meta": read_meta(row["meta"], show), "awaits": awaits}, localized),
        f"</{tag}>\n",
    ]
    return "".join(parts)
