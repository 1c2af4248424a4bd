"""References of an export to what isn't in it: kept, and tied when a later import of the same source brings it."""

from __future__ import annotations

from collections import Counter

from cms.db.models import ContentRow
from cms.db.stores import FoundReference
from cms.resources.content.writing import free_slug, text_columns
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.identity import ATTACHMENT
from cms.transfer.importing.imported_item import text_field
from cms.transfer.importing.media.ids import ChosenIds, FoundId, IdRewriter, find_places, read_places
from cms.transfer.importing.waiting_markup import MARKUP, MarkupTexts
from cms.transfer.importing.waiting_values import VALUE, tie_value

META, TEXT = "meta:", "text"


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
    tied: set[int] = set()
    texts: dict[int, dict[int, FoundId]] = {}
    markup = MarkupTexts(importing)
    for reference in awaited.found(source):
        tied.add(reference["id"])
        field, _colon, places = reference["field"].partition(":")
        if reference["field"].startswith(VALUE):
            tie_value(importing, reference, tied)
        elif reference["field"].startswith(MARKUP):
            markup.add(reference)
        elif field != TEXT:
            _tie(importing, reference)
        elif reference["found_type"] == ATTACHMENT:
            found = FoundId(reference["found_id"], read_places(places))
            texts.setdefault(reference["holder_id"], {})[int(reference["name"])] = found
    for id, ids in texts.items():
        _tie_text(importing, id, ids)
    markup.tie()
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


def _tie_text(importing: ImportContext, id: int, ids: dict[int, FoundId]) -> None:
    """Lead a text to the ids that its pictures have here, where those aren't the ones of the old site."""
    stores = importing.site.stores
    row = stores.content.find(id)
    if row is None or all(number == found.id for number, found in ids.items()):
        return
    chosen = ChosenIds(_still_known(importing, row, ids))
    rewriter = IdRewriter(chosen.find)
    texts = {
        "title": row["title"],
        "content": rewriter.rewrite(row["content"]),
        "excerpt": rewriter.rewrite(row["excerpt"]),
    }
    columns = text_columns(importing.site.renderer, row["type"], texts)
    stores.items.update_read("content", row["id"], row["version"], columns)
    _note_places(importing, id, ids, rewriter)


def _still_known(importing: ImportContext, row: ContentRow, ids: dict[int, FoundId]) -> dict[int, FoundId]:
    """Return the ids whose places can still be found: a text may have been changed since."""
    scan = IdRewriter(lambda number: None)
    scan.rewrite(row["content"])
    scan.rewrite(row["excerpt"])
    present = Counter(number for number, _found in scan.seen)
    known = {}
    for number, found in ids.items():
        if found.places is None or found.places.total == present[number]:
            known[number] = found
        else:
            notice = (
                f'the picture {number} has come, and which of those in "{row["title"][:200]}" it is can\'t be told any '
                "more, since somebody has changed the text; it stayed as it is"
            )
            importing.warn(1, notice)
    return known


def _note_places(importing: ImportContext, id: int, tied: dict[int, FoundId], rewriter: IdRewriter) -> None:
    """Keep apart what the text still waits for from ids that have become the same number."""
    awaited = importing.site.stores.awaited
    for reference in awaited.of_row("content", id):
        field, _colon, places = reference["field"].partition(":")
        number = int(reference["name"]) if field == TEXT else 0
        if field == TEXT and number not in tied:
            found = find_places(rewriter.seen, number, read_places(places))
            awaited.set_field(reference["id"], text_field(found))


def _tie_term(importing: ImportContext, reference: FoundReference) -> None:
    stores, id, parent = importing.site.stores, reference["holder_id"], reference["found_id"]
    row = stores.terms.find(id)
    if row is None or row["parent_id"] or stores.hierarchy.is_ancestor_or_self("terms", id, parent):
        return
    stores.items.update("terms", id, {"parent_id": parent})
