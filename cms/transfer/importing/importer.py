"""Importing an export into a site: one pass that looks, one that writes all of it or nothing."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from cms.media.storage import holding
from cms.site import Site
from cms.transfer.importing.attachments import (
    ALT_TEXT,
    attach,
    known_items,
    reserve_ids,
    rewrite_earlier,
    write_attachment,
)
from cms.transfer.importing.authors import write_author
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.items import USED_META, write_item
from cms.transfer.importing.media.fetch import Source, fetched_files
from cms.transfer.importing.media.file_index import ATTACHED, Files
from cms.transfer.importing.parents import ATTACHMENT, set_parents
from cms.transfer.importing.report import Report
from cms.transfer.importing.site_settings import take_identity
from cms.transfer.importing.survey import REVISION, Survey, brought_types, name_item, survey
from cms.transfer.importing.terms import write_terms
from cms.transfer.wxr.reader import read
from cms.transfer.wxr.records import ImportRefused, ItemRecord

__all__ = ["Progress", "Report", "import_wxr"]

#: Told the stage ("reading": bytes, "fetching": files, "writing": items), how far it is, and how far it goes.
Progress = Callable[[str, int, int | None], None]

#: Why items of some types are left out.
REASONS = {
    "nav_menu_item": "the site has no menus",
    REVISION: "earlier versions aren't imported",
}
DOUBLE = "the file has another item with the same id"
#: Values that have become something else of their item.
USED = frozenset({ALT_TEXT, ATTACHED, *USED_META})
UNKNOWN_TYPE = "the site has no such type"
NO_COMMENTS = "what they stand on isn't imported"
NO_META = "values that no plugin has declared aren't imported"
#: Kinds that no plugin brings in another way.
OWN = ("post", "page", ATTACHMENT)


def import_wxr(
    site: Site, path: Path, progress: Progress | None = None, source: Source | None = None
) -> Report:
    """Import an export, its files from a source; what was imported before is recognised and stays as it is.

    Without a source the files stay where they are. Raises ImportRefused, with the site unchanged, where the export
    can't be read to its end.
    """
    report = Report()
    with ExitStack() as stack:
        stack.enter_context(_alone(site))
        stack.enter_context(
            holding(site.config.uploads_lock)
        )  # files without an item yet look like left ones
        files = stack.enter_context(closing(Files()))
        found = Survey(files, brought_types(site.content_registry), site.config["max_body"])
        survey(path, found, report.notify, _tell_bytes(path, progress))
        files.recognise(known_items(site, found.source))
        stack.enter_context(fetched_files(site, files, source, _tell_files(files, progress)))
        _write(
            ImportContext(site, found.source, report, site.now(), files, found.site.more),
            path,
            found,
            progress,
        )
    return report


@contextmanager
def _alone(site: Site) -> Iterator[None]:
    """Keep a second import away: both would bring the same files."""
    with (site.config.instance / "import.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ImportRefused(
                "Another import into this site is running. Wait for its end, then try again."
            ) from None
        yield


def _write(importing: ImportContext, path: Path, found: Survey, progress: Progress | None) -> None:
    importing.site.settings.all()  # so that they are kept: what is read while writing isn't
    with importing.site.database.write():
        importing.files.recognise(
            known_items(importing.site, found.source)
        )  # somebody may have deleted some meanwhile
        importing.begin()
        reserve_ids(importing)
        for author in found.all_authors():
            write_author(importing, author)
        write_terms(importing, found.all_terms())
        _write_items(importing, path, found, progress)
        set_parents(importing)
        attach(importing)
        for finish in importing.waiting:
            finish()
        importing.report.addresses = importing.addresses.count
        rewrite_earlier(importing)
        importing.report.settings = take_identity(importing.site, found.site)
        # One for all: an import may bring more items than anybody wants to be told of.
        importing.site.outbox.record(
            "import.finished", "import", 0, 0, {"imported": importing.report.imported}
        )


def _tell_files(files: Files, progress: Progress | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    total = files.count_wanted()
    return lambda done: progress("fetching", done, total)


def _tell_bytes(path: Path, progress: Progress | None) -> Callable[[int], None] | None:
    if progress is None or not path.is_file():
        return None
    size = path.stat().st_size
    return lambda done: progress("reading", done, size)


def _write_items(importing: ImportContext, path: Path, found: Survey, progress: Progress | None) -> None:
    importing.files.clear_claims()
    items = (record for record in read(path) if isinstance(record, ItemRecord))
    for number, item in enumerate(items, 1):
        _write_item(importing, item, item.type in found.brought)
        if progress:
            progress("writing", number, found.items)


def _write_item(importing: ImportContext, item: ItemRecord, is_brought: bool) -> None:
    if item.type not in OWN and _brought_by_plugin(importing, item):
        return
    if not is_brought:
        importing.report.leave_out(item.type or "item", REASONS.get(item.type, UNKNOWN_TYPE))
        importing.report.leave_out("comment", NO_COMMENTS, len(item.comments))
    elif not importing.files.claim(name_item(item)):
        importing.report.leave_out(item.type, DOUBLE)
    else:
        (write_attachment if item.type == ATTACHMENT else write_item)(importing, item)
        unused = 0 if importing.exact else sum(key not in USED for key, _value in item.meta)
        importing.report.leave_out("meta", NO_META, unused)


def _brought_by_plugin(importing: ImportContext, item: ItemRecord) -> bool:
    return importing.site.hooks.import_item(item, importing)
