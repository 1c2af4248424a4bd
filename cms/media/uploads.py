"""A file that is being uploaded: the temporary file, its size and name, and the limit of its size."""

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
    """A temporary file that is written piece by piece, never whole in memory; `max_size` is in bytes."""

    folder: Path
    max_size: int
    path: Path = field(init=False)
    size: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.folder)
        self.path = Path(name)
        self._file: BinaryIO = os.fdopen(handle, "w+b")
        self._digest = hashlib.md5(usedforsecurity=False)

    def write(self, data: bytes) -> int:
        """Append a piece and return its length; raises ApiError when the file gets larger than allowed."""
        self.size += len(data)
        if self.size > self.max_size:
            raise too_large(self.max_size)
        self._digest.update(data)
        return self._file.write(data)

    def seek(self, place: int, whence: int = 0) -> int:
        """Move in the file and return the position, as parsers of forms do when they have written it."""
        return self._file.seek(place, whence)

    def close(self) -> None:
        """Write what is still in memory and close the file."""
        self._file.close()

    @property
    def md5(self) -> str:
        """The checksum of all pieces in hexadecimal digits."""
        return self._digest.hexdigest()

    def discard(self) -> None:
        """Remove the file; what was stored of it stays."""
        with suppress(OSError):
            self._file.close()
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Upload:
    """A file that was sent: its name as sent, its size in bytes, and whether it came in a form with fields."""

    name: str
    path: Path
    size: int
    form: bool = False


def too_large(max_size: int) -> ApiError:
    """Return the error of a file or form that is larger than `max_size` bytes."""
    message = _("The file is larger than %(most)s bytes.", most=max_size)
    return ApiError("rest_upload_file_too_big", message, 413)


#: Returns the file of a request, which is read only then; raises ApiError where none was sent as it should be.
OpenUpload = Callable[[], Upload]
