"""Importing an export into a site: one pass that looks, one that writes all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from cms.site import Site
from cms.transfer.accounts import write_author
from cms.transfer.grouping import write_terms
from cms.transfer.identity import take_identity
from cms.transfer.items import write_item
from cms.transfer.more import text_of
from cms.transfer.parents import set_parents
from cms.transfer.records import ItemRecord
from cms.transfer.report import Report
from cms.transfer.survey import Survey, survey
from cms.transfer.writing import Writing
from cms.transfer.wxr import read

__all__ = ["Progress", "Report", "import_wxr"]

#: Told the stage ("reading": bytes, "writing": items), how far it is, and how far it goes.
Progress = Callable[[str, int, int | None], None]

#: One writer per kind of item; a kind without one is left out, for the reason below.
WRITERS: Mapping[str, Callable[[Writing, ItemRecord], None]] = {"post": write_item, "page": write_item}

REASONS = {
    "attachment": "files aren't imported",
    "nav_menu_item": "the site has no menus",
    "revision": "earlier versions aren't imported",
}
UNKNOWN_TYPE = "the site has no such type"
NO_COMMENTS = "what they stand on isn't imported"
NO_META = "values that no plugin has declared aren't imported"


def import_wxr(site: Site, path: Path, progress: Progress | None = None) -> Report:
    """Import an export; what was imported before is recognised and stays as it is.

    Raises ImportRefused, with the site unchanged, where the file can't be read to its end.
    """
    report = Report()
    found = survey(path, report.notify, _tell_bytes(path, progress))
    with site.database.write():
        more = found.site.more if found.site else {}
        exact, zone_name = more.get("exact") is True, text_of(more, "timezone")
        writing = Writing(site, found.source, report, site.now(), exact, zone_name)
        for author in found.all_authors():
            write_author(writing, author)
        write_terms(writing, found.all_terms())
        _write_items(writing, path, found, progress)
        set_parents(writing)
        if found.site is not None:
            report.settings = take_identity(site, found.site)
    return report


def _tell_bytes(path: Path, progress: Progress | None) -> Callable[[int], None] | None:
    if progress is None or not path.is_file():
        return None
    size = path.stat().st_size
    return lambda done: progress("reading", done, size)


def _write_items(writing: Writing, path: Path, found: Survey, progress: Progress | None) -> None:
    items = (record for record in read(path) if isinstance(record, ItemRecord))
    for number, item in enumerate(items, 1):
        _write_item(writing, item)
        if progress:
            progress("writing", number, found.items)


def _write_item(writing: Writing, item: ItemRecord) -> None:
    write = WRITERS.get(item.type)
    if write is None:
        writing.report.leave_out(item.type or "item", REASONS.get(item.type, UNKNOWN_TYPE))
        writing.report.leave_out("comment", NO_COMMENTS, len(item.comments))
    else:
        write(writing, item)
        writing.report.leave_out("meta", NO_META, 0 if writing.exact else len(item.meta))
