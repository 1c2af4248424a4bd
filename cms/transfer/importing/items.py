"""Posts, pages and items of plugins' types on their way from an export into the table of content."""

from __future__ import annotations

from cms.db.expressions import TRASH
from cms.db.reader import Columns
from cms.db.sqlite.item_index import IndexedItem
from cms.rendering.slugs import title_slug
from cms.resources.content.writing import free_slug, trashed_slug
from cms.schema.content_types import FORMATS
from cms.transfer.importing.bounds import TooLongError
from cms.transfer.importing.comments import write_comments
from cms.transfer.importing.context import ImportContext, NestedItem
from cms.transfer.importing.exported_references import await_exported
from cms.transfer.importing.imported_item import (
    OLD_SLUG,
    TEMPLATE,
    TRASHED_STATUS,
    TRASHED_TIME,
    ImportedItem,
    await_texts,
    shared_columns,
    store_old_slugs,
)
from cms.transfer.importing.item_terms import store_terms
from cms.transfer.importing.parents import has_parents, missing_parent, taken_slug
from cms.transfer.importing.statuses import default_status, imported_status, is_unfinished
from cms.transfer.importing.terms import FORMAT
from cms.transfer.importing.waiting_values import await_values
from cms.transfer.wxr.records import ItemRecord

THUMBNAIL = "_thumbnail_id"
#: Values that become something else of a post or page.
USED_META = (OLD_SLUG, THUMBNAIL, TEMPLATE, TRASHED_STATUS, TRASHED_TIME)
TOO_LONG = "its text is too long"
NO_COMMENTS = "what they stand on isn't imported"
#: More digits than any id has.
MAX_DIGITS = 18


def write_item(importing: ImportContext, item: ItemRecord) -> None:
    """Store an item that isn't a file with its terms and comments, unless it was imported before."""
    type, stored = item.type, importing.find_stored(item)
    if stored["known"]:
        importing.report.recognise(type)
        write_comments(importing, item, int(stored["content_id"] or 0), is_new=False)
        return
    if is_unfinished(importing.site.content_registry, type, item.status):
        importing.report.leave_out(type, f"its state is {item.status}")
        return
    try:
        id = _store(_open(importing, item), stored)
    except TooLongError as fault:
        _leave_out(importing, item, str(fault))
        return
    importing.report.count(type)
    write_comments(importing, item, id, is_new=True)


def _leave_out(importing: ImportContext, item: ItemRecord, fault: str) -> None:
    """Name an item that isn't stored; what leads to it waits for it."""
    importing.links.take_unknown()
    importing.report.leave_out(item.type, TOO_LONG)
    importing.report.leave_out("comment", NO_COMMENTS, len(item.comments))
    notice = (
        f'"{item.title.strip()[:200]}" was left out: {fault}. Shorten it in the file or make two items of it, '
        "then import again: what is here already stays as it is"
    )
    importing.warn(item.line, notice, item.source_id)


def _open(importing: ImportContext, item: ItemRecord) -> ImportedItem:
    registry = importing.site.content_registry
    status = imported_status(registry, item.type, item.status)
    if status is not None:
        return ImportedItem(importing, item, status)
    imported = ImportedItem(importing, item, default_status(registry, item.type))
    imported.warn(f'the state "{item.status}" isn\'t known; the {item.type} became a draft')
    return imported


def _store(imported: ImportedItem, stored: IndexedItem) -> int:
    importing, parent = imported.importing, _parent(imported)
    columns: Columns = {
        **shared_columns(imported),
        "slug": _slug(imported, parent),
        "format": _format(imported),
        "featured_id": _featured(imported),
        "parent_id": parent,
    }
    id = importing.add_item(stored, columns)
    if not columns["slug"] and imported.status != TRASH and not _may_lack_slug(imported):
        importing.site.stores.content.set_slug(id, _free(imported, str(id), parent))
    _await(imported, id, columns)
    store_terms(imported, id)
    return id


def _parent(imported: ImportedItem) -> int:
    """Return what an item is below, which may come later in the file; 0 where it isn't here."""
    number = imported.item.parent_source_id
    if not number or not has_parents(imported.type):
        return 0
    found = imported.importing.find_item(number)
    if found is None:
        imported.warn(missing_parent(number))
    return found or 0


def _await(imported: ImportedItem, id: int, columns: Columns) -> None:
    """Keep what an item names and isn't here, and look for a circle of parents at the end."""
    importing, item = imported.importing, imported.item
    if columns["parent_id"]:
        importing.pending.nested[id] = NestedItem(item.line, item.source_id, columns["parent_id"])
    elif (item.parent_source_id or 0) > 0 and has_parents(imported.type):
        importing.await_reference("content", id, "parent", "item", item.parent_source_id)
    wanted = _featured_number(imported)
    if wanted and not columns["featured_id"]:
        importing.await_reference("content", id, "featured", "item", wanted)
    await_texts(imported, id)
    await_values(importing, "content", id)
    store_old_slugs(imported, id)
    await_exported(importing, "content", id, imported.item.more, imported.warn)


def _may_lack_slug(imported: ImportedItem) -> bool:
    return imported.status in imported.registry.floating


def _slug(imported: ImportedItem, parent: int) -> str:
    """Return a free slug: the file's own, else of the title where the post is published."""
    item = imported.item
    if imported.status == TRASH:
        return trashed_slug(imported.slug)
    wanted = imported.slug
    if not wanted and not _may_lack_slug(imported):
        return _free(imported, title_slug(item.title), parent)
    slug = _free(imported, wanted, parent)
    if slug != wanted:
        imported.warn(taken_slug(wanted, slug))
    return slug


def _free(imported: ImportedItem, wanted: str, parent: int) -> str:
    if not wanted:
        return ""
    slugs = imported.importing.site.stores.slugs
    return free_slug(slugs, imported.type, wanted, 0, parent, among_types=False)


def _format(imported: ImportedItem) -> str:
    for link in imported.item.terms:
        if link.taxonomy == FORMAT:
            name = link.slug.removeprefix("post-format-")
            if name in FORMATS:
                return name
            imported.warn(f'the format "{name}" isn\'t known; the post has the standard one')
    return "standard"


def _featured(imported: ImportedItem) -> int:
    """Return the id of the picture that stands for the post, which may come later in the file."""
    number = _featured_number(imported)
    if not number:
        return 0
    id = imported.importing.find_file(number)
    if id is None:
        imported.warn(f"its featured image {number} isn't in the file; it has none until it comes")
    return id or 0


def _featured_number(imported: ImportedItem) -> int:
    text = imported.get_meta(THUMBNAIL).strip()
    if not text.isdecimal() or not text.isascii():
        return 0
    return int(text[:MAX_DIGITS])
