"""One state of a site's data, wherever that lies, read to its end while others write."""

from __future__ import annotations

from contextlib import AbstractContextManager

from cms.db.connection import Database
from cms.db.reader import Reader
from cms.db.sqlite.snapshot import take_snapshot


def snapshot_of(database: Database) -> AbstractContextManager[Reader]:
    """Hold one state of the database for reading; writers don't wait for it, nor it for them."""
    if database.server:
        from cms.db.postgres.snapshot import take_server_snapshot  # nothing of it is imported for a file

        return take_server_snapshot(database.server)
    return take_snapshot(database.path)
