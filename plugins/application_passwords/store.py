"""The table that tells which application a token belongs to."""

from __future__ import annotations

from cms.plugin import Database

SELECT_APPLICATIONS = """
SELECT token_id, app_id FROM token_applications JOIN tokens ON tokens.id = token_id WHERE tokens.user_id = ?
"""
INSERT_APPLICATION = "INSERT INTO token_applications (token_id, app_id) VALUES (?, ?)"


def applications_of(database: Database, user_id: int) -> dict[int, str]:
    """Return the applications of an account's tokens, by the token's id."""
    rows = database.rows(SELECT_APPLICATIONS, (user_id,))
    return {row["token_id"]: row["app_id"] for row in rows}


def add_application(database: Database, token_id: int, app_id: str) -> None:
    """Store which application a token belongs to; to be called inside a write."""
    database.execute(INSERT_APPLICATION, (token_id, app_id))
