"""The runtime file of a site: attempts, job runs, uses of tokens, sessions; it may be deleted at any time."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from cms import forks
from cms.db.json_lists import json_list
from cms.db.own_connection import OwnConnection
from cms.db.runtime_tables import TABLES

T = TypeVar("T")

SELECT_LAST_USES = """
SELECT digest, used_gmt, address FROM token_last_use WHERE digest IN (SELECT value FROM json_each(?))
"""
UPSERT_LAST_USE = """
INSERT INTO token_last_use (digest, used_gmt, address) VALUES (?, ?, ?)
ON CONFLICT (digest) DO UPDATE SET used_gmt = excluded.used_gmt, address = excluded.address
"""
SELECT_JOB_RUNS = "SELECT name, at FROM job_runs"
UPSERT_JOB_RUN = (
    "INSERT INTO job_runs (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at"
)
#: Seconds to wait for another worker's write; a sign-in must not hang on this file.
WRITE_TIMEOUT = 2.0

log = logging.getLogger("cms")


class RuntimeStore(OwnConnection[sqlite3.Connection]):
    """One connection per process to the file, under a lock; without a usable file all goes on without it."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        super().__init__()
        self.path = path
        self.now = now
        self._file: tuple[int, int] = (0, 0)
        self._has_warned = False

    def read(self, work: Callable[[sqlite3.Connection], T], default: T) -> T:
        """Run reading work in a transaction; returns `default` where the file can't be used."""
        return self._run("BEGIN", work, default)

    def write(self, work: Callable[[sqlite3.Connection], T], default: T) -> T:
        """Run work in a transaction that no other worker's runs beside."""
        return self._run("BEGIN IMMEDIATE", work, default)

    def token_uses(self, digests: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Return when (in GMT) and from which address tokens were last used, by their digests."""
        wanted = json_list(digests)

        def read(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
            rows = connection.execute(SELECT_LAST_USES, (wanted,))
            return {digest: (when, address) for digest, when, address in rows}

        return self.read(read, {})

    def note_token_use(self, digest: str, when: str, address: str) -> None:
        """Note that a token was used at a moment in GMT, from an address."""
        self.write(lambda connection: connection.execute(UPSERT_LAST_USE, (digest, when, address)), None)

    def job_runs(self) -> dict[str, float]:
        """Return when jobs were last run by any process, in seconds since 1970, by name."""
        return self.read(lambda connection: dict(connection.execute(SELECT_JOB_RUNS).fetchall()), {})

    def note_job_run(self, name: str, at: float) -> None:
        """Note that a job was run."""
        self.write(lambda connection: connection.execute(UPSERT_JOB_RUN, (name, at)), None)

    def lead(self) -> bool:
        """Try to do the timed work for all hosts of the site, and tell whether it may be done: there is one host."""
        return True

    def leads(self) -> bool:
        """Tell whether the timed work is still this process' to do."""
        return True

    def end_lead(self) -> None:
        """Leave the timed work to others."""

    def _run(self, begin: str, work: Callable[[sqlite3.Connection], T], default: T) -> T:
        try:
            with forks.inside(), self._lock:
                connection = self._connect()
                connection.execute(begin)
                try:
                    with connection:
                        return work(connection)
                except sqlite3.DatabaseError:
                    self._drop()
                    raise
        except (sqlite3.Error, OSError) as error:
            self._warn_once(error)
            return default

    def _connect(self) -> sqlite3.Connection:
        """Return the connection, a new one where the file isn't the one that it was opened on."""
        if self._connection is not None and self._identity() == self._file:
            return self._connection
        self._drop()
        connection = sqlite3.connect(
            self.path, timeout=WRITE_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        try:
            # No write-ahead log: closing one whose file was deleted would take the new file's log along.
            connection.execute("PRAGMA synchronous = normal")
            for statement in TABLES:
                connection.execute(statement)
        except sqlite3.Error:
            connection.close()
            raise
        self._connection, self._file = connection, self._identity()
        return connection

    def _identity(self) -> tuple[int, int]:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return (0, 0)
        return found.st_dev, found.st_ino

    def _warn_once(self, error: Exception) -> None:
        if not self._has_warned:
            self._has_warned = True
            log.warning("%s can't be used, so attempts aren't limited: %s", self.path, error)
