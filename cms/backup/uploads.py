"""Uploaded files of a restore: new ones first, then the database, then those that differ, finished after a crash too.

A file that isn't there yet harms nothing under its name: nothing names it before the database is the restored one.
Where another file has the name, the restored one waits in a folder with a journal. The journal has the number that is
in the restored database: where the site's database has it, the journal is carried out, otherwise it is dropped.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from cms.backup.archive import PIECE, Archive
from cms.backup.copies import marked
from cms.backup.manifest import UPLOADS, Entry
from cms.config import Config
from cms.media.object_storage import ObjectStorage
from cms.media.storage import LocalStorage, Storage, sync_to_disk

JOURNAL = "journal.json"
PUBLIC, CLOSED = 0o644, 0o600


def journal_folder(config: Config) -> Path:
    """Return the folder of what waits for the restored database."""
    return config.instance / "restoring"


class Uploads:
    """The uploaded files of one restore."""

    def __init__(self, config: Config, storage: Storage, folder: Path) -> None:
        self._config, self._storage, self._folder = config, storage, folder
        self._new: list[tuple[Path, str, int]] = []
        self._differing: list[tuple[Path, str]] = []
        self._modes: list[tuple[str, int]] = []
        self._placed: list[str] = []

    def receive(self, archive: Archive, entry: Entry) -> None:
        """Read a file of the archive, and keep it aside if it is new or differs; raises BackupError for damage."""
        key, header = entry.name.removeprefix(UPLOADS), archive.header(entry.name)
        mode = PUBLIC if header.mode & 0o004 else CLOSED
        is_there = self._is_there(key)
        self._modes.append((key, mode))
        if is_there and self._is_same(archive, entry, key):
            return
        path = self._folder / f"upload-{len(self._new) + len(self._differing)}"
        with path.open("wb") as file:
            for piece in archive.pieces(entry):
                file.write(piece)
        os.utime(path, (header.mtime, header.mtime))
        if is_there:
            self._differing.append((path, key))
        else:
            self._new.append((path, key, mode))

    def put(self, number: int) -> None:
        """Put files where nothing is, and write the journal of all others, for the database with a number."""
        for path, key, mode in self._new:
            placed = self._storage.put(path, key)
            if placed == key:
                self._placed.append(key)
                _set_mode(self._storage, key, mode)
            else:  # somebody has just uploaded one of this name
                self._storage.delete(placed)
                self._differing.append((path, key))
        self._write_journal(number)

    def take_back(self, number: int) -> None:
        """Remove what was put for a restore, unless the database with its number is in its place all the same."""
        if marked(self._config) == number:
            return
        for key in self._placed:
            self._storage.delete(key)
        shutil.rmtree(journal_folder(self._config), ignore_errors=True)

    def _write_journal(self, number: int) -> None:
        folder = journal_folder(self._config)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        for index, (path, _key) in enumerate(self._differing):
            os.replace(path, folder / str(index))
            sync_to_disk(folder / str(index))
        keys = [key for _path, key in self._differing]
        text = orjson.dumps({"number": number, "keys": keys, "modes": self._modes})
        journal = folder / JOURNAL
        journal.with_suffix(".part").write_bytes(text)
        sync_to_disk(journal.with_suffix(".part"))
        journal.with_suffix(".part").rename(journal)
        sync_to_disk(folder)
        sync_to_disk(folder.parent)

    def _is_there(self, key: str) -> bool:
        try:
            self._storage.open(key).file.close()
        except FileNotFoundError:
            return False
        return True

    def _is_same(self, archive: Archive, entry: Entry, key: str) -> bool:
        """Compare a file with the archive's, which is read to its end in any case."""
        stored = self._storage.open(key)
        is_same = stored.size == entry.size
        with stored.file as file:
            for piece in archive.pieces(entry):
                is_same = is_same and file.read(len(piece)) == piece
        return is_same


def finish_uploads(config: Config, storage: Storage) -> bool:
    """Carry out the journal of a restore whose database is in its place, drop any other; tell whether there was one.

    To be called while no restore runs, or at the end of one.
    """
    folder = journal_folder(config)
    if not folder.exists():
        return False
    journal = folder / JOURNAL
    if journal.exists():
        found = orjson.loads(journal.read_bytes())
        if marked(config) == found["number"]:
            for index, key in enumerate(found["keys"]):
                if (folder / str(index)).exists():
                    _replace(storage, folder / str(index), key)
            for key, mode in found["modes"]:
                _set_mode(storage, key, mode)
    shutil.rmtree(folder)
    return True


def _replace(storage: Storage, path: Path, key: str) -> None:
    """Put a file in the place of another one."""
    if isinstance(storage, ObjectStorage):
        storage.replace(path, key)
        return
    if not isinstance(storage, LocalStorage):
        storage.delete(key)
        storage.put(path, key)
        return
    target = storage.folder / key
    with TemporaryDirectory(dir=storage.folder, prefix=".cms-") as folder:
        near = Path(folder) / "file"
        with path.open("rb") as source, near.open("wb") as file:
            shutil.copyfileobj(source, file, PIECE)
        shutil.copystat(path, near)
        sync_to_disk(near)
        os.replace(near, target)
    sync_to_disk(target.parent)


def _set_mode(storage: Storage, key: str, mode: int) -> None:
    """Let others read a file of the site's folder, or nobody but its owner; one that is gone stays away."""
    if isinstance(storage, LocalStorage):
        path = storage.folder / key
        if path.is_file() and path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
