"""Items of content in an export, each with its terms, its further values and its comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from email.utils import format_datetime

from cms.access.capabilities import Principal
from cms.db.expressions import effective_status
from cms.db.stores import ExportedComment, ExportedItem, ExportStore
from cms.operations.serialize import SerializationContext
from cms.rendering.plain import encode_slug
from cms.resources.content.tree import load_paths, paths
from cms.schema.content_types import FORMATS
from cms.schema.fields import VIEW
from cms.site import Site
from cms.transfer.exporting.comments import comment_xml
from cms.transfer.exporting.values import as_datetime, as_gmt, as_local, as_texts, pair, read_meta
from cms.transfer.wxr.extension import write_more
from cms.transfer.wxr.xml import attribute, cdata, element, plain, texts

#: The slug that an item had before.
OLD_SLUG = "_wp_old_slug"
#: The date in GMT of an item that has none of its own.
NO_DATE = "0000-00-00 00:00:00"


@dataclass(frozen=True)
class ItemWriter:
    """Writes the items of one export; `now` is the moment that scheduled items are told by."""

    site: Site
    store: ExportStore
    now: str
    zone: tzinfo

    def parts(self, row: ExportedItem) -> Iterator[tuple[str, str]]:
        """Yield an item in parts, each with the kind of thing that it completes, if any."""
        yield "", self._head(row)
        if row["has_comments"]:
            for comment in self.store.comments_of(row["id"]):
                awaits = self._awaited("comments", comment)
                yield "comment", comment_xml(comment, self.site.own_files.show, awaits, self.zone)
        yield row["type"], "</item>\n"

    def _head(self, row: ExportedItem) -> str:
        show = self.site.own_files.show
        localized = {
            "title": row["title"],
            "content:encoded": show(row["content"]),
            "excerpt:encoded": show(row["excerpt"]),
            "wp:post_password": row["password"],
        }
        stored = read_meta(row["meta"], show)
        meta = _known_meta(row) | as_texts(stored)
        rest = {"meta": stored, "mime_type": row["mime_type"], "awaits": self._awaited("content", row)}
        return "".join(
            (
                "<item>\n",
                texts(localized),
                self._origin(row),
                self._dates(row),
                self._state(row),
                self._attachment(row),
                *self._terms(row),
                *(pair("wp:postmeta", name, value) for name, value in meta.items()),
                *(pair("wp:postmeta", OLD_SLUG, encode_slug(slug)) for slug in self._old_slugs(row)),
                write_more(rest, {**localized, **meta}),
            )
        )

    def _old_slugs(self, row: ExportedItem) -> list[str]:
        if row["has_old_slugs"]:
            return self.store.old_slugs_of(row["id"])
        return []

    def _awaited(self, table: str, row: ExportedItem | ExportedComment) -> list[list[str]]:
        """Return what a row refers to and isn't here."""
        return self.store.awaited_by(table, row["id"]) if row["is_awaiting"] else []

    def _origin(self, row: ExportedItem) -> str:
        return "".join(
            (
                element("link", self._link(row)),
                plain("pubDate", format_datetime(as_datetime(row["date_gmt"]))),
                element("dc:creator", row["login"]),
                f'<guid isPermaLink="false">{cdata(self._guid(row))}</guid>\n',
                plain("description", ""),
                plain("wp:post_id", row["id"]),
            )
        )

    def _state(self, row: ExportedItem) -> str:
        return "".join(
            (
                element("wp:comment_status", row["comment_status"]),
                element("wp:ping_status", row["ping_status"]),
                element("wp:post_name", encode_slug(row["slug"])),
                element("wp:status", effective_status(row, self.now)),
                plain("wp:post_parent", row["parent_id"]),
                plain("wp:menu_order", row["menu_order"]),
                element("wp:post_type", row["type"]),
                plain("wp:is_sticky", int(row["is_sticky"])),
            )
        )

    def _link(self, row: ExportedItem) -> str:
        """Return the item's address at a front end, else the one that names it by its id."""
        resource = self.site.registry.resources.get(row["type"])
        if resource is None or resource.address is None:
            return self._guid(row)
        rows = [dict(row)]
        page = SerializationContext(self.site.context, self.site.renderer, Principal(), VIEW, rows, self.now)
        if row["parent_id"]:
            page.preload(load_paths, paths(page, page.rows, self.store.reader))
        return resource.address(rows[0], page)

    def _guid(self, row: ExportedItem) -> str:
        return f"{self.site.url}/?p={row['id']}"

    def _dates(self, row: ExportedItem) -> str:
        date_gmt = NO_DATE if row["date_floats"] else as_gmt(row["date_gmt"])
        return "".join(
            (
                plain("wp:post_date", as_local(row["date_gmt"], self.zone)),
                plain("wp:post_date_gmt", date_gmt),
                plain("wp:post_modified", as_local(row["modified_gmt"], self.zone)),
                plain("wp:post_modified_gmt", as_gmt(row["modified_gmt"])),
            )
        )

    def _attachment(self, row: ExportedItem) -> str:
        if row["type"] != "attachment":
            return ""
        address = row["origin"] or ""
        if row["file"]:
            address = self.site.context.file_url(row["file"])
        return element("wp:attachment_url", address)

    def _terms(self, row: ExportedItem) -> Iterator[str]:
        format = row["format"]
        if format in FORMATS and format != "standard":
            yield _category("post_format", f"post-format-{format}", format.capitalize())
        if row["has_terms"]:
            for term in self.store.terms_of(row["id"]):
                yield _category(term["taxonomy"], encode_slug(term["slug"]), term["name"])


def _known_meta(row: ExportedItem) -> dict[str, str]:
    """Return the columns that the format holds as pairs."""
    trashed = ""
    if row["trashed_gmt"]:
        trashed = str(int(as_datetime(row["trashed_gmt"]).timestamp()))
    known = {
        "_thumbnail_id": str(row["featured_id"] or ""),
        "_wp_page_template": row["template"],
        "_wp_trash_meta_status": row["trashed_status"],
        "_wp_trash_meta_time": trashed,
        "_wp_attached_file": row["file"],
        "_wp_attachment_image_alt": row["alt_text"],
    }
    return {name: value for name, value in known.items() if value}


def _category(taxonomy: str, slug: str, name: str) -> str:
    return f"<category domain={attribute(taxonomy)} nicename={attribute(slug)}>{cdata(name)}</category>\n"
