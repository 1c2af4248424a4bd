"""Upgrading: a copy of the database is migrated and checked aside, and takes the place of the site's only then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path

from cms.backup.archive import Progress
from cms.backup.copies import copy_present, size_of_present
from cms.backup.dumps import load_dump, scratch_database
from cms.backup.errors import BackupError
from cms.backup.making import aside, dated_name, default_target, make_backup, require_space
from cms.backup.restoring import migrate_copy, only_one, site_in
from cms.backup.retention import BEFORE_UPGRADE, remove_old
from cms.backup.uploads import finish_uploads
from cms.context import SiteContext
from cms.db.indexes import missing_indexes
from cms.db.migrate import list_pending, migrate, migrating
from cms.db.search_making import are_indexes_right
from cms.db.sqlite.copies import (
    connect,
    copy_database,
    data_version,
    find_damage,
    match_pages,
    replace_database,
)

#: Tries a site with the database at an address or path, and returns what is wrong, an empty text where nothing is.
Trial = Callable[[str], str]

AS_IT_WAS = "The site is as it was before, and goes on with the version that serves it."


@dataclass(frozen=True)
class Upgraded:
    """An upgrade: which migrations were applied, and where the state before it is; nothing where none was needed."""

    migrated: list[str]
    kept: str


def upgrade(site: SiteContext, try_site: Trial, progress: Progress | None = None) -> Upgraded:
    """Bring the database to this version without a moment at which it is half migrated.

    Writers wait only where somebody has written since the copy was made. Raises BackupError, FailedMigration or what
    else went wrong; then the site is as it was.
    """
    with only_one(site.config), _migrating_file(site):
        finish_uploads(site.config, site.storage)
        if not _is_needed(site):
            return Upgraded([], "")
        target = default_target(site.config)
        backup = make_backup(site, target, dated_name(site, target, BEFORE_UPGRADE), progress)
        remove_old(site, target, BEFORE_UPGRADE)
        with aside(site.config) as folder:
            require_space(folder, 4 * size_of_present(site.config))
            if site.config.server:
                migrated = _upgrade_on_server(site, folder, try_site)
            else:
                migrated = _Upgrade(site, folder, try_site).run()
        return Upgraded(migrated, backup.place)


def _migrating_file(site: SiteContext) -> AbstractContextManager[None]:
    """Keep others from migrating; on a server each migration does so by itself."""
    return nullcontext() if site.config.server else migrating(site.config.database)


def _upgrade_on_server(site: SiteContext, folder: Path, try_site: Trial) -> list[str]:
    """Migrate a copy in a database aside and try it, then the site's own in one transaction; raises BackupError."""
    with scratch_database(site.config) as address:
        copy = site_in(site, folder, address)
        try:
            load_dump(copy, copy_present(site.config, folder).path)
        finally:
            copy.close()
        fault = try_site(address)
        if fault:
            raise BackupError(f"The migrated copy of the site doesn't work: {fault}. {AS_IT_WAS}")
    registry = site.registry
    with site.database.write():
        return migrate(site.database, registry.migrations, registry.indexes, site.config["search_mode"])


def _is_needed(site: SiteContext) -> bool:
    if list_pending(site.database, site.registry.migrations):
        return True
    if missing_indexes(site.database, site.registry.indexes):
        return True
    return not are_indexes_right(site.database, site.config["search_mode"])


class _Upgrade:
    """The steps of one upgrade, and the files that they work on."""

    def __init__(self, site: SiteContext, folder: Path, try_site: Trial) -> None:
        self._site, self._try_site = site, try_site
        self._live = site.config.database
        self._copy, self._old = folder / "migrated.db", folder / "present.db"
        self._migrated: list[str] = []

    def run(self) -> list[str]:
        """Rehearse on a copy, put that in the place of the database, look at the site, and put it back if it fails.

        Raises BackupError where it does.
        """
        with ExitStack() as stack:
            watching = stack.enter_context(connect(self._live))
            before = data_version(watching)
            self._rehearse()

            def catch_up() -> None:
                if data_version(watching) != before:
                    self._rehearse()

            replace_database(self._live, self._copy, catch_up)
        fault = find_damage(self._live) or self._try_site(str(self._live))
        if fault:
            replace_database(self._live, self._old, lambda: None)
            raise BackupError(f"The upgraded site doesn't work: {fault}. {AS_IT_WAS}")
        return self._migrated

    def _rehearse(self) -> None:
        """Copy the database as it is now, migrate the copy, and try it; raises what is wrong with it."""
        for path in (self._copy, self._old):
            copy_database(self._live, path)
        self._migrated = migrate_copy(self._site, self._copy)
        match_pages(self._copy, self._live)
        fault = find_damage(self._copy) or self._try_site(str(self._copy))
        if fault:
            raise BackupError(f"The migrated copy of the site doesn't work: {fault}. {AS_IT_WAS}")
