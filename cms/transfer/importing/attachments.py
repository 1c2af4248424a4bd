"""Attachments of an export on their way into the table of content, and what leads to them."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from cms.media.names import ending_of
from cms.media.types import BY_ENDING
from cms.rendering.plain import clean_line
from cms.rendering.slugs import clean_slug, without_trash_mark
from cms.transfer.importing.comments import write_comments
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.items import Entry, shared_columns, store_terms
from cms.transfer.importing.media.urls import UrlRewriter
from cms.transfer.importing.parents import ATTACHMENT, awaited_parent, waiting
from cms.transfer.importing.survey import name_item
from cms.transfer.wxr.extension import text_of
from cms.transfer.wxr.records import ItemRecord

#: What a state of the file is stored as; all others are inherited from what the file is attached to.
STATES = {"private": "private", "trash": "trash"}
USUAL_STATES = ("inherit", "publish", *STATES)
ALT_TEXT = "_wp_attachment_image_alt"
TAKEN = "SELECT 1 FROM content WHERE slug = ? AND slug <> '' AND type = 'attachment' AND status <> 'trash'"
NOT_ASKED = "files weren't asked for"
#: What the site has of the same source, some at a time; the sign keeps SQLite to the order of ids, nothing to sort.
KNOWN = """
SELECT c.id, c.type, c.source_id, c.mime_type, COALESCE(m.file, '') AS file, COALESCE(m.details, '{}') AS details,
    COALESCE(m.origin, '') AS origin
FROM content c LEFT JOIN media m ON m.content_id = c.id
WHERE +c.source_site = ? AND c.source_id IS NOT NULL AND c.id > ? ORDER BY c.id LIMIT 500
"""
#: Texts of earlier imports of the same source, some at a time.
EARLIER = """
SELECT id, type, title, content, excerpt FROM content
WHERE +source_site = ? AND id > ? AND id <= ? ORDER BY id LIMIT 100
"""


def known_items(site: Any, source: str) -> Iterator[Any]:
    """Yield what the site has of a source, with the files of media."""
    last = 0
    while rows := site.database.rows(KNOWN, (source, last)):
        yield from rows
        last = rows[-1]["id"]


def reserve_ids(importing: ImportContext) -> None:
    """Give all new attachments their ids, so that texts and posts that come first can name them."""
    database = importing.site.database
    row = database.row("SELECT seq FROM sqlite_sequence WHERE name = 'content'")
    last = int(row["seq"]) if row else 0
    count = importing.files.assign_ids(last)
    if row:
        importing.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'content'", last + count)
    else:
        importing.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('content', ?)", count)


def write_attachment(importing: ImportContext, item: ItemRecord) -> None:
    """Store an attachment with its file and comments; one that is here without a file gets it."""
    file = importing.files.find_by_name(name_item(item))
    if file is None:
        importing.report.leave_out("attachment", f"its state is {item.status}")
        return
    if file["other"]:
        importing.report.leave_out("attachment", "the site has another item with the same id")
        return
    if file["known"]:
        importing.report.recognise("attachment")
        _add_file(importing, file)
    else:
        _store(importing, item, file)
        importing.report.count("attachment")
    _tell_file(importing, item, file)
    write_comments(importing, item, file["content_id"])


def attach(importing: ImportContext) -> None:
    """Attach files to what comes later in the export than they, or was imported before."""
    for row in waiting(importing, ATTACHMENT):
        parent = -row["parent_id"]
        found = importing.find_item(parent)
        importing.run("UPDATE content SET parent_id = ? WHERE id = ?", found or 0, row["id"])
        if found is None and (file := importing.files.find_by_name(row["source_id"])):
            attachment = importing.files.id_of(parent) is not None
            what = (
                f"it was attached to another file ({parent})"
                if attachment
                else (f"what it was attached to ({parent}) isn't here")
            )
            importing.tell(file["line"], f"{what}; it is attached to nothing", file["item"])


def rewrite_earlier(importing: ImportContext) -> None:
    """Lead the addresses in texts of earlier imports to the files that came only now."""
    if not importing.files.has_fresh():
        return
    addresses = UrlRewriter(importing.files, importing.site.context.file_url, fresh=True)
    last = 0
    while rows := importing.site.database.rows(EARLIER, (importing.source, last, importing.newest)):
        for row in rows:
            content, excerpt = addresses.rewrite(row["content"]), addresses.rewrite(row["excerpt"])
            if (content, excerpt) != (row["content"], row["excerpt"]):
                _change_texts(importing, row, content, excerpt)
        last = rows[-1]["id"]
    importing.report.addresses += addresses.count


def _change_texts(importing: ImportContext, row: Any, content: str, excerpt: str) -> None:
    rendered = importing.site.renderer.content_columns(row["type"], row["title"], content, excerpt)
    values = {"content": content, "excerpt": excerpt, **rendered}
    places = ", ".join(f"{name} = ?" for name in values)
    importing.run(
        f"UPDATE content SET {places}, version = version + 1 WHERE id = ?",  # noqa: S608 (our own names)
        *values.values(),
        row["id"],
    )


def _store(importing: ImportContext, item: ItemRecord, file: Any) -> None:
    entry = Entry(importing, item, STATES.get(item.status, "inherit"))
    if item.status not in USUAL_STATES:
        entry.tell(f'the state "{item.status}" isn\'t one of files; it has that of what it is attached to')
    id = file["content_id"]
    importing.insert(
        "content",
        {
            "id": id,
            **shared_columns(entry),
            "slug": _slug(entry, id),
            "parent_id": _parent(entry),
            "mime_type": file["mime"] or text_of(item.more, "mime_type") or _guess_type(file["address"]),
        },
    )
    store_terms(entry, id)
    importing.insert(
        "media",
        {
            "content_id": id,
            "file": file["key"],
            "size": file["size"],
            "details": file["details"],
            "alt_text": clean_line(dict(item.meta).get(ALT_TEXT, "")),
            "origin": file["address"],
        },
    )


def _add_file(importing: ImportContext, file: Any) -> None:
    if not file["fresh"]:
        return
    importing.run(
        "UPDATE media SET file = ?, size = ?, details = ? WHERE content_id = ?",
        file["key"],
        file["size"],
        file["details"],
        file["content_id"],
    )
    importing.run(
        "UPDATE content SET mime_type = ?, version = version + 1 WHERE id = ?",
        file["mime"],
        file["content_id"],
    )


def _tell_file(importing: ImportContext, item: ItemRecord, file: Any) -> None:
    if file["fresh"]:
        importing.report.count("file")
    elif file["key"]:
        importing.report.recognise("file")
    elif file["reason"]:
        importing.report.miss(item.line, item.source_id, file["address"], file["reason"])
    else:
        importing.report.leave_out("file", NOT_ASKED)


def _parent(entry: Entry) -> int:
    """Return what a file is attached to, where it has come already; the others wait and are attached at the end."""
    parent = entry.item.parent_source_id
    return (entry.importing.find_item(parent) or awaited_parent(entry.importing, entry.item)) if parent else 0


def _slug(entry: Entry, id: int) -> str:
    """Return a slug that no other file has: the export's, else of the title, else the id."""
    given = clean_slug(entry.item.slug)
    if entry.status == "trash":
        return f"{without_trash_mark(given)}__trashed"
    database, wanted = entry.importing.site.database, given or clean_slug(entry.item.title) or str(id)
    if database.row(TAKEN, (wanted,)) is None:
        return wanted
    slug = entry.importing.site.stores.slugs.free_among_type(wanted, "attachment", 0)
    if given:
        entry.tell(f'the slug "{given}" was taken; it became "{slug}"')
    return slug


def _guess_type(address: str) -> str:
    """Return the type of a file that isn't here by the ending of its name; empty where that tells nothing."""
    kind = BY_ENDING.get(ending_of(PurePosixPath(address.partition("?")[0]).name))
    return kind.mime if kind else mimetypes.guess_type(address)[0] or ""
