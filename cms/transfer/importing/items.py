"""Posts, pages and items of plugins' types on their way from an export into the table of content."""

from __future__ import annotations

from cms.db.expressions import TRASH
from cms.db.reader import Columns
from cms.rendering.slugs import title_slug
from cms.resources.content.writing import free_slug, trashed_slug
from cms.schema.content_types import FORMATS
from cms.transfer.importing.comments import write_comments
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.imported_item import (
    TEMPLATE,
    TRASHED_STATUS,
    TRASHED_TIME,
    ImportedItem,
    shared_columns,
    store_terms,
)
from cms.transfer.importing.parents import awaited_parent, has_parents, missing_parent, taken_slug
from cms.transfer.importing.statuses import default_status, imported_status, is_unfinished
from cms.transfer.importing.survey import name_item
from cms.transfer.importing.terms import FORMAT
from cms.transfer.wxr.records import ItemRecord

THUMBNAIL = "_thumbnail_id"
#: Values that become something else of a post or page.
USED_META = (THUMBNAIL, TEMPLATE, TRASHED_STATUS, TRASHED_TIME)
#: More digits than any id has.
MAX_DIGITS = 18


def write_item(importing: ImportContext, item: ItemRecord) -> None:
    """Store an item that isn't a file with its terms and comments, unless it was imported before."""
    type, registry = item.type, importing.site.content_registry
    known = importing.store.find_item(importing.source, name_item(item))
    if known is None and is_unfinished(registry, type, item.status):
        importing.report.leave_out(type, f"its state is {item.status}")
        return
    if known is not None and known["type"] != type:
        importing.report.leave_out(type, "the site has another item with the same id")
        return
    if known is not None:
        id = known["id"]
        importing.report.recognise(type)
    else:
        id = _store(_open(importing, item))
        importing.report.count(type)
    write_comments(importing, item, id)


def _open(importing: ImportContext, item: ItemRecord) -> ImportedItem:
    registry = importing.site.content_registry
    status = imported_status(registry, item.type, item.status)
    if status is not None:
        return ImportedItem(importing, item, status)
    imported = ImportedItem(importing, item, default_status(registry, item.type))
    imported.warn(f'the state "{item.status}" isn\'t known; the {item.type} became a draft')
    return imported


def _store(imported: ImportedItem) -> int:
    item, importing = imported.item, imported.importing
    columns: Columns = {
        **shared_columns(imported),
        "slug": _slug(imported),
        "format": _format(imported),
        "featured_id": _featured(imported),
        "parent_id": awaited_parent(importing, item),
    }
    if has_parents(imported.type) and (item.parent_source_id or 0) < 0:
        imported.warn(missing_parent(item.parent_source_id))
    id = importing.store.add_item(columns)
    if not columns["slug"] and imported.status != TRASH and not _may_lack_slug(imported):
        importing.site.stores.content.set_slug(id, _free(imported, str(id)))
    if columns["parent_id"]:
        importing.pending.lines[id] = item.line
    store_terms(imported, id)
    return id


def _may_lack_slug(imported: ImportedItem) -> bool:
    return imported.status in imported.registry.floating


def _slug(imported: ImportedItem) -> str:
    """Return a free slug: the file's own, else of the title where the post is published."""
    item = imported.item
    if imported.status == TRASH:
        return trashed_slug(imported.slug)
    wanted = imported.slug
    if not wanted and not _may_lack_slug(imported):
        return _free(imported, title_slug(item.title))
    slug = _free(imported, wanted)
    if slug != wanted:
        imported.warn(taken_slug(wanted, slug))
    return slug


def _free(imported: ImportedItem, wanted: str) -> str:
    if not wanted:
        return ""
    importing = imported.importing
    parent = awaited_parent(importing, imported.item)
    return free_slug(importing.site.stores.slugs, imported.type, wanted, 0, parent, among_types=False)


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
    text = imported.get_meta(THUMBNAIL).strip()
    if not text.isdecimal() or not text.isascii():
        return 0
    source_id = int(text[:MAX_DIGITS])
    if not source_id:
        return 0
    id = imported.importing.files.id_of(source_id)
    if id is None:
        imported.warn(f"its featured image {text[:MAX_DIGITS]} isn't in the file; it has none")
    return id or 0
