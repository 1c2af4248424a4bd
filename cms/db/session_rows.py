"""The rows of sessions, used codes and links to new passwords in the runtime file."""

from __future__ import annotations

from typing import NamedTuple

from cms.db.reader import Connection
from cms.db.sqlite.words import BY_KEY, OWN_ID

TABLES = (
    f"""CREATE TABLE IF NOT EXISTS sessions (
        id {OWN_ID}, digest TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL,
        password_mark TEXT NOT NULL, created INTEGER NOT NULL, used INTEGER NOT NULL, address TEXT NOT NULL,
        agent TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS sessions_user ON sessions (user_id, id)",
    f"""CREATE TABLE IF NOT EXISTS used_codes (
        digest TEXT PRIMARY KEY, until INTEGER NOT NULL) {BY_KEY}""",
    f"""CREATE TABLE IF NOT EXISTS password_links (
        digest TEXT PRIMARY KEY, user_id INTEGER NOT NULL, password_mark TEXT NOT NULL, until INTEGER NOT NULL
        ) {BY_KEY}""",
)
COLUMNS = "id, digest, user_id, password_mark, created, used, address, agent"
INSERT_SESSION = """
INSERT INTO sessions (digest, user_id, password_mark, created, used, address, agent) VALUES (?, ?, ?, ?, ?, ?, ?)
RETURNING id
"""
SELECT_SESSION = f"SELECT {COLUMNS} FROM sessions WHERE digest = ?"  # noqa: S608 (a constant of ours)
SELECT_OF_USER = f"SELECT {COLUMNS} FROM sessions WHERE user_id = ? ORDER BY used DESC, id DESC"  # noqa: S608
UPDATE_USED = "UPDATE sessions SET used = ?, address = ? WHERE id = ?"
DELETE_ONE = "DELETE FROM sessions WHERE id = ? AND user_id = ?"
DELETE_OF_USER = "DELETE FROM sessions WHERE user_id = ? AND id <> ?"
DELETE_OUTDATED = "DELETE FROM sessions WHERE created <= ? OR used <= ?"
DELETE_BEYOND = """
DELETE FROM sessions
WHERE user_id = ? AND id NOT IN (SELECT id FROM sessions WHERE user_id = ? ORDER BY id DESC LIMIT ?)
"""
DELETE_OLD_CODES = "DELETE FROM used_codes WHERE until <= ?"
INSERT_CODE = "INSERT INTO used_codes (digest, until) VALUES (?, ?) ON CONFLICT DO NOTHING"
DELETE_OLD_LINKS = "DELETE FROM password_links WHERE until <= ? OR user_id = ?"
INSERT_LINK = "INSERT INTO password_links (digest, user_id, password_mark, until) VALUES (?, ?, ?, ?)"
SELECT_LINK = "SELECT user_id, password_mark FROM password_links WHERE digest = ? AND until > ?"
DELETE_LINK = "DELETE FROM password_links WHERE digest = ?"


class SessionRow(NamedTuple):
    """A session; moments are seconds since 1970, `password_mark` stands for the password that it began with."""

    id: int
    digest: str
    user_id: int
    password_mark: str
    created: int
    used: int
    address: str
    agent: str


def add_session(connection: Connection, row: SessionRow, most: int) -> int:
    """Store a session and return its id; of its account no more than `most` stay."""
    (id,) = connection.execute(INSERT_SESSION, row[1:]).fetchone()
    connection.execute(DELETE_BEYOND, (row.user_id, row.user_id, most))
    return int(id)


def find_session(connection: Connection, digest: str) -> SessionRow | None:
    """Return a session by the digest of its secret."""
    row = connection.execute(SELECT_SESSION, (digest,)).fetchone()
    return None if row is None else SessionRow(*row)


def sessions_of(connection: Connection, user_id: int) -> list[SessionRow]:
    """Return the sessions of an account, the one that was used last first."""
    return [SessionRow(*row) for row in connection.execute(SELECT_OF_USER, (user_id,))]


def note_use(connection: Connection, id: int, now: int, address: str) -> None:
    """Note that a session is used."""
    connection.execute(UPDATE_USED, (now, address, id))


def delete_session(connection: Connection, id: int, user_id: int) -> int:
    """Delete a session of an account and return how many these were."""
    return connection.execute(DELETE_ONE, (id, user_id)).rowcount


def delete_sessions(connection: Connection, user_id: int, but: int) -> int:
    """Delete the sessions of an account but for one, and return how many these were."""
    return connection.execute(DELETE_OF_USER, (user_id, but)).rowcount


def delete_outdated(connection: Connection, created: int, used: int) -> None:
    """Delete sessions that were begun, or last used, at a moment or before."""
    connection.execute(DELETE_OUTDATED, (created, used))


def take_code(connection: Connection, digest: str, until: int, now: int) -> bool:
    """Note that a code was used, and tell whether it hadn't been."""
    connection.execute(DELETE_OLD_CODES, (now,))
    return connection.execute(INSERT_CODE, (digest, until)).rowcount > 0


def add_link(
    connection: Connection, digest: str, user_id: int, password_mark: str, until: int, now: int
) -> bool:
    """Store a link to a new password in place of the account's others; returns True."""
    connection.execute(DELETE_OLD_LINKS, (now, user_id))
    connection.execute(INSERT_LINK, (digest, user_id, password_mark, until))
    return True


def find_link(connection: Connection, digest: str, now: int) -> tuple[int, str] | None:
    """Return the account of a link to a new password, and the mark of the password that it had."""
    row = connection.execute(SELECT_LINK, (digest, now)).fetchone()
    return None if row is None else (row[0], row[1])


def delete_link(connection: Connection, digest: str) -> int:
    """Delete a link to a new password and return how many these were."""
    return connection.execute(DELETE_LINK, (digest,)).rowcount
