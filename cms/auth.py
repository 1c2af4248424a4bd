"""Who asks: credentials from header values to an account, after the same work whatever is wrong."""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
import time
from typing import TYPE_CHECKING, Any

import orjson
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from cms.errors import ApiError
from cms.i18n import _
from cms.policy import Viewer, capabilities_of

if TYPE_CHECKING:
    from cms.site import Site

#: Memory in KiB, passes and lanes of a hash; `normal` is what OWASP asks for at least.
COSTS = {"normal": (19 * 1024, 2, 1), "low": (8, 1, 1)}

BY_NAME = "SELECT id, login, password_hash, roles, locale FROM users WHERE login = ? OR (email = ? AND email <> '')"
BY_ID = "SELECT id, login, password_hash, roles, locale FROM users WHERE id = ?"


class Passwords:
    """Hash and verify passwords with Argon2id."""

    def __init__(self, cost: str) -> None:
        memory, passes, lanes = COSTS[cost]
        self._hasher = PasswordHasher(time_cost=passes, memory_cost=memory, parallelism=lanes)
        self._decoy = self._hasher.hash(secrets.token_hex())

    def hash(self, password: str) -> str:
        """Return a new hash, which holds its salt and parameters."""
        return self._hasher.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Tell whether a password fits; without a stored hash the same work is done in vain."""
        try:
            return self._hasher.verify(stored or self._decoy, password) and bool(stored)
        except (VerificationError, InvalidHashError):
            return False


class SignIn:
    """Turn credentials into viewers; a verified password is remembered for a short time, as a keyed digest."""

    LIMIT = 10_000

    def __init__(self, site: Site) -> None:
        self._site = site
        self._passwords = Passwords(site.config["password_cost"])
        self._seconds: int = site.config["sign_in_memory"]
        self._key = secrets.token_bytes(32)
        self._verified: dict[bytes, tuple[str, float]] = {}

    @property
    def passwords(self) -> Passwords:
        """What hashes this site's passwords."""
        return self._passwords

    def viewer(self, authorization: str | None) -> Viewer:
        """Return who sends this Authorization header, a visitor without one; raises 401 for wrong ones."""
        if not authorization:
            return Viewer()
        login, password = _basic(authorization)
        row = self._site.database.row(BY_NAME, (login, login))
        if not self._fits(row, login, password) or row is None:
            raise wrong_credentials()
        return self.account(row)

    def account(self, row: Any) -> Viewer:
        """Return a stored account as a viewer."""
        roles = tuple(orjson.loads(row["roles"]))
        return Viewer(row["id"], row["login"], roles, capabilities_of(roles, self._site.roles))

    def by_id(self, id: int) -> Viewer:
        """Return the viewer that an account is, for callers who are trusted; a visitor when there is none."""
        row = self._site.database.row(BY_ID, (id,))
        return self.account(row) if row else Viewer()

    def _fits(self, row: Any, login: str, password: str) -> bool:
        stored = row["password_hash"] if row else None
        digest = hashlib.blake2b(f"{login}\0{password}".encode(), key=self._key).digest()
        known, until = self._verified.get(digest, ("", 0.0))
        if stored and known == stored and time.monotonic() < until:
            return True
        if not self._passwords.verify(stored, password):
            return False
        if len(self._verified) >= self.LIMIT:
            self._verified.clear()
        self._verified[digest] = (stored or "", time.monotonic() + self._seconds)
        return True


def _basic(header: str) -> tuple[str, str]:
    scheme, _space, encoded = header.partition(" ")
    try:
        if scheme.lower() != "basic":
            raise ValueError
        login, colon, password = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
        if not colon:
            raise ValueError
        return login, password
    except (ValueError, binascii.Error):
        raise wrong_credentials() from None


def wrong_credentials() -> ApiError:
    """Build the one answer to credentials that don't fit, whatever is wrong with them."""
    return ApiError("rest_invalid_credentials", _("The account or its password is wrong. Check both."), 401)
