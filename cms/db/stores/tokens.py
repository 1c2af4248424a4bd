"""Tokens of accounts."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TypedDict, cast

from cms.db.connection import Database
from cms.db.models import TokenRow
from cms.db.reader import ColumnValues

SELECT_ACCOUNT = """
SELECT users.id, users.login, users.roles, tokens.scope, tokens.digest, tokens.source, tokens.id AS token_id FROM tokens
JOIN users ON users.id = tokens.user_id
WHERE tokens.digest = :digest AND (tokens.expires_gmt IS NULL OR tokens.expires_gmt > :now)
AND (:login IS NULL OR users.login = :login OR (users.email = :login AND users.email <> ''))
"""
SELECT_TOKENS = """
SELECT tokens.id, users.login, tokens.user_id, tokens.name, tokens.prefix, tokens.scope, tokens.created_gmt,
tokens.expires_gmt, tokens.source, tokens.digest FROM tokens JOIN users ON users.id = tokens.user_id
WHERE :user IS NULL OR tokens.user_id = :user ORDER BY tokens.id
"""
DELETE_BY_ID = "DELETE FROM tokens WHERE id = ? AND (? IS NULL OR user_id = ?) RETURNING name, user_id"
UPDATE_NAME = "UPDATE tokens SET name = ? WHERE id = ? AND user_id = ?"


class AccountOfToken(TypedDict):
    """The account behind a token, with what the token allows."""

    id: int
    login: str
    roles: str
    scope: str
    digest: str
    source: str
    token_id: int


class RemovedToken(TypedDict):
    """What is told of a token that was removed."""

    name: str
    user_id: int


class TokenWithLogin(TokenRow):
    """A token with the login of its account."""

    login: str


class TokenStore:
    """Read and write rows of the table of tokens; writes are transactions of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self) -> AbstractContextManager[None]:
        """Open a transaction that holds more than one of these writes."""
        return self._database.write()

    def add(self, values: ColumnValues) -> int:
        """Store a token and return its id."""
        with self._database.write():
            return self._database.insert("tokens", values)

    def of_user(self, user_id: int | None) -> list[TokenWithLogin]:
        """Return the tokens of an account, or all, the oldest first."""
        return cast(list[TokenWithLogin], self._database.rows(SELECT_TOKENS, {"user": user_id}))

    def rename(self, id: int, user_id: int, name: str) -> bool:
        """Give a token of an account another name, and tell whether it was there."""
        with self._database.write():
            return self._database.execute(UPDATE_NAME, (name, id, user_id)) > 0

    def remove(self, id: int, user_id: int | None) -> RemovedToken | None:
        """Delete a token, of this account alone if one is named, and return what it was, None for none."""
        with self._database.write():
            return cast(RemovedToken | None, self._database.row(DELETE_BY_ID, (id, user_id, user_id)))

    def find_account(self, digest: str, now: str, login: str | None) -> AccountOfToken | None:
        """Return the account behind a token that hasn't expired; of this login or address alone if one is named."""
        values = {"digest": digest, "now": now, "login": login}
        return cast(AccountOfToken | None, self._database.row(SELECT_ACCOUNT, values))
