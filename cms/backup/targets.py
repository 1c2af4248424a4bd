"""Where backups go: one small interface, and the folder that is the usual target."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, Protocol

from cms.backup.errors import BackupError
from cms.media.storage import sync_to_disk

SUFFIX = ".tar"


class Part(Protocol):
    """An archive that is being written: a local file, which `publish` gives its name when it is whole."""

    @property
    def file(self) -> BinaryIO: ...

    @property
    def path(self) -> Path: ...

    def publish(self) -> str:
        """Let the archive appear under its name and return where it is now; raises BackupError where it can't."""


class Target(Protocol):
    """A place for archives."""

    def writing(self, name: str) -> AbstractContextManager[Part]:
        """Open (`with`) a new archive; one that isn't published leaves nothing behind."""

    def names(self) -> list[str]:
        """Return the names of what is there, oldest first by their dates where these are in their names."""

    def remove(self, name: str) -> None:
        """Remove an archive."""


@dataclass
class FolderPart:
    """An archive in a folder, under a name that isn't its own yet."""

    file: BinaryIO
    path: Path
    wanted: Path
    is_published: bool = False

    def publish(self) -> str:
        """Give the archive its name, if nothing has it; raises BackupError otherwise."""
        try:
            os.link(self.path, self.wanted)
        except FileExistsError:
            raise BackupError(f"{self.wanted} is there already. Choose another name.") from None
        except OSError:  # a file system without hard links
            if self.wanted.exists():
                raise BackupError(f"{self.wanted} is there already. Choose another name.") from None
            self.path.rename(self.wanted)
        self.is_published = True
        sync_to_disk(self.wanted.parent)
        return str(self.wanted)


@dataclass(frozen=True)
class FolderTarget:
    """A folder of archives; who owns them alone may read them."""

    folder: Path

    @contextmanager
    def writing(self, name: str) -> Iterator[FolderPart]:
        """Open a new archive; one that isn't published leaves nothing behind.

        Raises BackupError where something of this name is there already.
        """
        wanted = self.folder / name
        if wanted.exists():
            raise BackupError(f"{wanted} is there already. Choose another name.")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=self.folder, prefix=".cms-", suffix=".part", delete=False) as file:
            path = Path(file.name)
            try:
                yield FolderPart(file.file, path, wanted)  # type: ignore[arg-type]  # a BinaryIO in all but name
            finally:
                path.unlink(missing_ok=True)

    def names(self) -> list[str]:
        """Return the names of all archives, by name."""
        return sorted(path.name for path in self.folder.glob(f"*{SUFFIX}") if path.is_file())

    def remove(self, name: str) -> None:
        """Remove an archive; do nothing where there is none."""
        (self.folder / name).unlink(missing_ok=True)
