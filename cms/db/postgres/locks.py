"""Locks of a database on a server that one process of all hosts holds for as long as it does something."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from cms.db.errors import DATABASE_ERRORS
from cms.db.postgres.cursors import Connection, open_connection

#: The lock of the one import into a site.
IMPORT_LOCK = 7_415
#: The lock of the one restore or upgrade of a site.
RESTORE_LOCK = 7_416


@contextmanager
def trying_lock(server: str, number: int) -> Iterator[bool]:
    """Try to get a lock, and yield whether it was free; the server frees it when this process or its host ends."""
    with closing(open_connection(server)) as connection:
        row = connection.execute("SELECT pg_try_advisory_lock(?)", (number,)).fetchone()
        try:
            yield bool(row and row[0])
        finally:
            free_locks(connection)


def free_locks(connection: Connection) -> None:
    """Free what a connection has locked before it is closed, which the server notices some time later."""
    with suppress(*DATABASE_ERRORS):  # it frees the locks of a connection that is lost
        connection.execute("SELECT pg_advisory_unlock_all()")
