"""Checks of what a site runs on: its disk, its file system, its SQLite."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from cms.context import SiteContext
from cms.db.file_systems import MAYBE_REMOTE, REMOTE, file_system_of
from cms.db.sqlite.health.file import has_reset_bug, sqlite_version, sqlite_version_numbers
from cms.doctor.checks import FAULT, MACHINE, WARNING, check

#: Bytes below which no write can be promised, and what a backup or an upgrade needs besides copies of the database.
LEAST_FREE, MARGIN = 50_000_000, 200_000_000


@check(
    "disk-full",
    FAULT,
    "The disk of the instance folder has less than 50 MB left: writes fail, or will soon.",
    "Free space on the disk, or move the instance folder to a larger one.",
    MACHINE,
)
def look_at_full_disk(site: SiteContext) -> Iterator[str]:
    """Find a disk on which writes fail."""
    free = shutil.disk_usage(site.config.instance).free
    if free < LEAST_FREE:
        yield f"The disk of {site.config.instance} has {free // 1_000_000} MB left."


@check(
    "disk-narrow",
    WARNING,
    "The disk has no room for what an upgrade or a restore needs: four times the database, and 200 MB.",
    "Free space before the next upgrade, and look where backups go.",
    MACHINE,
)
def look_at_narrow_disk(site: SiteContext) -> Iterator[str]:
    """Find a disk on which upgrades fail."""
    free = shutil.disk_usage(site.config.instance).free
    needed = 4 * site.config.database.stat().st_size + MARGIN
    if LEAST_FREE <= free < needed:
        yield f"The disk of {site.config.instance} has {free // 1_000_000} MB left of {needed // 1_000_000} MB."


@check(
    "network-file-system",
    FAULT,
    "The database lies on a network file system: processes on two machines would damage it.",
    "Move the instance folder to a disk of the machine that serves the site.",
    MACHINE,
)
def look_at_file_system(site: SiteContext) -> Iterator[str]:
    """Find a network file system."""
    kind = file_system_of(site.config.database)
    if kind in REMOTE | MAYBE_REMOTE:
        yield f"{site.config.database} lies on a file system of the kind {kind}."


@check(
    "sqlite-version",
    WARNING,
    "This SQLite has a bug that can, very rarely, lose a committed write or damage the database when two processes "
    "write. It is repaired in 3.51.3, 3.50.7 and 3.44.6.",
    "Bring SQLite up to date with the system or with Python; some systems repair it without a new number.",
    MACHINE,
)
def look_at_sqlite(site: SiteContext) -> Iterator[str]:
    """Find a version of SQLite with a known bug."""
    if has_reset_bug(sqlite_version_numbers()):
        yield f"This Python has SQLite {sqlite_version()}."
