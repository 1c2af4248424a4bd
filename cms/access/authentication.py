"""Who asks: passwords and tokens from header values to an account, after the same work whatever is wrong."""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError
from argon2.low_level import ARGON2_VERSION

from cms.access.actions import SignIn
from cms.access.capabilities import VISITOR, Principal, capabilities_of
from cms.access.password_links import PasswordLinks
from cms.access.rate_limit import SignInThrottle, require_room
from cms.access.second_factor import SecondFactors, code_required, wrong_code
from cms.access.sessions import SentSession, Sessions, ended, password_mark
from cms.access.tokens import APPLICATION, READ, Tokens
from cms.config import Config
from cms.db.models import UserRow
from cms.db.session_rows import SessionRow
from cms.db.sqlite.runtime import RuntimeStore
from cms.db.stores import SigningInRow, UserStore
from cms.errors import ApiError
from cms.i18n import _

#: Memory in KiB, passes and lanes of a hash; `normal` is what OWASP asks for at least.
COSTS = {"normal": (19 * 1024, 2, 1), "low": (8, 1, 1)}


@dataclass(frozen=True)
class SignInRequest:
    """What a request tells of who sends it, for plugins that know other ways to sign in.

    Names of `headers` are in lower case; `query` are the arguments of the address, `address` where it came from.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    query: Mapping[str, Any]
    address: str


class Passwords:
    """Hash and verify passwords with Argon2id."""

    def __init__(self, cost: str) -> None:
        memory, passes, lanes = COSTS[cost]
        self._hasher = PasswordHasher(time_cost=passes, memory_cost=memory, parallelism=lanes)
        self._decoy = _made_up_hash(self._hasher)

    def hash(self, password: str) -> str:
        """Return a new hash, which holds its salt and parameters."""
        return self._hasher.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Tell whether a password fits; without a stored hash, or with what is none, the same work is done in vain."""
        try:
            return self._hasher.verify(stored or self._decoy, password) and bool(stored)
        except VerifyMismatchError:
            return False
        except (VerificationError, InvalidHashError, ValueError):
            # What is stored is no hash: an imported account has none until its password is set.
            return self.verify(None, password)


def _made_up_hash(hasher: PasswordHasher) -> str:
    """Return a hash that no password has, which costs as much to verify as a real one and nothing to make."""
    memory, passes, lanes = hasher.memory_cost, hasher.time_cost, hasher.parallelism
    salt, hashed = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v={ARGON2_VERSION}$m={memory},t={passes},p={lanes}${salt}${hashed}"


#: Asks plugins who sends a request; what they need to know of it is made when one of them asks.
AskPlugins = Callable[[Callable[[], SignInRequest]], Principal | None]


class Authentication:
    """Turn credentials into principals; a verified password is remembered for a short time, as a keyed digest."""

    MAX_REMEMBERED = 10_000

    def __init__(
        self,
        config: Config,
        users: UserStore,
        runtime: RuntimeStore,
        roles: Mapping[str, frozenset[str]],
        tokens: Tokens,
        factors: SecondFactors,
        ask_plugins: AskPlugins,
        tell: Callable[[SignIn], None],
    ) -> None:
        """Prepare for one site; `roles` are the capabilities of each role, `tell` hears of checked credentials."""
        self.factors = factors
        self.sessions = Sessions(runtime, config)
        self.links = PasswordLinks(runtime, users)
        self._takes_sessions: bool = config["admin"]
        self.passwords = Passwords(config["password_cost"])
        self._users, self._roles, self._tokens, self._ask_plugins = users, roles, tokens, ask_plugins
        self._seconds: int = config["sign_in_memory"]
        self._key = secrets.token_bytes(32)
        self._verified: dict[bytes, tuple[str, float]] = {}
        self._throttle = SignInThrottle(runtime, config)
        self._tell = tell

    def identify(
        self,
        authorization: str | None,
        address: str,
        request: Callable[[], SignInRequest],
        session: SentSession | None = None,
    ) -> Principal:
        """Return who sends a request: who a plugin says it is, else whose session or Authorization header it has.

        Raises ApiError as `from_session` and `from_header` do, or what a plugin raises.
        """
        known = self._ask_plugins(request)
        if known is not None:
            return replace(known, sign_in=known.sign_in or "plugin")
        if session is not None and self._takes_sessions:
            return self.from_session(session, address)
        return self.from_header(authorization, address)

    def from_session(self, sent: SentSession, address: str) -> Principal:
        """Return who acts in a session.

        Raises ApiError: 401 for one that has ended, 403 for a cookie that comes without the session's nonce.
        """
        session = self.sessions.require(sent)
        row = self._account_in(session)
        if row is None:
            raise ended()
        self.sessions.note(session, address)
        return replace(self.principal_of(row), sign_in="session")

    def account_in(self, secret: str) -> UserRow | None:
        """Return the account of a session by its secret, None where it has ended."""
        session = self.sessions.find(secret) if secret else None
        return None if session is None else self._account_in(session)

    def _account_in(self, session: SessionRow) -> UserRow | None:
        row = self._users.find(session.user_id)
        is_same = row is not None and password_mark(row["password_hash"]) == session.password_mark
        return row if is_same else None

    def sign_in(self, login: str, password: str, code: str, address: str) -> UserRow:
        """Return the account of a login, its password and, where it has a second factor, a code of that.

        Raises ApiError as `from_header` does, and 401 where the code is missing or wrong; a wrong one is counted as a
        wrong password is, and by account alone.
        """
        row = self.account_of(login, password, address)
        if not row["has_second_factor"]:
            return row
        if not code:
            raise code_required()
        account = f"account {row['id']}"
        self._throttle.check(account, address)
        require_room(self._throttle.codes.wait(account))
        fits = self.factors.accepts(row["id"], code)
        require_room(self._throttle.codes.settle(account, failed=not fits))
        self._throttle.settle(account, address, failed=not fits)
        self._tell(SignIn(row["id"], row["login"], address, "second_factor", succeeded=fits))
        if not fits:
            raise wrong_code()
        return row

    def from_header(self, authorization: str | None, address: str = "") -> Principal:
        """Return who sends this Authorization header, a visitor without one.

        Raises ApiError: 401 for wrong credentials, 429 after too many wrong ones for the account or from the address.
        """
        if not authorization:
            return VISITOR
        scheme, _space, rest = authorization.partition(" ")
        if scheme.lower() == "bearer":
            bearer = self._by_token(rest, None, address)
            if bearer is None:
                self._tell(SignIn(0, "", address, "token", succeeded=False))
                raise wrong_token()
            return bearer
        login, password = _basic(authorization)
        return self._by_token(password, login, address) or self._by_password(login, password, address)

    def _by_token(self, token: str, login: str | None, address: str) -> Principal | None:
        row = self._tokens.find(token, login)
        if row is None:
            return None
        self._tokens.uses.note(row["digest"], address)
        account = self._principal(row["id"], row["login"], row["roles"])
        kind = "application_password" if row["source"] == APPLICATION else "token"
        return replace(account, read_only=row["scope"] == READ, token=row["token_id"], sign_in=kind)

    def _by_password(self, login: str, password: str, address: str) -> Principal:
        row = self.account_of(login, password, address)
        if row["has_second_factor"]:
            # A password alone would pass the second factor by.
            raise code_required()
        return replace(self.principal_of(row), sign_in="password")

    def account_of(self, login: str, password: str, address: str) -> SigningInRow:
        """Return the account that a login and a password belong to, whatever second factor it has.

        Raises ApiError as `from_header` does.
        """
        row = self._users.find_by_name(login)
        digest = hashlib.blake2b(f"{login}\0{password}".encode(), key=self._key).digest()
        if row is not None and self._remembers(digest, row["password_hash"]):
            return row
        # By whichever of its names it was asked for.
        account, stored = f"name {login}", None
        if row is not None:
            account, stored = f"account {row['id']}", row["password_hash"]
        self._throttle.check(account, address)
        fits = self.passwords.verify(stored, password)
        self._throttle.settle(account, address, failed=not fits)
        self._tell(_password_sign_in(row, address, fits))
        if not fits or row is None:
            raise wrong_credentials()
        self._remember(digest, row["password_hash"])
        return row

    def principal_of(self, row: UserRow) -> Principal:
        """Return a stored account as a principal."""
        return self._principal(row["id"], row["login"], row["roles"])

    def _principal(self, id: int, login: str, stored_roles: str) -> Principal:
        roles = tuple(orjson.loads(stored_roles))
        return Principal(id, login, roles, capabilities_of(roles, self._roles))

    def by_login(self, login: str) -> Principal:
        """Return the principal that an account is, for callers who are trusted; raises LookupError without one."""
        row = self._users.find_by_name(login)
        if row is None:
            raise LookupError(f"there is no account with the login {login!r}")
        return self.principal_of(row)

    def by_id(self, id: int) -> Principal:
        """Return the principal that an account is, for callers who are trusted; a visitor when there is none."""
        row = self._users.find(id)
        return self.principal_of(row) if row else VISITOR

    def _remembers(self, digest: bytes, stored: str) -> bool:
        known, until = self._verified.get(digest, ("", 0.0))
        return bool(stored) and known == stored and time.monotonic() < until

    def _remember(self, digest: bytes, stored: str) -> None:
        if len(self._verified) >= self.MAX_REMEMBERED:
            self._verified.clear()
        self._verified[digest] = (stored, time.monotonic() + self._seconds)


def _password_sign_in(row: UserRow | None, address: str, fits: bool) -> SignIn:
    """Return what is told of a password; a name that no account has isn't, as people type passwords there."""
    if row is None:
        return SignIn(0, "", address, "password", succeeded=False)
    return SignIn(row["id"], row["login"], address, "password", succeeded=fits)


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


def wrong_token() -> ApiError:
    """Build the one answer to a token that doesn't count, whatever the reason."""
    return ApiError("rest_invalid_credentials", _("This token is unknown, expired or revoked."), 401)


def wrong_credentials() -> ApiError:
    """Build the one answer to credentials that don't fit, whatever is wrong with them."""
    return ApiError("rest_invalid_credentials", _("The account or its password is wrong. Check both."), 401)
