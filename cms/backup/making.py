"""Making a backup: the database first, then every upload that this copy of it names, verified when it is written."""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from io import UnsupportedOperation
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO
from urllib.parse import urlsplit

from cms.backup.archive import ArchiveWriter, Progress, open_archive, read_sums
from cms.backup.checks import find_faults
from cms.backup.copies import DatabaseCopy, copy_present, size_of_present
from cms.backup.errors import BackupError
from cms.backup.manifest import DUMP, DUMP_FORMAT, FORMAT, SETTINGS, UPLOADS, Manifest
from cms.backup.targets import SUFFIX, FolderTarget, Part, Target
from cms.config import FILE, Config
from cms.context import SiteContext
from cms.media.storage import holding

#: Bytes that are left free on a disk.
RESERVE = 16 << 20


@dataclass(frozen=True)
class Backup:
    """A backup that was made: where it is and what it says of itself."""

    place: str
    manifest: Manifest


class SiteArchive:
    """An archive of one site while it is written; the order of its files doesn't matter to who reads it."""

    def __init__(self, site: SiteContext, part: Part, progress: Progress | None) -> None:
        self._site, self._progress = site, progress
        self.part, self._writer = part, ArchiveWriter(part.file)
        self._missing: set[str] = set()
        self._bytes = 0

    def add_uploads(self, keys: Collection[str]) -> None:
        """Write uploaded files; those that aren't in the storage are noted as missing."""
        written = {entry.name for entry in self._writer.entries}
        for number, key in enumerate(keys, 1):
            if UPLOADS + key not in written:
                self._add_upload(key)
            if self._progress:
                self._progress("writing", number, len(keys))

    def verify(self) -> set[str]:
        """Read again what was written so far, and return its names; raises BackupError where it isn't the same."""
        self._writer.sync()
        read_sums(self.part.path, self._writer.entries)
        return {entry.name for entry in self._writer.entries}

    def complete(self, copy: DatabaseCopy) -> Manifest:
        """Write a copy of the database, the uploads that it names, unless they are there, settings and manifest."""
        self._add_file(copy.name, copy.path)
        self.add_uploads(copy.keys)
        settings = self._site.config.instance / FILE
        if settings.is_file():
            self._add_file(SETTINGS, settings)
        manifest = Manifest(
            made_gmt=self._site.now(),
            url=self._site.url,
            search_mode=self._site.config["search_mode"],
            schema=copy.migrations,
            counts=copy.counts,
            files=self._writer.entries,
            missing=[key for key in copy.keys if key in self._missing],
            format=DUMP_FORMAT if copy.name == DUMP else FORMAT,
        )
        self._writer.finish(manifest)
        return manifest

    def _add_upload(self, key: str) -> None:
        try:
            stored = self._site.storage.open(key)
        except FileNotFoundError:
            self._missing.add(key)
            return
        self._missing.discard(key)
        with stored.file as file:
            changed, mode = self._status_of(key, file)
            self._writer.add(UPLOADS + key, file, stored.size, changed, mode)

    def _status_of(self, key: str, file: BinaryIO) -> tuple[float, int]:
        """Return when a file changed, and who may read it; the storage's own files have neither on other disks."""
        try:
            status = os.fstat(file.fileno())
        except UnsupportedOperation:
            return time.time(), 0o600 if self._site.stores.media.is_withdrawn(key) else 0o644
        return status.st_mtime, stat.S_IMODE(status.st_mode) & 0o644

    def _add_file(self, name: str, path: Path) -> None:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            self._writer.add(name, file, status.st_size, status.st_mtime)


def make_backup(site: SiteContext, target: Target, name: str, progress: Progress | None = None) -> Backup:
    """Write the site into a new archive, read that again, and let it appear when it is found to be whole.

    The site may be read and written meanwhile. Raises BackupError where what was written isn't right.
    """
    with holding(site.config.uploads_lock), aside(site.config) as folder:
        require_space(site.config.incoming, size_of_present(site.config))
        copy = copy_present(site.config, folder)
        with target.writing(name) as part:
            _require_space_for(site, part, copy)
            manifest = SiteArchive(site, part, progress).complete(copy)
            copy.path.unlink()
            verify_archive(part.path, folder, progress)
            return Backup(part.publish(), manifest)


def verify_archive(
    path: Path, folder: Path, progress: Progress | None = None, left_out: Collection[str] = ()
) -> Manifest:
    """Read an archive from its beginning to its end and its database row by row, in a folder that has room for it.

    Raises BackupError where anything isn't as it was written.
    """
    with open_archive(path) as archive:
        entry = archive.manifest.database
        database = folder / f"verified-{entry.name}"
        with database.open("wb") as file:
            for piece in archive.pieces(entry):
                file.write(piece)
        archive.check(progress, {entry.name, *left_out})
        faults = find_faults(database, archive.manifest)
        if faults:
            raise archive.damaged(faults[0])
        database.unlink()
        return archive.manifest


def _require_space_for(site: SiteContext, part: Part, copy: DatabaseCopy) -> None:
    require_space(part.path.parent, copy.path.stat().st_size + size_of_uploads(site, copy.keys))


def size_of_uploads(site: SiteContext, keys: Collection[str]) -> int:
    """Return how many bytes the files of some keys have that the storage has."""
    needed = 0
    for key in keys:
        try:
            stored = site.storage.open(key)
        except FileNotFoundError:
            continue
        stored.file.close()
        needed += stored.size
    return needed


def require_space(folder: Path, needed: int) -> None:
    """Refuse to begin what doesn't fit on the disk of a folder; raises BackupError."""
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < needed + RESERVE:
        raise BackupError(
            f"There isn't enough room in {folder}: {needed + RESERVE:,} bytes are needed, {free:,} are free. "
            f"Make room, or choose a folder on another disk."
        )


@contextmanager
def aside(config: Config) -> Iterator[Path]:
    """Give a folder beside the site for what is made there; timed work removes those that a crash has left."""
    config.incoming.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=config.incoming, prefix="backup-") as folder:
        yield Path(folder)


def default_target(config: Config) -> FolderTarget:
    """Return where backups go that no place was named for: the setting's, or a folder beside the database."""
    return FolderTarget(config.instance / (config["backup_target"] or "backups"))


def site_prefix(site: SiteContext) -> str:
    """Return how the names of a site's archives begin: with its host."""
    return re.sub(r"[^\w.-]+", "-", urlsplit(site.url).netloc) or "site"


def dated_name(site: SiteContext, target: Target, purpose: str = "") -> str:
    """Return a name with the site's host and the time in GMT that sorts after all archives of the same second.

    The first of a second has no number. A number that was removed isn't taken again while there are higher ones:
    retention would hold the new archive for the oldest.
    """
    moment = datetime.strptime(site.now(), "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)
    name = "-".join(filter(None, (site_prefix(site), purpose, moment.strftime("%Y%m%d-%H%M%S"))))
    numbered = re.compile(re.escape(name) + r"(?:-(\d+))?" + re.escape(SUFFIX), re.ASCII)
    numbers = [int(match[1] or 1) for match in map(numbered.fullmatch, target.names()) if match]
    if not numbers:
        return name + SUFFIX
    return f"{name}-{max(numbers) + 1}{SUFFIX}"
