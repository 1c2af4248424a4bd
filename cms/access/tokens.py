"""Tokens: secrets that stand for an account, shown once and stored as a digest."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import time
from typing import TYPE_CHECKING, Any

import orjson

from cms.dates import FORM
from cms.db.models import Token
from cms.errors import ApiError
from cms.i18n import _

if TYPE_CHECKING:
    from cms.db.reader import Row
    from cms.db.runtime import RuntimeStore
    from cms.site import Site

PREFIX = "cmst_"
READ, ALL = "read", "all"
SCOPES = (READ, ALL)
SHOWN = len(PREFIX) + 4
LONGEST_NAME = 100

FIND = """
SELECT users.id, users.login, users.roles, users.locale, tokens.scope, tokens.digest, tokens.id AS token_id FROM tokens
JOIN users ON users.id = tokens.user_id
WHERE tokens.digest = :digest AND (tokens.expires_gmt IS NULL OR tokens.expires_gmt > :now)
AND (:login IS NULL OR users.login = :login OR (users.email = :login AND users.email <> ''))
"""
LIST = """
SELECT tokens.id, users.login, tokens.user_id, tokens.name, tokens.prefix, tokens.scope, tokens.created_gmt,
tokens.expires_gmt, tokens.source, tokens.digest FROM tokens JOIN users ON users.id = tokens.user_id
WHERE :user IS NULL OR tokens.user_id = :user ORDER BY tokens.id
"""
REVOKE = "DELETE FROM tokens WHERE id = :id AND (:user IS NULL OR user_id = :user) RETURNING id"
RENAME = "UPDATE tokens SET name = ? WHERE id = ? AND user_id = ? RETURNING id"
USES = "SELECT digest, used_gmt, address FROM token_last_use WHERE digest IN (SELECT value FROM json_each(?))"
USED = """
INSERT INTO token_last_use (digest, used_gmt, address) VALUES (?, ?, ?)
ON CONFLICT (digest) DO UPDATE SET used_gmt = excluded.used_gmt, address = excluded.address
"""


def create_token(
    site: Site, user_id: int, name: str, scope: str = ALL, expires_gmt: str | None = None, source: str = ""
) -> tuple[int, str]:
    """Make a token of an account and return its id and the token itself, which nothing can tell again."""
    label = _label(name)
    if scope not in SCOPES:
        raise ApiError(
            "rest_token_scope", _("A token has one of these scopes: %(names)s.", names=", ".join(SCOPES))
        )
    token = PREFIX + secrets.token_urlsafe(32)
    with site.database.write():
        id = site.database.run(
            Token.insert(
                user_id=user_id,
                name=label,
                digest=_digest(token),
                prefix=token[:SHOWN],
                scope=scope,
                created_gmt=site.now(),
                expires_gmt=expires_gmt,
                source=source,
            )
        )
    return int(id), token


def list_tokens(site: Site, user_id: int | None = None) -> list[dict[str, Any]]:
    """Return the tokens of an account, or all, each with when and from where it was last used, where that is known."""
    rows = site.database.rows(LIST, {"user": user_id})
    digests = orjson.dumps([row["digest"] for row in rows]).decode()
    uses: dict[str, tuple[str, str]] = site.runtime.read(
        lambda connection: {
            digest: (when, address) for digest, when, address in connection.execute(USES, (digests,))
        },
        {},
    )
    found = []
    for row in rows:
        when, address = uses.get(row["digest"], (None, None))
        told = {name: row[name] for name in row if name != "digest"}
        found.append({**told, "used_gmt": when, "used_from": address or None})
    return found


def rename_token(site: Site, id: int, user_id: int, name: str) -> bool:
    """Give a token of an account another name, and tell whether it was there."""
    label = _label(name)
    with site.database.write():
        return bool(site.database.rows(RENAME, (label, id, user_id)))


def _label(name: str) -> str:
    label = " ".join(name.split())
    if not label or len(label) > LONGEST_NAME:
        raise ApiError(
            "rest_token_name", _("A token needs a name of %(most)s characters at most.", most=LONGEST_NAME)
        )
    return label


def revoke_token(site: Site, id: int, user_id: int | None = None) -> bool:
    """Remove a token, of this account alone if one is named, and tell whether it was there."""
    with site.database.write():
        return bool(site.database.rows(REVOKE, {"id": id, "user": user_id}))


def find_token(site: Site, sent: str, login: str | None = None) -> Row | None:
    """Return the account behind a valid token, with `scope`, `digest` and `token_id`; of this login alone if named."""
    token = "".join(sent.split())
    if not token.startswith(PREFIX):
        return None
    return site.database.row(FIND, {"digest": _digest(token), "now": site.now(), "login": login})


class TokenUses:
    """Notes when and from where tokens were last used, each once a minute at most."""

    LIMIT = 10_000
    PAUSE = 60

    def __init__(self, state: RuntimeStore) -> None:
        self._state = state
        self._noted: dict[str, float] = {}

    def note(self, digest: str, address: str) -> None:
        """Note that a token is used now, unless it was noted within the last minute."""
        now = self._state.now()
        if 0 <= now - self._noted.get(digest, float("-inf")) < self.PAUSE:
            return
        if len(self._noted) >= self.LIMIT:
            self._noted.clear()
        self._noted[digest] = now
        self._state.write(lambda connection: _store(connection, digest, now, address), None)


def _store(connection: sqlite3.Connection, digest: str, now: float, address: str) -> None:
    connection.execute(USED, (digest, time.strftime(FORM, time.gmtime(now)), address))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
