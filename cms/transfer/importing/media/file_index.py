"""The files of an import: which attachment of the export wants which, and which of them the site has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from urllib.parse import unquote, urlsplit

import orjson

from cms.db.sqlite.file_index import FileIndex, KnownFile, WantedFile
from cms.db.sqlite.item_index import KnownRow
from cms.db.stores import KnownItem
from cms.resources.media.files import StoredFile, all_keys
from cms.transfer.importing.cleaning import is_foreign_scheme
from cms.transfer.importing.identity import (
    ATTACHMENT,
    contradicts,
    mark_item,
    name_item,
    number_in,
    tells_enough,
)
from cms.transfer.wxr.records import ItemRecord

#: The path of a file below the uploads of its site.
ATTACHED = "_wp_attached_file"
#: How many items of the site are noted at once.
BATCH = 500
_MONTH = re.compile(r"/([0-9]{4}/(?:0[1-9]|1[0-2]))/[^/]*$")


class Files(FileIndex):
    """The index, filled from records of an export and rows of content."""

    def __init__(self) -> None:
        super().__init__()
        self.items.set_rules(contradicts, tells_enough)

    def add(self, item: ItemRecord, home: str, finished: bool = True) -> None:
        """Add an item, and the file of an attachment; `home` is the address of the old site.

        One that isn't `finished` is left out, unless the site has it.
        """
        place = self.items.insert(
            {
                "name": name_item(item),
                "mark": mark_item(item),
                "type": item.type,
                "number": item.source_id if (item.source_id or 0) > 0 else None,
                "finished": finished,
            }
        )
        if place and finished and item.type == ATTACHMENT:
            self._add_file(place, item, home)

    def _add_file(self, place: int, item: ItemRecord, home: str) -> None:
        address = file_address(item, home)
        found = place_of(address)
        self.insert(
            {
                "item_place": place,
                "line": item.line,
                "item": item.source_id,
                "address": address,
                "place": found,
                "base": _last_part(found),
                "attached": dict(item.meta).get(ATTACHED, "").strip(),
                "month": _month(found, item),
            }
        )

    def recognise(self, items: Iterable[KnownItem]) -> None:
        """Note what the site has of the same source, instead of what was noted before."""
        self.items.forget_known()
        self.forget_known()
        found = iter(items)
        while batch := list(islice(found, BATCH)):
            self.items.add_known([_known_row(item) for item in batch])
            self.add_known([_known_file(item) for item in batch if item["type"] == ATTACHMENT])
        self.items.recognise()
        self.settle()

    def assign_ids(self, last: int, find_free: Callable[[Collection[int]], set[int]]) -> int:
        """Give new items their ids, and their files; see `ItemIndex.assign_ids`."""
        last = self.items.assign_ids(last, find_free)
        self.take_ids()
        return last

    def add_stored(self, wanted: WantedFile, stored: StoredFile) -> None:
        """Note where a file was stored."""
        details = orjson.dumps(stored.details).decode()
        self.set_stored(wanted.number, stored.key, stored.kind.mime, stored.size, details)

    def fresh_keys(self) -> Iterator[str]:
        """Yield the keys of all files that this import brought, renditions too."""
        for row in self.get_fresh():
            yield from all_keys(row["key"], orjson.loads(row["details"]))


def file_address(item: ItemRecord, home: str) -> str:
    """Return the full address of an attachment's file; empty or without a host where the export has no more."""
    address = item.attachment_url.strip().replace(" ", "%20")
    if not address and _names_file(item.guid):
        address = item.guid
    if is_foreign_scheme(address):
        return ""
    if address.startswith("//"):
        return f"https:{address}"
    if address and "://" not in address and home:
        return f"{home.rstrip('/')}/{address.lstrip('/')}"
    return address


def _names_file(guid: str) -> bool:
    """Tell whether an item's own name is the address of a file, rather than of the item."""
    return "://" in guid and "." in guid.partition("?")[0].rpartition("/")[2]


def place_of(address: str) -> str:
    """Return an address in its normal form: host without `www.` and decoded path; empty where it has no host."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2].lower().removeprefix("www.")
    if not host:
        return ""
    return unicodedata.normalize("NFC", host + unquote(parts.path))


def _known_row(item: KnownItem) -> KnownRow:
    name = item["source_id"]
    return {
        "id": item["id"],
        "name": name,
        "number": number_in(name),
        "type": item["type"],
        "mark": item["source_mark"],
    }


def _known_file(item: KnownItem) -> KnownFile:
    place = place_of(item["origin"])
    return {
        "content_id": item["id"],
        "address": item["origin"],
        "place": place,
        "base": _last_part(place),
        "key": item["file"],
        "mime": item["mime_type"],
        "details": item["details"],
    }


def _last_part(place: str) -> str:
    return place.rpartition("/")[2]


def _month(place: str, item: ItemRecord) -> str:
    """Return year and month (`2026/11`) of the address, so that it keeps its form, else those of the item."""
    if found := _MONTH.search(place):
        return found[1]
    date = item.date_local or item.date_gmt
    if date is None:
        return ""
    return f"{date.year:04}/{date.month:02}"
