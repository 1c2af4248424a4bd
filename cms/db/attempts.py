"""The attempts that are counted in the runtime file, one row each."""

from __future__ import annotations

from cms.db.reader import Connection

DELETE_OUTDATED = "DELETE FROM attempts WHERE until <= ? OR at > ?"
DELETE_BY_KEY = "DELETE FROM attempts WHERE key = ?"
INSERT_ATTEMPT = "INSERT INTO attempts (key, at, until) VALUES (?, ?, ?)"
COUNT_IN_WINDOW = "SELECT COUNT(*) FROM attempts WHERE key = ? AND at > ? AND at <= ?"
SELECT_NTH_LATEST = """
SELECT at FROM attempts WHERE key = ? AND at > ? AND at <= ? ORDER BY at DESC LIMIT 1 OFFSET ?
"""


class AttemptRows:
    """The rows of one key; moments are milliseconds since 1970, and the caller holds a transaction."""

    def __init__(self, connection: Connection, key: bytes) -> None:
        self._connection = connection
        self._key = key

    def add(self, at: int, until: int, times: int) -> None:
        """Store attempts made at a moment, which count until another one."""
        self._connection.executemany(INSERT_ATTEMPT, [(self._key, at, until)] * times)

    def count(self, after: int, until: int) -> int:
        """Return how many attempts were made after one moment and until another one."""
        row = self._connection.execute(COUNT_IN_WINDOW, (self._key, after, until)).fetchone()
        return int(row[0])

    def find_nth_latest(self, after: int, until: int, index: int) -> int | None:
        """Return when the attempt at an index was made, counted from the latest, or None without one."""
        row = self._connection.execute(SELECT_NTH_LATEST, (self._key, after, until, index)).fetchone()
        if row is None:
            return None
        return int(row[0])

    def delete(self) -> None:
        """Remove the attempts of this key."""
        self._connection.execute(DELETE_BY_KEY, (self._key,))

    def delete_outdated(self, now: int) -> int:
        """Remove the attempts of all keys that don't count any more and return how many they were."""
        # Those of a time to come were written before the clock was set back.
        return self._connection.execute(DELETE_OUTDATED, (now, now)).rowcount
