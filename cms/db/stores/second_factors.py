"""Second factors of accounts."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import cast

from cms.db.connection import Database
from cms.db.models import SecondFactorRow

SELECT_FACTOR = "SELECT * FROM second_factors WHERE user_id = ?"
HAS_FACTOR = "SELECT 1 FROM second_factors WHERE user_id = ? AND confirmed_gmt IS NOT NULL"
REPLACE_FACTOR = """
INSERT INTO second_factors (user_id, secret, created_gmt) VALUES (?, ?, ?)
ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_gmt = excluded.created_gmt,
    confirmed_gmt = NULL, recovery = '[]'
"""
CONFIRM_FACTOR = "UPDATE second_factors SET confirmed_gmt = ?, recovery = ? WHERE user_id = ?"
UPDATE_RECOVERY = "UPDATE second_factors SET recovery = ? WHERE user_id = ?"
DELETE_FACTOR = "DELETE FROM second_factors WHERE user_id = ?"


class SecondFactorStore:
    """Read and write rows of the table of second factors; writes are transactions of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self) -> AbstractContextManager[None]:
        """Open a transaction that holds more than one of these statements."""
        return self._database.write()

    def find(self, user_id: int) -> SecondFactorRow | None:
        """Return the second factor of an account, confirmed or not."""
        return cast(SecondFactorRow | None, self._database.row(SELECT_FACTOR, (user_id,)))

    def is_confirmed(self, user_id: int) -> bool:
        """Tell whether an account signs in with a second factor."""
        return self._database.exists(HAS_FACTOR, (user_id,))

    def replace(self, user_id: int, secret: str, now: str) -> None:
        """Store an account's second factor, which isn't asked for until it is confirmed."""
        with self._database.write():
            self._database.execute(REPLACE_FACTOR, (user_id, secret, now))

    def confirm(self, user_id: int, now: str, recovery: str) -> None:
        """Have the second factor of an account asked for from now on."""
        with self._database.write():
            self._database.execute(CONFIRM_FACTOR, (now, recovery, user_id))

    def set_recovery(self, user_id: int, recovery: str) -> None:
        """Store which recovery codes an account has left."""
        with self._database.write():
            self._database.execute(UPDATE_RECOVERY, (recovery, user_id))

    def remove(self, user_id: int) -> None:
        """Delete the second factor of an account, if it has one."""
        with self._database.write():
            self._database.execute(DELETE_FACTOR, (user_id,))
