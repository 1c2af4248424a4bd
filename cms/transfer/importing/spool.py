"""What an import reads more than once, kept in files that are gone when it ends: pipes, records, texts."""

from __future__ import annotations

import pickle
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Generic, TypeVar, cast

from cms.transfer.wxr.records import Record

T = TypeVar("T")


@contextmanager
def readable_twice(path: Path) -> Iterator[Path]:
    """Give the path of a file that can be read twice: that of a copy where this one is a pipe."""
    if not path.is_fifo():
        yield path
        return
    with path.open("rb") as pipe, spooled(pipe) as copy:
        yield copy


@contextmanager
def spooled(stream: IO[bytes]) -> Iterator[Path]:
    """Copy a stream into a file that is there until the end of the block."""
    with tempfile.NamedTemporaryFile(prefix="cms-import-", suffix=".xml") as file:
        shutil.copyfileobj(stream, file)
        file.flush()
        yield Path(file.name)


class Spool(Generic[T]):
    """Values in the order in which they came, in a file without a name; they are read as often as one likes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def add(self, value: T) -> None:
        """Put a value at the end."""
        pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)

    def __iter__(self) -> Iterator[T]:
        """Yield all values from the first one on."""
        self._file.seek(0)
        while True:
            try:
                yield cast(T, pickle.load(self._file))  # noqa: S301 (only this process can write there)
            except EOFError:
                return


@contextmanager
def records_spool(folder: Path) -> Iterator[Spool[Record]]:
    """Give a place for the records of an export, in a folder that has room for as much."""
    with tempfile.TemporaryFile(dir=folder) as file:
        yield Spool(file)


@contextmanager
def made_spool(folder: Path) -> Iterator[Spool[dict[bytes, object]]]:
    """Give a place for what is made of the texts of each item."""
    with tempfile.TemporaryFile(dir=folder) as file:
        yield Spool(file)
