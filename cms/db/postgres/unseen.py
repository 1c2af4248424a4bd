"""A long write that nobody sees: it takes the write lock at its end alone, and gives way to others who wait for rows.

What is counted goes into tables aside until then, so that no row which others need is locked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import cast

from peewee import IntegrityError
from psycopg.pq import TransactionStatus

from cms.db.connection import Database
from cms.db.errors import MergeConflict, ServerBusy
from cms.db.postgres.connections import RAISE_VERSION, WRITE_LOCK
from cms.db.postgres.counts_aside import BEGIN, BRING, DEFINE, NOTE_NEW
from cms.db.postgres.cursors import Connection
from cms.db.postgres.folded_texts import fold_new_texts
from cms.db.postgres.overtaken import find_overtaken
from cms.db.sqlite.functions import WRITE_SECONDS

#: Somebody waits for this transaction; who makes an index concurrently may wait for its end.
IS_AWAITED = """
SELECT 1 FROM pg_locks WHERE NOT granted AND locktype <> 'virtualxid' AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
LIMIT 1
"""
#: What is committed, in a moment in which nobody writes to the site.
SELECT_SNAPSHOT = "SELECT pg_current_snapshot()::text"
#: Seconds between two looks at whether somebody waits.
LOOK_SECONDS = 0.25
#: Milliseconds of one try to get the write lock, fewer than it takes the server to look for those in each other's way.
TRY_MILLISECONDS = 700
#: Seconds after which others are left to write.
MOST_SECONDS = 60


class UnseenWrite:
    """One write of a thread; `open` opens its transaction, `settle` ends what is done without the write lock."""

    def __init__(self, database: Database) -> None:
        self._database, self._looked = database, 0.0
        with database.write():
            self._connection.run_own(DEFINE)
            self._snapshot = str(self._connection.rows_of_own(SELECT_SNAPSHOT)[0][0])

    @property
    def _connection(self) -> Connection:
        return cast(Connection, self._database.peewee.connection())

    @contextmanager
    def open(self) -> Iterator[None]:
        """Open the transaction; raises MergeConflict where others have been, or are, in its way."""
        connection = self._connection
        try:
            with self._database.peewee.atomic():
                connection.run_own(BEGIN)
                connection.set_trace_callback(self._look)
                try:
                    yield
                finally:
                    connection.set_trace_callback(None)
                fold_new_texts(connection)
                connection.execute(RAISE_VERSION)
        except (IntegrityError, ServerBusy) as error:
            raise MergeConflict(str(error)) from error

    def fold(self) -> None:
        """Fold the texts that were written so far; raises MergeConflict where somebody waits for their rows."""
        self._connection.run_own(NOTE_NEW)
        fold_new_texts(self._connection)

    def settle(self) -> None:
        """Take the write lock, and count what has come; raises MergeConflict where it doesn't fit."""
        self.fold()
        connection = self._connection
        connection.set_trace_callback(None)
        self._take_lock()
        overtaken = find_overtaken(connection, self._snapshot)
        if overtaken:
            raise MergeConflict(overtaken)
        connection.run_own(BRING)

    def _take_lock(self) -> None:
        """Wait for the write lock among others, unless somebody who has it waits for this write."""
        connection, last = self._connection, monotonic() + MOST_SECONDS
        while True:
            connection.run_own(f"SAVEPOINT locking; SET LOCAL lock_timeout = {TRY_MILLISECONDS}")
            try:
                connection.run_own(f"SELECT pg_advisory_xact_lock({WRITE_LOCK})")
            except ServerBusy:
                connection.run_own("ROLLBACK TO SAVEPOINT locking")
                self._require_unawaited()
                if monotonic() > last:
                    raise
            else:
                connection.run_own(f"RELEASE locking; SET LOCAL lock_timeout = {WRITE_SECONDS * 1_000}")
                return

    def _look(self, _statement: str) -> None:
        """Look from time to time, before a statement, whether somebody waits."""
        now = monotonic()
        is_sound = self._connection.info.transaction_status == TransactionStatus.INTRANS
        if is_sound and now > self._looked + LOOK_SECONDS:
            self._looked = now
            self._require_unawaited()

    def _require_unawaited(self) -> None:
        if self._connection.rows_of_own(IS_AWAITED):
            raise MergeConflict("others write what this write has written")
