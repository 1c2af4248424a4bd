"""The storage of uploaded files: its interface, and the folder that is the usual one."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from cms.db.file_locks import trying_file_lock


@dataclass(frozen=True)
class Stored:
    """A stored file, open for reading and seekable; `size` is in bytes, `tag` differs for any other content."""

    file: BinaryIO
    size: int
    tag: str


class StorageUnavailable(OSError):
    """A storage that can't be reached or used at the moment; its message says why."""


class Storage(Protocol):
    """Stores files under keys such as `2026/11/harbour.png`: letters of any script, no part that begins with a dot."""

    def put(self, source: Path, key: str) -> str:
        """Store a copy of a file durably and return its key: the wanted one, with a number where that is taken."""

    def open(self, key: str) -> Stored:
        """Open a file for reading; raises FileNotFoundError where there is none."""

    def delete(self, key: str) -> None:
        """Remove a file; do nothing where there is none."""

    def walk(self) -> Iterator[tuple[str, float]]:
        """Yield all keys with the time of their last change in seconds since 1970."""

    def address(self, key: str) -> str | None:
        """Return the URL of a file, or None where the site itself serves it."""


class LocalStorage:
    """A folder; names are reserved by hard links, so that no two uploads get the same one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, source: Path, key: str) -> str:
        """Link the file under the first free name, write it and its folders to the disk, and return its key.

        Raises FileNotFoundError for what can't be a key, OSError where the disk is full.
        """
        wanted = self._path(key)
        wanted.parent.mkdir(parents=True, exist_ok=True)
        number, target = 0, wanted
        while not _claim(source, target):
            number += 1
            target = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
        target.chmod(0o644)
        sync_to_disk(target)
        for folder in target.relative_to(self.folder).parents:
            sync_to_disk(self.folder / folder)
        return target.relative_to(self.folder).as_posix()

    def open(self, key: str) -> Stored:
        """Open a file; raises FileNotFoundError where there is none, or where it is a link or a folder."""
        path = self._path(key)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        except OSError:
            raise FileNotFoundError(key) from None
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            os.close(handle)
            raise FileNotFoundError(key)
        tag = f"{status.st_ino:x}-{status.st_size:x}-{status.st_mtime_ns:x}"
        return Stored(os.fdopen(handle, "rb"), status.st_size, tag)

    def delete(self, key: str) -> None:
        """Remove a file; do nothing where there is none."""
        with suppress(FileNotFoundError):
            self._path(key).unlink()

    def close(self, key: str) -> None:
        """Let the folder's owner alone read a file; do nothing where there is none."""
        with suppress(FileNotFoundError):
            self._path(key).chmod(0o600)

    def walk(self) -> Iterator[tuple[str, float]]:
        """Yield the keys of all files in the folder with the time of their last change."""
        for folder, _folders, names in os.walk(self.folder):
            for name in names:
                path = Path(folder) / name
                with suppress(FileNotFoundError):
                    yield path.relative_to(self.folder).as_posix(), path.stat().st_mtime

    def address(self, key: str) -> str | None:
        """Return None: the site serves the files itself."""
        return None

    def _path(self, key: str) -> Path:
        return self.folder.joinpath(*require_key(key))


def require_key(key: str) -> tuple[str, ...]:
    """Return the parts of a key; raises FileNotFoundError for what can't be one."""
    parts = PurePosixPath(key).parts
    # One spelling for each file: what is withdrawn is known by its key, and `a//b` or `a/./b` isn't it.
    is_key = bool(parts) and "/".join(parts) == key and "\0" not in key
    if not is_key or key.startswith("/") or any(part.startswith(".") for part in parts):
        raise FileNotFoundError(key)
    return parts


def _claim(source: Path, target: Path) -> bool:
    """Give a file a name that nothing has; return False where something has it."""
    try:
        os.link(source, target)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.ENOTSUP):
            raise
        return _copy(source, target)  # another file system, or one without hard links
    return True


def _copy(source: Path, target: Path) -> bool:
    try:
        copy = target.open("xb")
    except FileExistsError:
        return False
    try:
        with copy, source.open("rb") as file:
            shutil.copyfileobj(file, copy, 1 << 20)
    except OSError:
        target.unlink(missing_ok=True)
        raise
    return True


def sync_to_disk(path: Path) -> None:
    """Write a file, or the names in a folder, to the disk; return when they are there."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def holding(lock: Path) -> Iterator[None]:
    """Prevent, inside the `with`, the removal of files without an item: who copies the site needs them."""
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


@contextmanager
def removing(lock: Path) -> Iterator[bool]:
    """Yield whether files may be removed inside the `with`: not while somebody prevents it by `holding`."""
    with trying_file_lock(lock) as is_free:
        yield is_free
