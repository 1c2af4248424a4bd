"""Checks of the database as a file: its structure, its migrations, its journal."""

from __future__ import annotations

from collections.abc import Iterator

from cms.context import SiteContext
from cms.db.migrate import list_pending, list_unknown
from cms.db.sqlite.copies import applied_migrations, find_corruption
from cms.db.sqlite.health.file import empty_log, journal_mode
from cms.db.sqlite.presence import is_log_removed, log_of
from cms.doctor.checks import FAULT, FILE, MACHINE, NOTE, ROWS, WARNING, check

#: Bytes of a log that is emptied in time many times over; readers that never end keep it from that.
LARGE_LOG = 64_000_000


@check(
    "damaged",
    FAULT,
    "The structure of the database file is damaged.",
    "Stop the site and restore the newest backup: cms restore. Then look for what damaged it: disk, memory, copies "
    "that were made of an open file.",
    FILE,
)
def look_at_structure(site: SiteContext) -> Iterator[str]:
    """Find damage in the file."""
    damage = find_corruption(site.config.database)
    if damage:
        yield f"The database is damaged: {damage}."


@check(
    "future-migrations",
    FAULT,
    "A newer version has made the database.",
    "Install that version again: pip install --upgrade headless-cms.",
    FILE,
)
def look_at_future(site: SiteContext) -> Iterator[str]:
    """Find migrations that this version doesn't know."""
    unknown = list_unknown(_applied(site), site.registry.migrations)
    if unknown:
        yield f"It has had {', '.join(unknown)}."


def _applied(site: SiteContext) -> dict[str, list[str]]:
    if not site.config.server:
        return applied_migrations(site.config.database)
    from cms.db.postgres import contents

    with contents.one_state(site.config.server) as state:
        return state.migrations


@check("pending-migrations", FAULT, "The database has to be migrated.", "Run: cms upgrade.", FILE)
def look_at_pending(site: SiteContext) -> Iterator[str]:
    """Find migrations that weren't applied yet."""
    pending = list_pending(site.database, site.registry.migrations)
    if pending:
        yield f"It hasn't had {', '.join(pending)}."


@check(
    "journal",
    WARNING,
    "The database isn't in the mode in which readers go on while somebody writes.",
    "Stop other programs that have it open; the site sets the mode when it opens the file.",
    MACHINE,
)
def look_at_journal(site: SiteContext) -> Iterator[str]:
    """Find another journal mode than a log of writes."""
    mode = journal_mode(site.config.database)
    if mode != "wal":
        yield f"journal_mode is {mode}."


@check(
    "log-removed",
    FAULT,
    "The log of writes was removed while the site is served: its writes are refused.",
    "Have a write refused, or ask for /readyz: that brings the last writes into the database. Then end all processes "
    "that have it open, and start the site anew.",
    MACHINE,
)
def look_at_removed_log(site: SiteContext) -> Iterator[str]:
    """Find a log that processes have open and that isn't there."""
    if is_log_removed(site.config.database):
        yield f"{log_of(site.config.database)} isn't there, and processes have the database open."


def _empty_log(site: SiteContext) -> str:
    empty_log(site.database)
    return "Emptied the log of writes, as far as no reader needs it."


@check(
    "large-log",
    NOTE,
    "The log of writes is larger than 64 MB: some reader has been keeping it from being emptied.",
    "Find the program that has the database open for long, or start the site anew.",
    ROWS,
    _empty_log,
)
def look_at_log(site: SiteContext) -> Iterator[str]:
    """Find a log that isn't emptied."""
    log = log_of(site.config.database)
    if log.exists() and log.stat().st_size > LARGE_LOG:
        yield f"{log} has {log.stat().st_size // 1_000_000} MB."
