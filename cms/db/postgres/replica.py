"""One replica of the primary server: its connections, which nobody waits for, and when it is left alone."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import peewee
from psycopg.conninfo import conninfo_to_dict

from cms import forks
from cms.db.limits import Limits
from cms.db.postgres.cursors import Connection, open_connection

#: The number of the data's version, of a server that follows another one; one that doesn't is no replica (any more).
SELECT_NUMBER = "SELECT number FROM site_version WHERE pg_is_in_recovery()"
#: What a database and its replicas have in common, and no other database.
SELECT_IDENTITY = """
SELECT (pg_control_system()).system_identifier::text, d.oid::text FROM pg_database d
WHERE d.datname = current_database()
"""
#: Seconds for which a statement waits for what a restore or a migration holds on the replica.
LOCK_SECONDS = 1
#: Seconds in which a replica isn't asked after it failed, and after it was behind for the first time; the latter double
#: each time, up to the former.
FAILED, BEHIND = 1.0, 0.01

log = logging.getLogger("cms")


class Misplaced(Exception):
    """A server that has another database, or follows none."""


def identity_of(connection: Connection) -> tuple[str, ...]:
    """Return what tells a database and its replicas from all others."""
    return tuple(connection.rows_of_own(SELECT_IDENTITY)[0])


class Replica:
    """Gives threads connections that are open already, and has others opened by a thread of its own.

    So a server that doesn't answer costs a request nothing but the statement in which it is lost.
    """

    def __init__(
        self, server: str, most: int, limits: Limits, slow: float, identity: Callable[[], object]
    ) -> None:
        """Prepare for so many connections at most; `identity` is asked for the primary server's.

        Statements that take `slow` seconds are logged, none where it is 0.
        """
        parts = conninfo_to_dict(server)
        self._name = f"{parts.get('host', '')}:{parts.get('port', '')}".strip(":")
        self._server, self._most, self._limits, self._slow = server, most, limits, slow
        self._identity = identity
        self._inherited: list[Connection] = []
        self._begin()
        forks.register_connected(self)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._open = 0
        self._is_connecting = False
        self._not_before = 0.0
        self._pause = BEHIND
        self._fault = ""

    def take(self) -> Connection | None:
        """Return a connection for this thread alone; None where none is free, or the replica is left alone."""
        with self._lock:
            if time.monotonic() < self._not_before:
                return None
            if self._idle:
                return self._idle.pop()
            if not self._is_connecting and self._open < self._most:
                self._is_connecting = True
                self._open += 1
                threading.Thread(target=self._connect, name="replica", daemon=True).start()
        return None

    def give_back(self, connection: Connection) -> None:
        """Take a connection back, one that was closed too."""
        with self._lock:
            if connection.closed:
                self._open -= 1
            else:
                self._idle.append(connection)

    def leave(self, seconds: float, fault: str = "") -> None:
        """Leave the replica alone for so many seconds; with a fault what is open is closed, and it is logged once."""
        with self._lock:
            self._not_before = time.monotonic() + seconds
            if fault:
                self._close_idle()
        if fault and not self._fault:
            log.warning(
                "The replica %s isn't read from, the primary server answers: %s", self._name, fault.strip()
            )
        self._fault = fault or self._fault

    def note(self, is_behind: bool) -> None:
        """Note whether the replica had what a reader has to see; one that is behind is left alone for a moment."""
        if is_behind:
            self.leave(self._pause)
            self._pause = min(2 * self._pause, FAILED)
        else:
            self._pause = BEHIND

    def number_of(self, connection: Connection) -> int | None:
        """Return the version of the data that a connection sees; None where it can't be had."""
        row = None
        with self._limits:  # as what follows, so that the connection's limit stays
            try:
                row = connection.execute(SELECT_NUMBER).fetchone()
            except peewee.DatabaseError as error:
                self.leave(FAILED, str(error))
        if row is None:
            connection.close()
            self.leave(FAILED)
            return None
        return int(row[0])

    def close(self) -> None:
        """Close what no thread uses; it is opened again when it is needed."""
        with self._lock:
            self._close_idle()

    def close_before_fork(self) -> None:
        """Close them, for this process and its child to open their own."""
        with forks.taken(self._lock) as taken:
            if taken:
                self._close_idle()

    def leave_to_parent(self) -> None:
        """Forget the parent's connections in a forked child; closing them there would harm the parent's."""
        self._inherited += self._idle
        self._begin()

    def _close_idle(self) -> None:
        for connection in self._idle:
            connection.close()
        self._open -= len(self._idle)
        self._idle.clear()

    def _connect(self) -> None:
        """Open a connection that `_open` counts already."""
        opened = None
        try:
            with forks.inside():
                opened = self._open_checked()
        except (peewee.DatabaseError, Misplaced) as error:
            self.leave(FAILED, str(error))
        finally:
            with self._lock:
                self._is_connecting = False
                if opened is None:
                    self._open -= 1
                else:
                    self._idle.append(opened)
        if opened is not None and self._fault:
            log.warning("The replica %s is read from again.", self._name)
            self._fault = ""

    def _open_checked(self) -> Connection:
        connection = open_connection(self._server, self._limits, LOCK_SECONDS)
        connection.slow = self._slow
        try:
            if identity_of(connection) != self._identity():
                raise Misplaced("it has another database than the primary server")
            if connection.execute(SELECT_NUMBER).fetchone() is None:
                raise Misplaced("it follows no other server")
        except BaseException:
            connection.close()
            raise
        return connection
