"""Files as answers are made of them: in blocks that are large enough to be worth their way to the event loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

BLOCK = 1 << 17


class FileBlocks:
    """The `wsgi.file_wrapper`: yields a file's blocks; a part of it is found without reading what is before."""

    def __init__(self, file: IO[bytes], buffer_size: int = BLOCK) -> None:
        """Read a file; the size that is asked for counts where it is larger."""
        self._file, self._size = file, max(buffer_size, BLOCK)

    def __iter__(self) -> Iterator[bytes]:
        """Return what yields the blocks."""
        return self

    def __next__(self) -> bytes:
        """Return the next block; raises StopIteration at the end."""
        block = self._file.read(self._size)
        if not block:
            raise StopIteration
        return block

    def seekable(self) -> bool:
        """Tell whether a part can be found."""
        return self._file.seekable()

    def seek(self, place: int, whence: int = 0) -> int:
        """Go to a place."""
        return self._file.seek(place, whence)

    def tell(self) -> int:
        """Return the place."""
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
