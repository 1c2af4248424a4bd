"""Writing an import while others write, and making it visible in one short transaction.

In a file it is written into a copy of the database, which is then brought; on a server in a transaction of its own.
Where others have changed what the import depends on, it is done anew, and at last under the write lock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from cms.db.errors import MergeConflict
from cms.db.sqlite.merge_ahead import prepare_merge
from cms.db.sqlite.merging import attached_copy, checkpoint_after, merge, merge_errors
from cms.db.sqlite.search_ahead import clear_ahead, has_ahead, index_ahead, recover_ahead, settle_ahead
from cms.db.sqlite.working_copy import (
    CopiedTable,
    finish_working_copy,
    make_working_copy,
    remove_working_copy,
)
from cms.db.stores import IdStore, ReservedIds
from cms.site import Site
from cms.transfer.importing.report import Report
from cms.transfer.importing.survey import HIGHEST_ID, Survey

#: An import of fewer rows is written under the lock, which takes less time than a copy of a large site.
FEW_ROWS = 200
#: The same on a server, where nothing is copied and each row takes longer.
FEW_ON_SERVER = 20
#: How often an import is done while others write.
ATTEMPTS = 3

log = logging.getLogger("cms")


@dataclass(frozen=True)
class ConcurrentWrite:
    """What an import does otherwise that is written while others write into the same tables."""

    ids: IdStore
    reserved: ReservedIds
    #: Folds the texts that are written so far, which takes long.
    fold: Callable[[], None]
    #: What is done with the write lock: it changes rows that others are likely to change.
    last: list[Callable[[], None]] = field(default_factory=list)

    def assign_ids(self, found: Survey) -> None:
        """Give items the ids that were reserved for them; raises MergeConflict where these don't suffice."""
        last = found.files.assign_ids(self.reserved.start, partial(self.ids.free, self.reserved.table))
        if last > self.reserved.end:
            raise MergeConflict("items that were known are gone")


#: Writes all of an import and returns its report.
Write = Callable[[ConcurrentWrite | None], Report]


def write_staged(site: Site, found: Survey, write: Write, finish: Callable[[Report], None]) -> Report:
    """Have an import written, which `write` does in a transaction, and return its report.

    `write` may be called several times, of which the last one counts; `finish` is called in the transaction that makes
    all of it visible.
    """
    write_once, few = _write_in_copy, FEW_ROWS
    if site.config.server:
        write_once, few = _write_unseen, min(FEW_ROWS, FEW_ON_SERVER)
    attempts = ATTEMPTS if _count_rows(found) > few else 0
    for _number in range(attempts):
        try:
            return write_once(site, found, write, finish)
        except MergeConflict as conflict:
            log.info("an import is prepared anew, since the site has changed meanwhile: %s", conflict)
    with site.database.write():
        report = write(None)
        finish(report)
    return report


def clear_left(site: Site) -> None:
    """Remove what an import that was killed has left, which nobody sees; no import may be running."""
    if site.config.server:
        return
    path = _copy_path(site)
    recover_ahead(site.database, path, site.config["search_mode"])
    remove_working_copy(path)


def _count_rows(found: Survey) -> int:
    return found.items + found.comments + len(found.all_terms()) + len(found.all_authors())


def _copy_path(site: Site) -> Path:
    return site.config.instance / "import.db"


def _write_unseen(site: Site, found: Survey, write: Write, finish: Callable[[Report], None]) -> Report:
    """Write the import in a transaction that nobody waits for; raises MergeConflict where it doesn't fit at its end."""
    from cms.db.postgres.unseen import UnseenWrite  # nothing of it is imported for a file

    database, unseen = site.database, UnseenWrite(site.database)
    reserved = _reserve_ids(site, found, only_numbers=True)
    try:
        with database.write(unseen.open):
            concurrent = ConcurrentWrite(site.stores.ids, reserved[0], unseen.fold)
            report = write(concurrent)
            unseen.settle()
            for call in concurrent.last:
                call()
            finish(report)
    except BaseException:
        _return_ids(site, reserved)
        raise
    return report


def _write_in_copy(site: Site, found: Survey, write: Write, finish: Callable[[Report], None]) -> Report:
    """Write the import in a copy and bring it; raises MergeConflict, with the site as it was, where it doesn't fit."""
    path, database = _copy_path(site), site.database
    reserved = _reserve_ids(site, found)
    try:
        last_ids = {each.table: each.start for each in reserved}
        tables = make_working_copy(database.path, path, last_ids)
        with database.using_copy(path):
            with database.write():
                report = write(None)
            used = {each.table: site.stores.ids.last(each.table) for each in reserved}
        prepare_merge(path)
        finish_working_copy(path)
        _bring_copy(site, path, tables, lambda: _end(site, reserved, used, report, finish))
    except BaseException:
        _return_ids(site, reserved)
        raise
    finally:
        database.forget_waiting()
        if not has_ahead(database):
            remove_working_copy(path)
    return report


def _bring_copy(site: Site, path: Path, tables: list[CopiedTable], end: Callable[[], None]) -> None:
    database = site.database
    with attached_copy(database, path):
        try:
            index_ahead(database)
            with merge_errors(), checkpoint_after(database), database.write():
                merge(database, tables)
                settle_ahead(database)
                end()
        except BaseException:
            clear_ahead(database)
            raise


def _end(
    site: Site,
    reserved: list[ReservedIds],
    used: dict[str, int],
    report: Report,
    finish: Callable[[Report], None],
) -> None:
    for each in reserved:
        site.stores.ids.return_rest(each, used[each.table])
    finish(report)


def _reserve_ids(site: Site, found: Survey, only_numbers: bool = False) -> list[ReservedIds]:
    """Keep the ids that the import needs: its numbers, and as many behind them as it has rows without a free one.

    Of all but items `only_numbers` keeps their numbers alone, where the others are given out as for any row.
    """
    ids = site.stores.ids
    terms = [term.source_id or 0 for term in found.terms]
    authors = [author.source_id or 0 for author in found.authors.values()]
    needs = (
        ("comments", found.last_comment, found.comments),
        ("terms", _highest(terms), len(found.all_terms())),
        ("users", _highest(authors), len(found.all_authors())),
    )
    with site.database.write():
        others = []
        for table, highest, number in needs:
            others.append(ids.reserve(table, highest, 0 if only_numbers else number))
        return [_reserve_items(site, found), *others]


def _reserve_items(site: Site, found: Survey) -> ReservedIds:
    ids, files = site.stores.ids, found.files
    reserved = ids.reserve("content", files.items.highest_number(HIGHEST_ID), 0)
    last = files.assign_ids(reserved.start, partial(ids.free, "content"))
    ids.move("content", last)
    return reserved._replace(end=last)


def _highest(numbers: list[int]) -> int:
    return max((number for number in numbers if number <= HIGHEST_ID), default=0)


def _return_ids(site: Site, reserved: list[ReservedIds]) -> None:
    with suppress(Exception), site.database.write():  # ids that stay reserved harm nobody
        for each in reserved:
            site.stores.ids.return_all(each)
