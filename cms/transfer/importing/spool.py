"""Exports that come through a pipe: kept in a file for as long as they are read, which is twice."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


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
