"""The pass between looking and writing: it cleans and renders the texts of new items, while others may write."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import islice

from cms.transfer.importing.bounds import TooLongError
from cms.transfer.importing.comments import comment_texts
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.imported_item import ImportedItem, item_texts
from cms.transfer.importing.made import MadeTexts
from cms.transfer.importing.processes import count_processes, prepare_in_processes
from cms.transfer.importing.spool import Spool
from cms.transfer.importing.statuses import default_status
from cms.transfer.importing.survey import HIGHEST_ID
from cms.transfer.wxr.records import ItemRecord, Record

#: What was made of the texts of an item.
Results = dict[bytes, object]
#: Fewer are prepared before other processes would have begun.
FEW_ITEMS = 300


def prepare_texts(
    importing: ImportContext,
    records: Iterable[Record],
    types: Collection[str],
    made: Spool[Results],
) -> None:
    """Make what the texts of new items of some types become, and keep it for each item of the file in turn.

    The ids that the texts name are those that the items will get if nobody writes meanwhile. What `importing` reports
    is told once more when the items are stored. Many items are prepared in several processes; what one of them that
    was killed has left is made when the items are stored.
    """
    _assign_ids(importing)
    items = (record for record in records if isinstance(record, ItemRecord))
    prepare = partial(_prepare_item, importing, types)
    first = list(islice(items, FEW_ITEMS))
    for item in first:
        made.add(prepare(item))
    processes = count_processes()
    if processes > 1 and len(first) == FEW_ITEMS:
        results: Iterator[Results] = prepare_in_processes(items, prepare, dict[bytes, object], processes)
    else:
        results = map(prepare, items)
    for result in results:
        made.add(result)


def _prepare_item(importing: ImportContext, types: Collection[str], item: ItemRecord) -> Results:
    importing.made = MadeTexts(keeps=True)
    if item.type in types and _is_new(importing, item):
        _prepare(importing, item)
    return importing.made.results


def _assign_ids(importing: ImportContext) -> None:
    """Give new items the ids that they will probably have; see `IdStore.open`."""
    ids, files = importing.site.stores.ids, importing.files
    highest = files.items.highest_number(HIGHEST_ID)

    def find_free(wanted: Collection[int]) -> set[int]:
        return ids.free_when_open("content", highest, wanted)

    files.assign_ids(max(ids.last("content"), highest), find_free)


def _is_new(importing: ImportContext, item: ItemRecord) -> bool:
    stored = importing.find_stored(item)
    return not stored["known"] and stored["content_id"] is not None


def _prepare(importing: ImportContext, item: ItemRecord) -> None:
    imported = ImportedItem(importing, item, default_status(importing.site.content_registry, item.type))
    try:
        item_texts(imported)
    except TooLongError:
        return
    finally:
        importing.links.take_unknown()
    for comment in item.comments:
        comment_texts(importing, comment, imported.warn)
