"""Tokens: secrets that stand for an account, shown once and stored as a digest."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from typing import Any, TypedDict, cast

from cms.access.actions import Action
from cms.access.capabilities import VISITOR, Principal
from cms.dates import Clock, format_seconds
from cms.db.sqlite.runtime import RuntimeStore
from cms.db.stores import AccountOfToken, TokenStore
from cms.errors import ApiError
from cms.i18n import _

PREFIX = "cmst_"
#: The source of tokens that people make for applications, by the API.
APPLICATION = "application"
READ, ALL = "read", "all"
SCOPES = (READ, ALL)
VISIBLE_LENGTH = len(PREFIX) + 4
MAX_NAME_LENGTH = 100


class ListedToken(TypedDict):
    """A token as lists have it: when and from where it was last used, None where that isn't known."""

    id: int
    login: str
    user_id: int
    name: str
    prefix: str
    scope: str
    created_gmt: str
    expires_gmt: str | None
    source: str
    used_gmt: str | None
    used_from: str | None


class Tokens:
    """The tokens of one site's accounts."""

    def __init__(
        self, store: TokenStore, runtime: RuntimeStore, clock: Clock, tell: Callable[[Action], None]
    ) -> None:
        """Prepare for one site; `tell` hears of each token that is made, renamed or revoked, in its transaction."""
        self._store, self._runtime, self._clock, self._tell = store, runtime, clock, tell
        self.uses = TokenUses(runtime)

    def create(
        self,
        user_id: int,
        name: str,
        scope: str,
        expires_gmt: str | None,
        source: str = "",
        by: Principal = VISITOR,
    ) -> tuple[int, str]:
        """Make a token of an account and return its id and the token itself, which nothing can show again.

        What it may do and until when is the caller's to say; None for a token that never expires; `by` does
        it. Raises ApiError for a name or a scope that a token can't have.
        """
        label = _label(name)
        _check_scope(scope)
        token = PREFIX + secrets.token_urlsafe(32)
        values = {
            "user_id": user_id,
            "name": label,
            "scope": scope,
            "expires_gmt": expires_gmt,
            "source": source,
            **self._made_of(token),
        }
        return self._add(values, by), token

    def _add(self, values: Mapping[str, Any], by: Principal) -> int:
        with self._store.write():
            id = self._store.add(values)
            data = {"user": values["user_id"], "scope": values["scope"], "expires": values["expires_gmt"]}
            self._tell(Action("token.created", "token", id, values["name"], by, data))
        return id

    def _made_of(self, token: str) -> dict[str, str]:
        """Return what is stored of a token itself: not more than is needed to know it again."""
        return {
            "digest": _digest(token),
            "prefix": token[:VISIBLE_LENGTH],
            "created_gmt": self._clock.now(),
        }

    def list(self, user_id: int | None = None) -> list[ListedToken]:
        """Return the tokens of an account, or all, the oldest first."""
        rows = self._store.of_user(user_id)
        uses = self._runtime.token_uses([row["digest"] for row in rows])
        found = []
        for row in rows:
            when, address = uses.get(row["digest"], (None, None))
            values: dict[str, Any] = {name: value for name, value in row.items() if name != "digest"}
            values |= {"used_gmt": when, "used_from": address or None}
            found.append(cast(ListedToken, values))
        return found

    def rename(self, id: int, user_id: int, name: str, by: Principal = VISITOR) -> bool:
        """Give a token of an account another name, and tell whether it was there; raises ApiError for a bad name."""
        label = _label(name)
        with self._store.write():
            found = self._store.rename(id, user_id, label)
            if found:
                self._tell(Action("token.renamed", "token", id, label, by, {"user": user_id}))
        return found

    def revoke(self, id: int, user_id: int | None = None, by: Principal = VISITOR) -> bool:
        """Remove a token, of this account alone if one is named, and tell whether it was there."""
        with self._store.write():
            row = self._store.remove(id, user_id)
            if row is not None:
                self._tell(Action("token.revoked", "token", id, row["name"], by, {"user": row["user_id"]}))
        return row is not None

    def find(self, sent: str, login: str | None = None) -> AccountOfToken | None:
        """Return the account behind a valid token; of this login alone if one is named."""
        token = "".join(sent.split())
        if not token.startswith(PREFIX):
            return None
        return self._store.find_account(_digest(token), self._clock.now(), login)


def _check_scope(scope: str) -> None:
    if scope not in SCOPES:
        message = _("A token has one of these scopes: %(names)s.", names=", ".join(SCOPES))
        raise ApiError("rest_token_scope", message)


def _label(name: str) -> str:
    label = " ".join(name.split())
    if not label or len(label) > MAX_NAME_LENGTH:
        message = _("A token needs a name of %(most)s characters at most.", most=MAX_NAME_LENGTH)
        raise ApiError("rest_token_name", message)
    return label


class TokenUses:
    """Notes when and from where tokens were last used, each once a minute at most."""

    MAX_REMEMBERED = 10_000
    INTERVAL = 60

    def __init__(self, runtime: RuntimeStore) -> None:
        self._runtime = runtime
        self._noted: dict[str, float] = {}

    def note(self, digest: str, address: str) -> None:
        """Note that a token is used now, unless it was noted within the last minute."""
        now = self._runtime.now()
        if 0 <= now - self._noted.get(digest, float("-inf")) < self.INTERVAL:
            return
        if len(self._noted) >= self.MAX_REMEMBERED:
            self._noted.clear()
        self._noted[digest] = now
        self._runtime.note_token_use(digest, format_seconds(now), address)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
