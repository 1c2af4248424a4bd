"""A file on its way in: where it lies until it is kept, and what is known of it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from cms.errors import ApiError
from cms.i18n import _

CHUNK = 1 << 16


@dataclass
class TemporaryUpload:
    """A file that is written to a folder of its own piece by piece, never held whole in memory."""

    folder: Path
    most: int
    path: Path = field(init=False)
    size: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.folder)
        self.path = Path(name)
        self._file: BinaryIO = os.fdopen(handle, "w+b")
        self._digest = hashlib.md5(usedforsecurity=False)

    def write(self, data: bytes) -> int:
        """Add a piece; raises ApiError when the file is longer than it may be."""
        self.size += len(data)
        if self.size > self.most:
            raise too_large(self.most)
        self._digest.update(data)
        return self._file.write(data)

    def seek(self, place: int, whence: int = 0) -> int:
        """Move in the file, as parsers of forms do when they have written it."""
        return self._file.seek(place, whence)

    def close(self) -> None:
        """Write out what is still in memory."""
        self._file.close()

    @property
    def md5(self) -> str:
        """The checksum of all pieces in hexadecimal digits."""
        return self._digest.hexdigest()

    def discard(self) -> None:
        """Remove the file; what was kept of it stays."""
        with suppress(OSError):
            self._file.close()
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Upload:
    """A whole file as it was sent: the name that it came with, and whether in a form with fields."""

    name: str
    path: Path
    size: int
    form: bool = False


def too_large(most: int) -> ApiError:
    """Build the refusal of a file or form beyond its bound."""
    return ApiError("rest_upload_file_too_big", _("The file is larger than %(most)s bytes.", most=most), 413)


#: Gives the file of a request when it is asked for; raises ApiError where none was sent as it should be.
OpenUpload = Callable[[], Upload]
