"""Attachments of an export on their way into the table of content, and what leads to them."""

from __future__ import annotations

import mimetypes
from pathlib import PurePosixPath

from cms.db.expressions import INHERIT, PUBLISH, TRASH, UNKNOWN_PARENT
from cms.db.sqlite.file_index import FileRow
from cms.db.sqlite.item_index import IndexedItem
from cms.media.names import ending_of
from cms.media.types import BY_ENDING
from cms.rendering.plain import alternative_text
from cms.rendering.slugs import title_slug
from cms.resources.content.writing import free_slug, text_columns, trashed_slug
from cms.transfer.importing.cleaning import is_foreign_scheme, warn_of_loss
from cms.transfer.importing.comments import write_comments
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.exported_references import await_exported
from cms.transfer.importing.identity import ATTACHMENT
from cms.transfer.importing.imported_item import (
    ImportedItem,
    await_texts,
    shared_columns,
    store_old_slugs,
)
from cms.transfer.importing.item_terms import store_terms
from cms.transfer.importing.media.urls import UrlRewriter
from cms.transfer.importing.meta import rewrite_column
from cms.transfer.importing.parents import taken_slug
from cms.transfer.importing.waiting_values import await_values
from cms.transfer.wxr.extension import text_of
from cms.transfer.wxr.records import ItemRecord

PRIVATE = "private"
#: The statuses of the file that are stored; all others become that of what the file is attached to.
STORED_STATUSES = (PRIVATE, TRASH)
USUAL_STATUSES = (INHERIT, PUBLISH, *STORED_STATUSES)
ALT_TEXT = "_wp_attachment_image_alt"
NOT_WANTED = "files weren't asked for"


def write_attachment(importing: ImportContext, item: ItemRecord) -> None:
    """Store an attachment with its file and comments; one that is here without a file gets it."""
    stored = importing.find_stored(item)
    file = importing.files.find_of(stored["place"])
    if file is None:
        importing.report.leave_out(ATTACHMENT, f"its state is {item.status}")
        return
    if stored["known"]:
        importing.report.recognise(ATTACHMENT)
        _add_file(importing, file)
    else:
        _store(importing, item, stored, file)
        importing.report.count(ATTACHMENT)
    _report_file(importing, item, file)
    write_comments(importing, item, file["content_id"], is_new=not stored["known"])


def rewrite_earlier(importing: ImportContext) -> None:
    """Lead the addresses in texts of earlier imports to the files that came only now."""
    if not importing.files.has_fresh():
        return
    site = importing.site
    urls = UrlRewriter(importing.files, site.context.file_url, fresh=True)
    for row in importing.store.texts(importing.source):
        if importing.files.items.is_new(row["id"]):
            continue
        columns: dict[str, str] = {}
        meta = rewrite_column(site, row["meta"], urls.rewrite_value)
        if meta != row["meta"]:
            columns["meta"] = meta
        texts = {
            "title": row["title"],
            "content": urls.rewrite(row["content"]),
            "excerpt": urls.rewrite(row["excerpt"]),
        }
        if texts["content"] != row["content"] or texts["excerpt"] != row["excerpt"]:
            columns |= text_columns(site.renderer, row["type"], texts)
        if columns:
            site.stores.items.update_read("content", row["id"], row["version"], columns)
    importing.report.addresses += urls.count


def _store(importing: ImportContext, item: ItemRecord, stored: IndexedItem, file: FileRow) -> None:
    status = item.status if item.status in STORED_STATUSES else INHERIT
    imported, id = ImportedItem(importing, item, status), file["content_id"]
    if item.status not in USUAL_STATUSES:
        notice = f'the state "{item.status}" isn\'t one of files; it has that of what it is attached to'
        imported.warn(notice)
    importing.add_item(
        stored,
        {
            **shared_columns(imported),
            "slug": _slug(imported, id),
            "parent_id": _parent(imported, id),
            "mime_type": file["mime"] or text_of(item.more, "mime_type") or _guess_type(file["address"]),
        },
    )
    await_texts(imported, id)
    await_values(importing, "content", id)
    store_old_slugs(imported, id)
    await_exported(importing, "content", id, imported.item.more, imported.warn)
    store_terms(imported, id)
    sent = imported.get_meta(ALT_TEXT)
    alt_text = alternative_text(sent)
    warn_of_loss(sent, alt_text, "its alternative text", imported.warn)
    field = (ATTACHMENT, "alt_text")
    alt_text = importing.bounds.fit(field, alt_text, "its alternative text", imported.warn, alternative_text)
    if is_foreign_scheme(item.attachment_url):
        imported.warn(f'"{item.attachment_url[:80]}" is no address of a file; it has none now')
    columns = {**_file_columns(file), "alt_text": alt_text, "origin": file["address"]}
    importing.site.stores.media.add_file(id, columns)


def _add_file(importing: ImportContext, file: FileRow) -> None:
    """Give an attachment that is here the file that came only now."""
    if file["fresh"]:
        stores, id = importing.site.stores, file["content_id"]
        stores.media.update_file(id, _file_columns(file))
        stores.items.update("content", id, {"mime_type": file["mime"]})


def _file_columns(file: FileRow) -> dict[str, str | int]:
    return {"file": file["key"], "size": file["size"], "details": file["details"]}


def _report_file(importing: ImportContext, item: ItemRecord, file: FileRow) -> None:
    if file["fresh"]:
        importing.report.count("file")
    elif file["key"]:
        importing.report.recognise("file")
    elif file["reason"]:
        importing.report.miss(item.line, item.source_id, file["address"], file["reason"])
    else:
        importing.report.leave_out("file", NOT_WANTED)


def _parent(imported: ImportedItem, id: int) -> int:
    """Return what a file is attached to, which may come later; what isn't here leaves it hidden until it comes."""
    importing, number = imported.importing, imported.item.parent_source_id
    if not number:
        return 0
    if number == imported.item.source_id:
        imported.warn("it was attached to itself; it is attached to nothing")
        return 0
    found = importing.find_item(number)
    if found is not None:
        return found
    if number > 0:
        importing.await_reference("content", id, "parent", "item", number)
    if importing.find_file(number) is not None:
        imported.warn(f"it was attached to another file ({number}); it is attached to what that is")
    elif "awaits" not in imported.item.more:
        notice = f"what it was attached to ({number}) isn't here; it is hidden from visitors until that comes"
        imported.warn(notice)
    return UNKNOWN_PARENT


def _slug(imported: ImportedItem, id: int) -> str:
    """Return a slug that no other file has: the export's, else of the title, else the id."""
    item = imported.item
    if imported.status == TRASH:
        return trashed_slug(imported.slug)
    own = imported.slug
    wanted = own or title_slug(item.title) or str(id)
    slug = free_slug(imported.importing.site.stores.slugs, imported.type, wanted, 0, 0, among_types=False)
    if own and slug != own:
        imported.warn(taken_slug(own, slug))
    return slug


def _guess_type(address: str) -> str:
    """Return the type of a file that isn't here by the ending of its name; empty where that is no known one."""
    type = BY_ENDING.get(ending_of(PurePosixPath(address.partition("?")[0]).name))
    if type is not None:
        return type.mime
    return mimetypes.guess_type(address)[0] or ""
