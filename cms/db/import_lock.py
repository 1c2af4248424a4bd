"""The lock of the one import into a site, on whichever host it is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cms.db.file_locks import trying_file_lock


@contextmanager
def trying_import_lock(file: Path, server: str) -> Iterator[bool]:
    """Try to get the lock, and yield whether it was free; it is a file's where the database is one, else the server's.

    Raises peewee.DatabaseError where the server can't be reached.
    """
    if server:
        from cms.db.postgres.locks import IMPORT_LOCK, trying_lock

        with trying_lock(server, IMPORT_LOCK) as is_free:
            yield is_free
        return
    with trying_file_lock(file) as is_free:
        yield is_free
