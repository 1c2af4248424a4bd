"""Whether a site can do its work now: its database, its migrations, its timed work, its disk."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable

from cms.background.worker import HEARTBEAT
from cms.context import SiteContext
from cms.db.migrate import require_migrated

#: Seconds after which timed work that nobody looked after counts as standing still: a single job may take long.
MOST_SILENT = 300.0
#: What a disk that is full has no room for.
BLOCK = b"\0" * 4096

log = logging.getLogger("cms")


def failing_checks(site: SiteContext) -> list[str]:
    """Return the names of the checks that fail, none where all is well; reasons are logged."""
    checks: dict[str, Callable[[SiteContext], None]] = {
        "database": _read,
        "migrations": _look_at_migrations,
        "work": _look_at_work,
        "disk": _write,
    }
    failing = []
    for name, check in checks.items():
        try:
            check(site)
        except Exception as error:  # whatever it is, the check fails
            log.warning("the check %s fails: %s", name, error)
            failing.append(name)
    return failing


def _read(site: SiteContext) -> None:
    site.database.restored()
    site.database.require_files()


def _look_at_migrations(site: SiteContext) -> None:
    require_migrated(site.database, site.registry.migrations, site.config["search_mode"])


def _look_at_work(site: SiteContext) -> None:
    """Raise RuntimeError unless some process has looked after the timed work a moment ago."""
    last, now = site.runtime.job_runs().get(HEARTBEAT), site.runtime.now()
    if last is None or not -MOST_SILENT < now - last < MOST_SILENT:
        raise RuntimeError("no process does the timed work")


def _write(site: SiteContext) -> None:
    """Raise OSError where nothing can be written beside the database, or into the folder of the uploads."""
    folders = {site.config.database.parent}
    if site.config.uploads.is_dir():
        folders.add(site.config.uploads)
    for folder in folders:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(BLOCK)
