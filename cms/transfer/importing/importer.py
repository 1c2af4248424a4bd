"""Importing an export into a site: it is read, prepared, and brought whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cms.access.actions import Action
from cms.access.capabilities import OPERATOR
from cms.db.import_lock import trying_import_lock
from cms.media.storage import holding
from cms.site import Site
from cms.transfer.importing.attachments import (
    ALT_TEXT,
    rewrite_earlier,
    write_attachment,
)
from cms.transfer.importing.authors import write_author
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.identity import ATTACHMENT, name_item
from cms.transfer.importing.items import NO_COMMENTS, USED_META, write_item
from cms.transfer.importing.made import MadeTexts
from cms.transfer.importing.media.fetch import Source, fetched_files
from cms.transfer.importing.media.file_index import ATTACHED, Files
from cms.transfer.importing.parents import cut_circles
from cms.transfer.importing.preparing import prepare_texts
from cms.transfer.importing.references import detach_unwritten, tie_references
from cms.transfer.importing.report import Report
from cms.transfer.importing.site_settings import find_zone, import_settings
from cms.transfer.importing.spool import Spool, made_spool, readable_twice, records_spool
from cms.transfer.importing.staging import ConcurrentWrite, clear_left, write_staged
from cms.transfer.importing.survey import HIGHEST_ID, REVISION, Survey, brought_types, survey
from cms.transfer.importing.terms import number_terms, write_terms
from cms.transfer.wxr.reader import read
from cms.transfer.wxr.records import ImportRefused, ItemRecord, Record

__all__ = ["Progress", "Report", "import_wxr"]

#: Called with the stage ("reading": bytes, "fetching": files, "writing": items), how far it is, and how far it goes.
Progress = Callable[[str, int, int | None], None]

#: Why items of some types are left out.
REASONS = {
    "nav_menu_item": "the site has no menus",
    REVISION: "earlier versions aren't imported",
}
DUPLICATE = "the file has another item with the same id"
#: Values that have become something else of their item.
USED = frozenset({ALT_TEXT, ATTACHED, *USED_META})
UNKNOWN_TYPE = "the site has no such type"
NO_META = "values that no plugin has declared aren't imported"
#: Types that no plugin brings in another way.
CORE_TYPES = ("post", "page", ATTACHMENT)


def import_wxr(
    site: Site,
    path: Path,
    progress: Progress | None = None,
    source: Source | None = None,
    encoding: str | None = None,
    trust_markup: bool = False,
) -> Report:
    """Import an export, its files from a source; what was imported before is recognised and stays as it is.

    Without a source the files stay where they are. An `encoding` counts instead of the one that the file declares.
    Texts are cleaned as if the least trusted had written them, unless the file's markup is trusted. Raises
    ImportRefused, with the site unchanged, where the export can't be read to its end.
    """
    report = Report()
    with ExitStack() as stack:
        stack.enter_context(_alone(site))
        clear_left(site)
        path = stack.enter_context(readable_twice(path))
        # Files without an item yet look like ones that nothing needs.
        stack.enter_context(holding(site.config.uploads_lock))
        files = stack.enter_context(closing(Files()))
        found = _begin_survey(site, files)
        records = stack.enter_context(records_spool(site.config.instance))
        survey(_kept(read(path, _read_progress(path, progress), report.notify, encoding), records), found)
        files.recognise(site.stores.imports.known_items(found.source))
        stack.enter_context(fetched_files(site, files, source, _fetch_progress(files, progress)))
        return _bring(site, report, found, records, trust_markup, progress)


def _bring(
    site: Site,
    report: Report,
    found: Survey,
    records: Spool[Record],
    trust_markup: bool,
    progress: Progress | None,
) -> Report:
    """Prepare what takes long, then write everything: it becomes visible in one transaction."""
    site.settings.all()  # loads them into memory: what is read while writing isn't remembered
    with made_spool(site.config.instance) as made:
        prepare_texts(_begin(site, Report(), found, trust_markup), records, found.brought, made)

        def write(concurrent: ConcurrentWrite | None) -> Report:
            importing = _begin(site, deepcopy(report), found, trust_markup)
            _write(importing, Prepared(records, made), found, concurrent, progress)
            return importing.report

        return write_staged(site, found, write, partial(_finish, site))


def _finish(site: Site, report: Report) -> None:
    """Tell plugins of the import, once for all: it may bring more items than anybody wants to hear of."""
    data = {"imported": report.imported}
    site.hooks.actions.after_action(Action("import.finished", "import", principal=OPERATOR, data=data))
    site.outbox.record("import.finished", "import", 0, 0, data)


class Prepared(NamedTuple):
    """The records of an export, and what was made of the texts of its items, in turn."""

    records: Spool[Record]
    made: Spool[dict[bytes, object]]


def _kept(records: Iterable[Record], spool: Spool[Record]) -> Iterator[Record]:
    """Yield records that are kept for the passes to come."""
    for record in records:
        spool.add(record)
        yield record


def _begin_survey(site: Site, files: Files) -> Survey:
    registry = site.content_registry
    return Survey(files, brought_types(registry), registry, site.config["max_body"])


@contextmanager
def _alone(site: Site) -> Iterator[None]:
    """Keep a second import away: both would bring the same files."""
    with trying_import_lock(site.config.instance / "import.lock", site.config.server) as is_free:
        if not is_free:
            raise ImportRefused("Another import into this site is running. Wait for its end, then try again.")
        yield


def _begin(site: Site, report: Report, found: Survey, trust_markup: bool) -> ImportContext:
    return ImportContext(
        site=site,
        source=found.source,
        report=report,
        files=found.files,
        extension=found.site.more,
        now=site.now(),
        trust_markup=trust_markup,
        zone_name=find_zone(found.site.more) or found.offsets.find_zone(),
    )


def _write(
    importing: ImportContext,
    prepared: Prepared,
    found: Survey,
    concurrent: ConcurrentWrite | None,
    progress: Progress | None,
) -> None:
    site, report = importing.site, importing.report
    # Somebody may have deleted items since they were looked for.
    importing.files.recognise(site.stores.imports.known_items(importing.source))
    reserve_ids = partial(_reserve_ids, importing) if concurrent is None else concurrent.assign_ids
    reserve_ids(found)
    for author in found.all_authors():
        write_author(importing, author)
    write_terms(importing, found.all_terms())
    _write_items(importing, prepared, found, progress)
    cut_circles(importing)
    importing.pending.run()
    detach_unwritten(importing)
    if concurrent is None:
        number_terms(importing)
    else:
        concurrent.fold()
        concurrent.last.append(partial(_number_terms_last, importing))
    tie_references(importing)
    report.addresses = importing.links.count
    rewrite_earlier(importing)
    _report_zone(importing, found)
    report.settings = import_settings(importing, found.site)


def _number_terms_last(importing: ImportContext) -> None:
    """Note the numbers of terms that others use, and tie what has waited for them."""
    if importing.pending.numbers:
        number_terms(importing)
        tie_references(importing)


def _report_zone(importing: ImportContext, found: Survey) -> None:
    """Tell of local dates that aren't shown as the file has them."""
    if not importing.shifted.lines:
        return
    zone = importing.site.settings["timezone"] or "GMT"
    if importing.takes_zone:
        zone = importing.zone_name or zone
    notice = (
        f"{importing.shifted.number} items have local dates that the time zone {zone} doesn't give them; the moment "
        f"is kept, and shown in that zone. The file's local dates are {found.offsets.describe() or 'without GMT'}"
    )
    importing.warn(importing.shifted.lines[0], notice, importing.shifted.items[0])


def _reserve_ids(importing: ImportContext, found: Survey) -> None:
    """Give all new items their ids, so that texts and items that come first can name them: their own where free."""
    ids, files = importing.site.stores.ids, importing.files
    ids.open("content", files.items.highest_number(HIGHEST_ID))
    ids.open("comments", found.last_comment)
    ids.open("terms", _highest(term.source_id for term in found.terms))
    ids.open("users", _highest(author.source_id for author in found.authors.values()))
    ids.move("content", files.assign_ids(ids.last("content"), partial(ids.free, "content")))


def _highest(numbers: Iterable[int | None]) -> int:
    return max((number for number in numbers if number and number <= HIGHEST_ID), default=0)


def _fetch_progress(files: Files, progress: Progress | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return partial(_report_progress, progress, "fetching", files.count_wanted())


def _read_progress(path: Path, progress: Progress | None) -> Callable[[int], None] | None:
    if progress is None or not path.is_file():
        return None
    return partial(_report_progress, progress, "reading", path.stat().st_size)


def _report_progress(progress: Progress, stage: str, total: int, done: int) -> None:
    progress(stage, done, total)


def _write_items(
    importing: ImportContext, prepared: Prepared, found: Survey, progress: Progress | None
) -> None:
    number, made = 0, iter(prepared.made)
    for record in prepared.records:
        if isinstance(record, ItemRecord):
            number += 1
            importing.made = MadeTexts(next(made))
            _write_item(importing, record, record.type in found.brought)
            if progress:
                progress("writing", number, found.items)


def _write_item(importing: ImportContext, item: ItemRecord, is_brought: bool) -> None:
    report = importing.report
    if item.type not in CORE_TYPES and importing.site.hooks.import_item(item, importing):
        return
    if not is_brought:
        report.leave_out(item.type or "item", REASONS.get(item.type, UNKNOWN_TYPE))
        report.leave_out("comment", NO_COMMENTS, len(item.comments))
        return
    stored = importing.find_stored(item)
    if stored["seen"]:
        report.leave_out(item.type, DUPLICATE)
        notice = f'"{item.title.strip()}" was left out: {DUPLICATE}, title, date and slug'
        importing.warn(item.line, notice, item.source_id)
        return
    importing.files.items.mark_seen(stored["place"])
    if not stored["known"] and stored["stored_name"] != name_item(item):
        notice = f'"{item.title.strip()}" has the id of another item; it became an item of its own'
        importing.warn(item.line, notice, item.source_id)
    importing.used_meta.clear()
    importing.waiting_values.clear()
    if item.type == ATTACHMENT:
        write_attachment(importing, item)
    else:
        write_item(importing, item)
    if not importing.exact:
        used = USED | importing.used_meta
        report.leave_out_meta(item.type, [name for name, _value in item.meta if name not in used], NO_META)
