"""Accounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from cms.db.connection import Database
from cms.db.models import User, UserRow
from cms.db.peewee_types import Expression
from cms.db.plans import QueryPlan
from cms.db.sqlite.words import elements
from cms.db.statements import Each, Statements

SELECT_BY_NAME = """
SELECT *, EXISTS (
    SELECT 1 FROM second_factors WHERE user_id = users.id AND confirmed_gmt IS NOT NULL
) AS has_second_factor
FROM users WHERE login = ? OR (email = ? AND email <> '')
"""
SELECT_USER = "SELECT * FROM users WHERE id = ?"
HAS_OTHER_ADMINISTRATOR = f"""
SELECT 1 FROM users WHERE id <> ? AND EXISTS (SELECT 1 FROM {elements("roles")} WHERE value = 'administrator')
"""  # noqa: S608
SELECT_FIRST_ADMINISTRATOR = f"""
SELECT id FROM users WHERE EXISTS (SELECT 1 FROM {elements("roles")} WHERE value = 'administrator') ORDER BY id LIMIT 1
"""  # noqa: S608


class SigningInRow(UserRow):
    """An account as it is found to sign in."""

    has_second_factor: int


class UserStore:
    """Read and write rows of the table of accounts."""

    def __init__(self, database: Database, statements: Statements) -> None:
        self._database, self._statements = database, statements

    def find(self, id: int) -> UserRow | None:
        """Return an account by its id."""
        return cast(UserRow | None, self._database.row(SELECT_USER, (id,)))

    def find_by_name(self, name: str) -> SigningInRow | None:
        """Return an account by its login or e-mail address."""
        return cast(SigningInRow | None, self._database.row(SELECT_BY_NAME, (name, name)))

    def exists(self, id: int) -> bool:
        """Tell whether there is an account with an id."""
        return self._database.exists("SELECT 1 FROM users WHERE id = ?", (id,))

    def is_taken(self, column: Literal["login", "email", "slug"], value: str, id: int = 0) -> bool:
        """Tell whether another account has this login, e-mail address or slug."""
        sql = f"SELECT 1 FROM users WHERE {column} = ? AND id <> ?"  # noqa: S608 (a name of ours)
        return self._database.exists(sql, (value, id))

    def any_exist(self) -> bool:
        """Tell whether there is any account."""
        return self._database.exists("SELECT 1 FROM users LIMIT 1")

    def all(self) -> list[UserRow]:
        """Return all accounts by id."""
        return cast(list[UserRow], self._database.rows("SELECT * FROM users ORDER BY id"))

    def first_id(self) -> int:
        """Return the id of the oldest account, 0 where there is none."""
        return int(self._database.scalar("SELECT MIN(id) FROM users") or 0)

    def first_administrator(self) -> int:
        """Return the id of the oldest administrator, 0 where there is none."""
        return int(self._database.scalar(SELECT_FIRST_ADMINISTRATOR) or 0)

    def has_other_administrator(self, id: int) -> bool:
        """Tell whether another account is an administrator."""
        return self._database.exists(HAS_OTHER_ADMINISTRATOR, (id,))

    def matching(self, ids: Sequence[int], plan: QueryPlan) -> set[int]:
        """Return which of these accounts fulfil the conditions of a plan."""

        def build() -> Expression:
            return User.select(User.id).where(User.id.in_(Each("ids")) & plan.condition())

        rows = self._statements.rows(("matching users", *plan.shape), build, **plan.values, ids=list(ids))
        return {row["id"] for row in rows}
