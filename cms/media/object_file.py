"""An object of an object storage as a file: read in pieces when they are asked for, from anywhere in it."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: Bytes of the first piece and of the largest: who reads on gets larger ones, with fewer requests.
LEAST, MOST = 1 << 18, 1 << 22

#: Returns the bytes from one position to another.
Fetch = Callable[[int, int], bytes]


class ObjectFile(io.RawIOBase):
    """A file that holds one piece of the object in memory, and no connection while its reader is slow."""

    def __init__(self, size: int, fetch: Fetch) -> None:
        self._size, self._fetch = size, fetch
        self._position, self._begin, self._piece = 0, 0, b""
        self._next = LEAST

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def seekable(self) -> bool:
        """Return that it can be read from anywhere."""
        return True

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        """Move and return the position."""
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, origin + place)
        return self._position

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill a buffer with what comes next, as far as a piece goes; raises OSError where it can't be had."""
        target = memoryview(buffer).cast("B")
        if self._position >= self._size:
            return 0
        if not self._begin <= self._position < self._begin + len(self._piece):
            end = min(self._size, self._position + self._next)
            self._begin, self._piece = self._position, self._fetch(self._position, end)
            self._next = min(MOST, self._next * 2)
        start = self._position - self._begin
        found = self._piece[start : start + len(target)]
        target[: len(found)] = found
        self._position += len(found)
        return len(found)
