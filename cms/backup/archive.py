"""The file of a backup: an uncompressed tar with the manifest at its end, written and read part by part."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from cms.backup.errors import BackupError
from cms.backup.manifest import DATABASES, MANIFEST, SEAL, SETTINGS, UPLOADS, Entry, Manifest, read_manifest

PIECE = 1 << 20
#: Largest manifest in bytes, which is read as a whole: some million files.
MAX_MANIFEST = 512 << 20
#: Called with what is done, how much of it, and how much there is in all.
Progress = Callable[[str, int, int | None], None]

ANOTHER = 'Take another archive: "cms backup list" shows which there are.'


class _Summing(io.RawIOBase):
    """What is read through it is summed up."""

    def __init__(self, source: BinaryIO) -> None:
        super().__init__()
        self._source, self.digest = source, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        piece = self._source.read(size)
        self.digest.update(piece)
        return piece


class ArchiveWriter:
    """Writes files into an archive, one after the other, and then what it has written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._tar = tarfile.TarFile(fileobj=file, mode="w", format=tarfile.PAX_FORMAT)
        self.entries: list[Entry] = []

    def add(self, name: str, source: BinaryIO, size: int, changed: float, mode: int = 0o600) -> None:
        """Write a file of so many bytes; raises OSError where it has fewer."""
        summing = _Summing(source)
        self._tar.addfile(_header(name, size, changed, mode), summing)
        self.entries.append(Entry(name, size, summing.digest.hexdigest()))

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest with its sum, and the end of the archive; return when all is on the disk."""
        text = manifest.encode()
        seal = f"{hashlib.sha256(text).hexdigest()}  {MANIFEST}\n".encode()
        for name, data in ((MANIFEST, text), (SEAL, seal)):
            self._tar.addfile(_header(name, len(data), 0, 0o600), io.BytesIO(data))
        self._tar.close()
        self.sync()

    def sync(self) -> None:
        """Return when all that was written is on the disk, from which it is then read again."""
        self._file.flush()
        os.fsync(self._file.fileno())
        os.posix_fadvise(self._file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _header(name: str, size: int, changed: float, mode: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.size, header.mtime, header.mode = size, int(changed), mode
    return header


class Archive:
    """An archive that is whole by its own account: its members are those of its manifest, each a plain file."""

    def __init__(self, path: Path, tar: tarfile.TarFile) -> None:
        self._path, self._tar = path, tar
        self._members = self._read_members()
        self.manifest = self._read_manifest()
        self._compare()

    def open(self, name: str) -> BinaryIO:
        """Open a file of the archive, which its manifest names."""
        # A BinaryIO in all but name, and never None: members that aren't plain files are refused.
        return cast(BinaryIO, self._tar.extractfile(self._members[name]))

    def header(self, name: str) -> tarfile.TarInfo:
        """Return when a file was changed, and who may read it."""
        return self._members[name]

    def pieces(self, entry: Entry) -> Iterator[bytes]:
        """Yield a file's content; raises BackupError at its end where it isn't what was written."""
        digest = hashlib.sha256()
        try:
            with self.open(entry.name) as file:
                while piece := file.read(PIECE):
                    digest.update(piece)
                    yield piece
        except tarfile.TarError as error:
            raise self.damaged(f"{entry.name} can't be read ({error})") from None
        if digest.hexdigest() != entry.sha256:
            raise self.damaged(f"{entry.name} isn't what was written")

    def check(self, progress: Progress | None = None, left_out: Collection[str] = ()) -> None:
        """Read all files, but for those left out; raises BackupError for the first that isn't what was written."""
        wanted = [entry for entry in self.manifest.files if entry.name not in left_out]
        done = 0
        for entry in wanted:
            for piece in self.pieces(entry):
                done += len(piece)
                if progress:
                    progress("verifying", done, self.manifest.size)

    def damaged(self, what: str) -> BackupError:
        """Return the error that says what is wrong with the archive."""
        return BackupError(f"{self._path} is damaged: {what}. {ANOTHER}")

    def _read_members(self) -> dict[str, tarfile.TarInfo]:
        members: dict[str, tarfile.TarInfo] = {}
        try:
            for member in self._tar:
                self._check_member(member)
                if member.name in members:
                    raise self.damaged(f"it has {member.name!r} twice")
                members[member.name] = member
        except (tarfile.TarError, ValueError, OverflowError) as error:
            raise self.damaged(f"it can't be read ({error})") from None
        return members

    def _check_member(self, member: tarfile.TarInfo) -> None:
        if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.issparse():
            raise self.damaged(f"{member.name!r} in it is no plain file")
        if not is_member_name(member.name):
            raise self.damaged(f"{member.name!r} in it isn't a name that a backup has")

    def _read_manifest(self) -> Manifest:
        for name in (SEAL, MANIFEST):
            if name not in self._members:
                last = next(reversed(self._members), "nothing")
                raise self.damaged(f"it ends early, after {last!r}, without its {name}")
        if self._members[MANIFEST].size > MAX_MANIFEST:
            raise self.damaged(f"its {MANIFEST} is too large")
        with self.open(SEAL) as seal, self.open(MANIFEST) as file:
            text = file.read()
            if seal.read(200).split()[:1] != [hashlib.sha256(text).hexdigest().encode()]:
                raise self.damaged(f"{MANIFEST} isn't what was written")
        try:
            return read_manifest(text)
        except BackupError as error:
            raise BackupError(f"{self._path} can't be restored: {error}") from None

    def _compare(self) -> None:
        """Refuse members that the manifest doesn't name, and such that it names and that aren't there."""
        named = {entry.name: entry.size for entry in self.manifest.files}
        for name, member in self._members.items():
            if name not in named and name not in (MANIFEST, SEAL):
                raise self.damaged(f"{name!r} in it isn't in its manifest")
            if named.get(name, member.size) != member.size:
                raise self.damaged(f"{name!r} in it has {member.size} bytes instead of {named[name]}")
        for name in named:
            if name not in self._members:
                raise self.damaged(f"{name!r} is missing")
        if not named.keys() & set(DATABASES):
            raise self.damaged("it has no database")


def is_member_name(name: str) -> bool:
    """Tell whether an archive of ours can have a file of this name."""
    if name in (MANIFEST, SEAL, SETTINGS, *DATABASES):
        return True
    parts = PurePosixPath(name).parts
    is_plain = name == "/".join(parts) and not any(part.startswith(".") for part in parts)
    return name.startswith(UPLOADS) and is_plain and "\0" not in name


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open an archive and compare its list of files with what it holds; raises BackupError for what isn't whole."""
    try:
        tar = tarfile.open(path, mode="r:")  # noqa: SIM115 (closed below)
    except FileNotFoundError:
        raise BackupError(f"There is no file {path}. {ANOTHER}") from None
    except IsADirectoryError:
        raise BackupError(f"{path} is a folder. Name one of the archives in it. {ANOTHER}") from None
    except (tarfile.TarError, EOFError) as error:
        raise BackupError(
            f"{path} is no archive of a site, or its beginning is damaged ({error}). {ANOTHER}"
        ) from None
    with tar:
        yield Archive(path, tar)


def read_sums(path: Path, entries: Collection[Entry]) -> None:
    """Read files again that were written into an unfinished archive; raises BackupError where one isn't the same."""
    wanted = {entry.name: entry.sha256 for entry in entries}
    if not wanted:
        return
    with tarfile.open(path, mode="r:") as tar:
        for member in tar:
            file = tar.extractfile(member)
            digest = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # it has what is needed
            if digest != wanted.pop(member.name, ""):
                raise BackupError(f"{member.name} was written wrongly to {path}. Is the disk in order?")
    if wanted:
        raise BackupError(f"{next(iter(wanted))} wasn't written to {path}. Is the disk in order?")
