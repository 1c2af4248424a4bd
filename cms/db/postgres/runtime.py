"""The runtime data of a site in tables of its database, which the server needn't keep over a fall."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import peewee

from cms import forks
from cms.db.postgres.cursors import Connection, open_connection
from cms.db.sqlite.runtime import RuntimeStore

T = TypeVar("T")
#: The lock of those who write runtime data.
LOCK = 7_413

log = logging.getLogger("cms")


class ServerRuntime(RuntimeStore):
    """One connection per process to these tables, under a lock; without a server all goes on without them."""

    def __init__(self, server: str) -> None:
        """Prepare; the address stands for the path of a file."""
        super().__init__(Path("runtime tables"))
        self._server = server

    def _run(self, begin: str, work: Callable[[Connection], T], default: T) -> T:  # type: ignore[override]
        try:
            with forks.inside(), self._lock:
                connection = self._open()
                connection.execute("BEGIN")
                try:
                    if begin != "BEGIN":
                        connection.execute("SELECT pg_advisory_xact_lock(?)", (LOCK,))
                    found = work(connection)
                    connection.execute("COMMIT")
                except BaseException:
                    connection.rollback()
                    raise
                return found
        except peewee.DatabaseError as error:
            self._warn_once(error)
            return default

    def _open(self) -> Connection:
        found: Connection | None = self._connection  # type: ignore[assignment]  # it has the same methods
        if found is None or found.closed:
            found = open_connection(self._server)
            self._connection = found  # type: ignore[assignment]
        return found
