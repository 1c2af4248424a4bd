"""Bringing a backup back: looked through aside, then put into the open database in one transaction, or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from cms.background.outbox import Outbox
from cms.backup.archive import Archive, Progress, open_archive
from cms.backup.checks import find_faults
from cms.backup.copies import describe_file, has_database, keys_of, size_of_present
from cms.backup.dumps import load_dump, put_dump, require_engine, scratch_database
from cms.backup.errors import BackupError
from cms.backup.making import (
    SiteArchive,
    aside,
    dated_name,
    default_target,
    require_space,
    size_of_uploads,
)
from cms.backup.manifest import DATABASES, DUMP, SETTINGS, UPLOADS, Manifest
from cms.backup.retention import BEFORE_RESTORE, remove_old
from cms.backup.uploads import Uploads, finish_uploads
from cms.config import FILE, Config
from cms.context import SiteContext, open_context
from cms.db import Database
from cms.db.file_locks import try_lock
from cms.db.migrate import list_unknown, migrate, migrating
from cms.db.sqlite.copies import (
    applied_migrations,
    copy_database,
    file_keys,
    mark,
    match_pages,
    raise_numbers,
    replace_database,
)
from cms.db.sqlite.errors import says_damage
from cms.media.storage import LocalStorage, holding

#: What is told of a restore, once the database is the restored one.
RESTORED = "site.restored"
ANOTHER = "Another restore or upgrade of this site is running. Wait for its end."


@dataclass(frozen=True)
class Restored:
    """A restore that was done: what was restored, where the state before is, which migrations were applied."""

    manifest: Manifest
    kept: str
    migrated: list[str]
    settings_differ: bool


def restore(site: SiteContext, outbox: Outbox, path: Path, progress: Progress | None = None) -> Restored:
    """Give a site, which may be served meanwhile, the state of an archive; the one before is kept in another archive.

    Raises BackupError where it can't be done; then the site is as it was.
    """
    try:
        return _restore(site, outbox, path, progress)
    except BackupError as error:
        raise BackupError(f"{error} The site is as it was.") from error


def _restore(site: SiteContext, outbox: Outbox, path: Path, progress: Progress | None) -> Restored:
    config = site.config
    with (
        only_one(config),
        open_archive(path) as archive,
        holding(config.uploads_lock),
        aside(config) as folder,
    ):
        require_engine(archive, config)
        finish_uploads(config, site.storage)
        _require_space(site, archive)
        copy, migrated = prepare(site, archive, folder)
        uploads = Uploads(config, site.storage, folder)
        _receive(archive, uploads, progress)
        if config.server:
            kept, migrated = put_dump(site, copy, uploads, folder, progress)
            config.database.touch(mode=0o640)
        else:
            kept = _put(site, copy, uploads, folder, progress)
        finish_uploads(config, site.storage)
        remove_old(site, default_target(config), BEFORE_RESTORE, spared=[path.name])
        with site.database.write():
            outbox.record(RESTORED, "site", 0, 0, {"made": archive.manifest.made_gmt, "kept": kept})
        return Restored(archive.manifest, kept, migrated, settings_differ(config, archive))


def _receive(archive: Archive, uploads: Uploads, progress: Progress | None) -> None:
    for number, entry in enumerate(archive.manifest.files, 1):
        if entry.name.startswith(UPLOADS):
            uploads.receive(archive, entry)
        if progress:
            progress("verifying", number, len(archive.manifest.files))


@contextmanager
def restored_aside(
    site: SiteContext, path: Path, progress: Progress | None = None
) -> Iterator[tuple[Manifest, SiteContext]]:
    """Restore an archive into a folder of its own, and give what it says of itself and the site in that folder.

    The folder is removed afterwards. Raises BackupError where the archive can't be restored.
    """
    with open_archive(path) as archive, aside(site.config) as folder:
        require_engine(archive, site.config)
        require_space(folder, 2 * archive.manifest.size)
        dump, _migrated = prepare(site, archive, folder)
        _unpack(archive, folder, progress)
        with scratch_database(site.config) if site.config.server else nullcontext(str(dump)) as address:
            copy = site_in(site, folder, address)
            try:
                if site.config.server:
                    load_dump(copy, dump)
                yield archive.manifest, copy
            finally:
                copy.close()


def _unpack(archive: Archive, folder: Path, progress: Progress | None) -> None:
    """Write all but the database into a folder."""
    done = 0
    for entry in archive.manifest.files:
        if entry.name in DATABASES:
            continue
        target = folder / entry.name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            for piece in archive.pieces(entry):
                file.write(piece)
                done += len(piece)
                if progress:
                    progress("restoring", done, archive.manifest.size)


def site_in(site: SiteContext, folder: Path, database: str) -> SiteContext:
    """Return a site with the settings and plugins of another, but with another database and the files in a folder."""
    places = {"database": database, "uploads": str(folder / UPLOADS)}
    config = replace(site.config, values={**site.config.values, **places})
    return open_context(config, site.registry, LocalStorage(config.uploads))


def prepare(site: SiteContext, archive: Archive, folder: Path) -> tuple[Path, list[str]]:
    """Bring an archive's database into a folder, check it, and migrate it to this version, unless it is a dump.

    Returns the file and which migrations were applied. Raises BackupError for one that is damaged or too new.
    """
    entry = archive.manifest.database
    copy = folder / entry.name
    with copy.open("wb") as file:
        for piece in archive.pieces(entry):
            file.write(piece)
    faults = find_faults(copy, archive.manifest)
    if faults:
        raise archive.damaged(faults[0])
    applied = archive.manifest.schema if entry.name == DUMP else applied_migrations(copy)
    unknown = list_unknown(applied, site.registry.migrations)
    if unknown:
        raise BackupError(
            f"The archive is of version {archive.manifest.software}, which is newer than this one: it has the "
            f"migration {unknown[-1]}. Install that version first: pip install --upgrade headless-cms"
        )
    return copy, [] if entry.name == DUMP else migrate_copy(site, copy)


def migrate_copy(site: SiteContext, copy: Path) -> list[str]:
    """Migrate a copy of the database as the site itself would be, and return which migrations were applied."""
    database = Database(copy)
    try:
        registry, mode = site.registry, site.config["search_mode"]
        return migrate(database, registry.migrations, registry.indexes, mode)
    finally:
        database.close()


def _put(site: SiteContext, copy: Path, uploads: Uploads, folder: Path, progress: Progress | None) -> str:
    """Put files and database in their places and return the archive with what was there before, if anything was."""
    live, number = site.config.database, 1 + secrets.randbelow(2**31 - 1)
    mark(copy, number)
    is_new = not live.exists()
    try:
        with migrating(live):
            match_pages(copy, live)
            if is_new:
                uploads.put(number)
                replace_database(live, copy, lambda: None)
                return ""
            return _replace(site, copy, uploads, number, folder, progress)
    except BaseException as error:
        uploads.take_back(number)
        if is_new:
            for name in (live.name, f"{live.name}-wal", f"{live.name}-shm"):
                live.with_name(name).unlink(missing_ok=True)
        if says_damage(error):
            raise BackupError(
                f"The present database is damaged ({error}), so it can't be kept. Stop the site, move {live} and the "
                f"files beside it that begin with its name away, and restore again."
            ) from error
        raise


def _replace(
    site: SiteContext, copy: Path, uploads: Uploads, number: int, folder: Path, progress: Progress | None
) -> str:
    """Replace a site's database; what is there is archived to the last write before it."""
    live, target, place = site.config.database, default_target(site.config), [""]
    with target.writing(dated_name(site, target, BEFORE_RESTORE)) as part:
        present = SiteArchive(site, part, progress)
        present.add_uploads(file_keys(live))
        known = present.verify()
        uploads.put(number)

        def archive_present() -> None:
            old = folder / "present.db"
            copy_database(live, old)
            present.complete(describe_file(old))
            with open_archive(part.path) as archive:
                archive.check(left_out=known)
            raise_numbers(copy, old)
            place[0] = part.publish()

        replace_database(live, copy, archive_present)
    return place[0]


def settings_differ(config: Config, archive: Archive) -> bool:
    """Tell whether an archive's file of settings differs from the site's, which is left as it is."""
    file, entry = config.instance / FILE, archive.manifest.entry(SETTINGS)
    if entry is None:
        return False
    return not file.exists() or file.read_bytes() != b"".join(archive.pieces(entry))


def _require_space(site: SiteContext, archive: Archive) -> None:
    """Refuse what doesn't fit: the new state, the copies that are needed for it, and the archive of the one before."""
    config, database = site.config, archive.manifest.database.size
    present = size_of_present(config) if has_database(config) else 0
    needed, is_local = 3 * database + present, isinstance(site.storage, LocalStorage)
    for each in archive.manifest.files:
        if each.name.startswith(UPLOADS) and not (
            is_local and (config.uploads / each.name.removeprefix(UPLOADS)).exists()
        ):
            needed += each.size
    if present and is_local:
        needed += present + sum(path.stat().st_size for path in config.uploads.rglob("*") if path.is_file())
    elif present:
        needed += present + size_of_uploads(site, keys_of(config))
    require_space(config.instance, needed)


@contextmanager
def only_one(config: Config) -> Iterator[None]:
    """Refuse a second restore or upgrade of a site at the same time, on whichever host; raises BackupError."""
    config.instance.mkdir(parents=True, exist_ok=True)
    with (config.instance / "restore.lock").open("w") as file:
        if not try_lock(file):
            raise BackupError(ANOTHER)
        with _only_one_on_server(config.server) if config.server else nullcontext():
            yield


@contextmanager
def _only_one_on_server(server: str) -> Iterator[None]:
    from cms.db.postgres.locks import RESTORE_LOCK, trying_lock  # nothing of it is imported for a file

    with trying_lock(server, RESTORE_LOCK) as is_free:
        if not is_free:
            raise BackupError(ANOTHER)
        yield
