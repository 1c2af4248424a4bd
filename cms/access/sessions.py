"""Sessions of people on the editing page: a secret in a cookie, of which a digest is stored beside the database.

A session ends with the password that it began with: its row has a mark of that password's hash.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from functools import partial

from cms.config import Config
from cms.db import session_rows
from cms.db.models import UserRow
from cms.db.reader import Connection
from cms.db.session_rows import SessionRow
from cms.db.sqlite.runtime import RuntimeStore
from cms.errors import ApiError
from cms.i18n import _

DAY = 86_400
#: Seconds between two notes of when a session was last used.
NOTED = 300
#: How many sessions of an account stay: the newest ones.
MOST = 50
#: How much of what a browser says of itself is stored.
LONGEST_AGENT = 300


@dataclass(frozen=True)
class SentSession:
    """What a request sends of a session: the secret in its cookie, the nonce in its header; empty for none."""

    secret: str
    nonce: str


class Sessions:
    """The sessions of one site's accounts."""

    def __init__(self, runtime: RuntimeStore, config: Config) -> None:
        self._runtime = runtime
        self._longest: int = config["session_days"] * DAY
        self._idle: int = config["session_idle_days"] * DAY

    def begin(self, account: UserRow, address: str, agent: str) -> str:
        """Begin a session and return its secret, which is nowhere else; raises ApiError where it can't be stored."""
        now = self._now()
        secret, mark = secrets.token_urlsafe(32), password_mark(account["password_hash"])
        agent = agent[:LONGEST_AGENT]
        row = SessionRow(0, digest_of(secret), account["id"], mark, now, now, address, agent)

        def store(connection: Connection) -> int:
            session_rows.delete_outdated(connection, now - self._longest, now - self._idle)
            return session_rows.add_session(connection, row, MOST)

        if not self._runtime.write(store, 0):
            raise unavailable()
        return secret

    def find(self, secret: str) -> SessionRow | None:
        """Return the session of a secret, None for one that has ended."""
        row = self._runtime.read(partial(session_rows.find_session, digest=digest_of(secret)), None)
        return row if row is not None and self._lasts(row) else None

    def require(self, sent: SentSession) -> SessionRow:
        """Return the session that a request acts in; raises ApiError: 401 without one, 403 for another nonce."""
        if not sent.secret:
            raise ended()
        if not hmac.compare_digest(nonce_of(sent.secret).encode(), sent.nonce.encode()):
            raise wrong_nonce()
        row = self.find(sent.secret)
        if row is None:
            raise ended()
        return row

    def note(self, row: SessionRow, address: str) -> None:
        """Note that a session is used now, unless that was noted within the last minutes."""
        now = self._now()
        if not 0 <= now - row.used < NOTED:
            self._runtime.write(partial(session_rows.note_use, id=row.id, now=now, address=address), None)

    def of_account(self, account: UserRow) -> list[SessionRow]:
        """Return the sessions of an account that last, the one that was used last first."""
        mark, found = password_mark(account["password_hash"]), []
        nothing: list[SessionRow] = []
        rows = self._runtime.read(partial(session_rows.sessions_of, user_id=account["id"]), nothing)
        for row in rows:
            if self._lasts(row) and row.password_mark == mark:
                found.append(row)
        return found

    def end(self, id: int, user_id: int) -> bool:
        """End a session of an account, and tell whether it was there; raises ApiError where nothing can be stored."""
        return self._stored(
            self._runtime.write(partial(session_rows.delete_session, id=id, user_id=user_id), -1)
        )

    def end_all(self, user_id: int, but: int = 0) -> bool:
        """End all sessions of an account but for one, and tell whether there were any; raises as `end` does."""
        return self._stored(
            self._runtime.write(partial(session_rows.delete_sessions, user_id=user_id, but=but), -1)
        )

    def _stored(self, number: int) -> bool:
        if number < 0:
            raise unavailable()
        return number > 0

    def _lasts(self, row: SessionRow) -> bool:
        now = self._now()
        return row.created > now - self._longest and row.used > now - self._idle

    def _now(self) -> int:
        return int(self._runtime.now())


def digest_of(secret: str) -> str:
    """Return what is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def nonce_of(secret: str) -> str:
    """Return what requests of a session send in a header, which pages of other sites can't know."""
    return hmac.digest(secret.encode(), b"nonce", "sha256").hex()


def password_mark(password_hash: str) -> str:
    """Return what stands for a password's hash in rows that end with it."""
    return hashlib.sha256(password_hash.encode()).hexdigest()[:32]


def ended() -> ApiError:
    """Build the answer to a request in a session that there isn't, or not any more."""
    return ApiError("cms_session_ended", _("This session has ended. Sign in again."), 401)


def wrong_nonce() -> ApiError:
    """Build the answer to a request with a session's cookie that doesn't have its nonce."""
    message = _("The header X-CMS-Nonce isn't that of the session. Ask for the session again.")
    return ApiError("cms_wrong_nonce", message, 403)


def unavailable() -> ApiError:
    """Build the answer where the file of sessions can't be written."""
    message = _("Sessions can't be stored now. Have the site's log looked at.")
    return ApiError("cms_sessions_unavailable", message, 503)
