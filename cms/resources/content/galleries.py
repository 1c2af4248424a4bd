"""Filling the galleries and playlists in texts with files that the reader may see, those of a page in one statement."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from hashlib import sha256
from operator import itemgetter

from cms.db.stores.media import ListedFile
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.file_lists import MOST_FILES, FileList, fill_placeholders, read_placeholders
from cms.rendering.galleries import ShownFile, file_list_html
from cms.resources.content.files import file_details, rendition, source_url
from cms.resources.content.permalinks import file_permalink
from cms.resources.content.plugin_visibility import visible_rows
from cms.resources.content.stored_html import stored_html
from cms.schema.extension import is_readable


@dataclass(frozen=True)
class PageFiles:
    """The galleries and playlists of a page by the item's id, and the files that they may show: by id, by parent."""

    lists: dict[int, list[FileList]]
    by_id: dict[int, ListedFile]
    by_parent: dict[int, list[ListedFile]]


def fill_galleries(row: Row, page: SerializationContext, html: str) -> str:
    """Return the HTML of an item's text with what its galleries and playlists show."""
    found = page.load(load_listed_files)
    room = MOST_FILES
    number = 0
    made = []
    for wanted in found.lists.get(row["id"], []):
        number += wanted.kind == "image"
        item = wanted.item or row["id"]
        files = _in_order(wanted, _choose(wanted, item, found), page.now[:10])[:room]
        room -= len(files)
        made.append(file_list_html(wanted, number, item, [_shown(file, wanted.size, page) for file in files]))
    return fill_placeholders(html, made)


def load_listed_files(page: SerializationContext) -> PageFiles:
    """Return what the texts of a page want to show, and what of it the reader may see."""
    lists = {
        row["id"]: read_placeholders(stored_html(row, page, "content"))
        for row in page.rows
        if is_readable(row, page)
    }
    wanted = [(each, each.item or item) for item, listed in lists.items() for each in listed]
    ids = {id for each, _item in wanted for id in each.ids}
    parents = {item for each, item in wanted if not each.ids}
    by_id, by_parent = {}, defaultdict(list)
    for file in visible_rows(page.site.stores.media.listed_files(ids, parents), page):
        by_id[file["id"]] = file
        by_parent[file["parent_id"]].append(file)
    return PageFiles(lists, by_id, by_parent)


def _choose(wanted: FileList, item: int, found: PageFiles) -> list[ListedFile]:
    if wanted.ids:
        files = [found.by_id[id] for id in wanted.ids if id in found.by_id]
    else:
        files = [file for file in found.by_parent.get(item, []) if file["id"] not in wanted.excluded]
    return [file for file in files if file["mime_type"].startswith(f"{wanted.kind}/")]


def _in_order(wanted: FileList, files: list[ListedFile], day: str) -> list[ListedFile]:
    """Return files in the order of a list; one by chance lasts a day, so that answers can be kept and compared."""
    if wanted.ids and not wanted.order:
        return files
    if "rand" in wanted.order:
        return sorted(files, key=lambda file: sha256(f"{day} {file['id']}".encode()).digest())
    order = (*(wanted.order or ("menu_order",)), "id")
    return sorted(files, key=itemgetter(*order), reverse=wanted.is_descending)


def _shown(file: ListedFile, size: str, page: SerializationContext) -> ShownFile:
    source = source_url(page.site, file)
    details = file_details(page.site, file, file["mime_type"])
    return ShownFile(
        file["id"],
        file["title"],
        page.site.own_files.show(file["excerpt"]),
        file["alt_text"],
        source,
        file_permalink(file, page),
        rendition(details, size, source),
        details,
    )
