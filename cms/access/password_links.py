"""Links by which people give their account a new password: good for an hour, once, while password and address stay."""

from __future__ import annotations

import secrets
from functools import partial

from cms.access.sessions import digest_of, password_mark, unavailable
from cms.db import session_rows
from cms.db.models import UserRow
from cms.db.sqlite.runtime import RuntimeStore
from cms.db.stores import UserStore
from cms.errors import ApiError
from cms.i18n import _

#: Seconds for which a link is good.
SECONDS = 3600


class PasswordLinks:
    """The links of one site's accounts; what is stored is a digest, beside the database."""

    def __init__(self, runtime: RuntimeStore, users: UserStore) -> None:
        self._runtime, self._users = runtime, users

    def make(self, account: UserRow) -> str:
        """Return a new token for an account, whose others end; raises ApiError where it can't be stored."""
        token, now = secrets.token_urlsafe(32), int(self._runtime.now())
        add = partial(
            session_rows.add_link,
            digest=digest_of(token),
            user_id=account["id"],
            password_mark=_mark(account),
            until=now + SECONDS,
            now=now,
        )
        if not self._runtime.write(add, False):
            raise unavailable()
        return token

    def account_of(self, token: str) -> UserRow:
        """Return the account that a token was made for; raises ApiError for one that doesn't count, or not any more."""
        now = int(self._runtime.now())
        found = self._runtime.read(partial(session_rows.find_link, digest=digest_of(token), now=now), None)
        row = self._users.find(found[0]) if found else None
        if row is None or found is None or _mark(row) != found[1]:
            message = _("This link has been used, or is too old. Ask for a new one.")
            raise ApiError("cms_password_link_ended", message, 410)
        return row

    def end(self, token: str) -> None:
        """Have a token count no more."""
        self._runtime.write(partial(session_rows.delete_link, digest=digest_of(token)), 0)


def _mark(account: UserRow) -> str:
    """Return what stands for what a link ends with: who reads the mail of an address that was left gets no further."""
    return password_mark(f"{account['password_hash']}\0{account['email']}")
