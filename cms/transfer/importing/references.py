"""References of an export to what isn't in it: kept, and tied when a later import of the same source brings it."""

from __future__ import annotations

import re
from typing import TypeGuard

from cms.db.stores import FoundReference, NewReference
from cms.resources.content.writing import free_slug, text_columns
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.identity import ATTACHMENT
from cms.transfer.importing.imported_item import ImportedItem
from cms.transfer.importing.media.ids import IdRewriter

META = "meta:"
#: What exports of ours say of references: the fields of an item that have them, and what they lead to, by number.
FIELD = re.compile(r"parent|featured|text|meta:\w{1,100}")
KIND = re.compile(r"item|term:[\w-]{1,100}")
NUMBER = re.compile(r"[0-9]{1,18}")


def await_exported(imported: ImportedItem, id: int) -> None:
    """Keep what the item waited for in the site of ours that it comes from."""
    waiting = imported.item.more.get("awaits")
    for each in waiting if isinstance(waiting, list) else ():
        if not _is_reference(each):
            imported.warn("a reference to what isn't here can't be read and was left out")
            continue
        field, source, kind, name = each
        reference = NewReference(
            holder="content", holder_id=id, field=field, source_site=source, kind=kind, name=name
        )
        imported.importing.add_reference(reference)


def _is_reference(value: object) -> TypeGuard[list[str]]:
    """Tell whether a value of a file is field, source, kind and name of a reference of an item."""
    if not isinstance(value, list) or len(value) != 4 or not all(isinstance(part, str) for part in value):
        return False
    field, source, kind, name = value
    return bool(FIELD.fullmatch(field) and source and KIND.fullmatch(kind) and NUMBER.fullmatch(name))


def detach_unwritten(importing: ImportContext) -> None:
    """Let what leads to an item that wasn't stored after all, as a plugin decides, wait for it."""
    for id, number in importing.files.items.unwritten():
        below, showing = importing.store.detach(id)
        for field, holders in (("parent", below), ("featured", showing)):
            for holder in holders:
                importing.await_reference("content", holder, field, "item", number)


def tie_references(importing: ImportContext) -> None:
    """Tie what earlier imports of the same source left waiting and what is here now."""
    importing.store_references()
    awaited, source = importing.site.stores.awaited, importing.source
    if not source or not awaited.has_any(source):
        return
    awaited.tie(source)
    tied = []
    texts: dict[int, dict[int, int]] = {}
    for reference in awaited.found(source):
        tied.append(reference["id"])
        if reference["field"] != "text":
            _tie(importing, reference)
        elif reference["found_type"] == ATTACHMENT:
            texts.setdefault(reference["holder_id"], {})[int(reference["name"])] = reference["found_id"]
    for id, ids in texts.items():
        _tie_text(importing, id, ids)
    awaited.forget(tied, source)


def _tie(importing: ImportContext, reference: FoundReference) -> None:
    field = reference["field"]
    if reference["holder"] == "terms":
        _tie_term(importing, reference)
    elif field == "parent":
        _tie_parent(importing, reference)
    elif field.startswith(META):
        name, found = field.removeprefix(META), str(reference["found_id"])
        importing.store.set_meta(reference["holder_id"], name, found)


def _tie_parent(importing: ImportContext, reference: FoundReference) -> None:
    """Put an item below its parent, unless somebody has put it elsewhere; files have rules of their own."""
    stores, id, parent = importing.site.stores, reference["holder_id"], reference["found_id"]
    row = stores.content.find(id)
    if row is None or row["type"] == ATTACHMENT or row["parent_id"] or reference["found_type"] == ATTACHMENT:
        return
    type = importing.site.content_registry.types.get(row["type"])
    if type is None or stores.hierarchy.is_ancestor_or_self("content", id, parent):
        return
    slug = row["slug"]
    if slug and row["status"] != "trash":
        slug = free_slug(stores.slugs, type, slug, id, parent, among_types=False)
    stores.content.move(id, parent, slug)


def _tie_text(importing: ImportContext, id: int, ids: dict[int, int]) -> None:
    """Lead a text to the ids that its pictures have here, where those aren't the ones of the old site."""
    stores = importing.site.stores
    row = stores.content.find(id)
    if row is None or all(number == found for number, found in ids.items()):
        return
    rewriter = IdRewriter(ids.get)
    texts = {
        "title": row["title"],
        "content": rewriter.rewrite(row["content"]),
        "excerpt": rewriter.rewrite(row["excerpt"]),
    }
    columns = text_columns(importing.site.renderer, row["type"], texts)
    stores.items.update("content", row["id"], columns)


def _tie_term(importing: ImportContext, reference: FoundReference) -> None:
    stores, id, parent = importing.site.stores, reference["holder_id"], reference["found_id"]
    row = stores.terms.find(id)
    if row is None or row["parent_id"] or stores.hierarchy.is_ancestor_or_self("terms", id, parent):
        return
    stores.items.update("terms", id, {"parent_id": parent})
