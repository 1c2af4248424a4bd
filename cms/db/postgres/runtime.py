"""The runtime data of a site in tables of its database, which the server needn't keep over a fall."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import peewee

from cms import forks
from cms.db.errors import ServerUnavailable
from cms.db.postgres.cursors import Connection, open_connection
from cms.db.postgres.locks import free_locks
from cms.db.sqlite.runtime import RuntimeStore

T = TypeVar("T")
#: The lock of those who write runtime data.
LOCK = 7_413
#: The lock of the one process that does the timed work.
WORK_LOCK = 7_414

log = logging.getLogger("cms")


class ServerRuntime(RuntimeStore):
    """One connection per process to these tables, under a lock.

    Raises ServerUnavailable where the server can't be reached, for nobody is taken for a stranger then; without usable
    tables all goes on without them.
    """

    def __init__(self, server: str) -> None:
        """Prepare; the address stands for the path of a file."""
        super().__init__(Path("runtime tables"))
        self._server = server
        self._leading: Connection | None = None
        self._inherited_leads: list[Connection | None] = []

    def lead(self) -> bool:
        """Try to get the lock of the timed work, which the server frees when this process or its host ends."""
        try:
            connection = open_connection(self._server)
        except ServerUnavailable:
            return False
        row = connection.execute("SELECT pg_try_advisory_lock(?)", (WORK_LOCK,)).fetchone()
        if row is None or not row[0]:
            connection.close()
            return False
        self._leading = connection
        return True

    def leads(self) -> bool:
        """Tell whether the lock is still held: with the connection it would be gone."""
        try:
            return self._leading is not None and self._leading.execute("SELECT 1").fetchone() is not None
        except peewee.DatabaseError:
            return False

    def end_lead(self) -> None:
        """Free the lock."""
        if self._leading is not None:
            free_locks(self._leading)
            self._leading.close()
        self._leading = None

    def leave_to_parent(self) -> None:
        """Forget the parent's connections and lock in a forked child; closing them there would harm the parent's."""
        super().leave_to_parent()
        self._inherited_leads.append(self._leading)
        self._leading = None

    def _run(self, begin: str, work: Callable[[Connection], T], default: T) -> T:  # type: ignore[override]
        try:
            with forks.inside(), self._lock:
                connection = self._open()
                connection.execute("BEGIN")
                connection = self._open()  # another one where that was lost
                try:
                    if begin != "BEGIN":
                        connection.execute("SELECT pg_advisory_xact_lock(?)", (LOCK,))
                    found = work(connection)
                    connection.execute("COMMIT")
                except BaseException:
                    if not connection.closed:
                        connection.rollback()
                    raise
                return found
        except ServerUnavailable:
            raise
        except peewee.DatabaseError as error:
            self._warn_once(error)
            return default

    def _open(self) -> Connection:
        found: Connection | None = self._connection  # type: ignore[assignment]  # it has the same methods
        if found is None or found.closed:
            found = open_connection(self._server)
            found.renew = self._open
            self._connection = found  # type: ignore[assignment]
        return found
