"""The rows of wishes for links to new passwords in the runtime file, until they are dealt with."""

from __future__ import annotations

from typing import NamedTuple

from cms.db.reader import Connection
from cms.db.sqlite.words import OWN_ID

TABLES = (
    f"""CREATE TABLE IF NOT EXISTS forgotten_passwords (
        id {OWN_ID}, name TEXT NOT NULL, asked INTEGER NOT NULL, due INTEGER NOT NULL,
        tries INTEGER NOT NULL)""",
)
INSERT = """
INSERT INTO forgotten_passwords (name, asked, due, tries)
SELECT ?, ?, ?, 0 WHERE (SELECT COUNT(*) FROM forgotten_passwords) < ?
"""
SELECT_NEXT = "SELECT id, name, asked, tries FROM forgotten_passwords WHERE due <= ? ORDER BY id LIMIT 1"
POSTPONE_ALL = "UPDATE forgotten_passwords SET due = ? WHERE due < ?"
POSTPONE_ONE = "UPDATE forgotten_passwords SET due = ?, tries = tries + 1 WHERE id = ?"
COUNT_TRY = "UPDATE forgotten_passwords SET tries = tries + 1 WHERE id = ?"
DELETE = "DELETE FROM forgotten_passwords WHERE id = ?"


class Forgotten(NamedTuple):
    """A wish for a link: the name that was typed, when that was in seconds since 1970, and how often it was tried."""

    id: int
    name: str
    asked: int
    tries: int


def add(connection: Connection, name: str, now: int, most: int) -> bool:
    """Store a wish where fewer than `most` wait; returns True either way."""
    connection.execute(INSERT, (name, now, now, most))
    return True


def find_next(connection: Connection, now: int) -> Forgotten | None:
    """Return the oldest wish that is due."""
    row = connection.execute(SELECT_NEXT, (now,)).fetchone()
    return None if row is None else Forgotten(*row)


def postpone(connection: Connection, id: int, until: int) -> None:
    """Note that a wish was tried in vain, and let all that wait do so until a moment."""
    connection.execute(COUNT_TRY, (id,))
    connection.execute(POSTPONE_ALL, (until, until))


def postpone_one(connection: Connection, id: int, until: int) -> None:
    """Note that a wish was tried in vain, and let it alone wait until a moment."""
    connection.execute(POSTPONE_ONE, (until, id))


def delete(connection: Connection, id: int) -> None:
    """Forget a wish."""
    connection.execute(DELETE, (id,))
