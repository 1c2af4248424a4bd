"""Locks of files, which keep processes of one host out of each other's way; they end with their process."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def try_lock(file: IO[str] | int) -> bool:
    """Take the lock of an open file, or of its number, where nobody has it; return whether it was free."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def trying_file_lock(path: Path) -> Iterator[bool]:
    """Try to get the lock of a file, which is made where there is none, and yield whether it was free."""
    with path.open("a") as file:
        yield try_lock(file)
