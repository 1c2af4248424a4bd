"""The tables of what a site needs while it runs: attempts, job runs, uses of tokens, sessions, wishes for mails."""

from __future__ import annotations

from cms.db import mail_rows, session_rows
from cms.db.sqlite.words import BY_KEY

TABLES = (
    """CREATE TABLE IF NOT EXISTS attempts (
        key BLOB NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS attempts_key ON attempts (key, at)",
    "CREATE INDEX IF NOT EXISTS attempts_until ON attempts (until)",
    "CREATE INDEX IF NOT EXISTS attempts_at ON attempts (at)",
    f"CREATE TABLE IF NOT EXISTS job_runs (name TEXT PRIMARY KEY, at REAL NOT NULL) {BY_KEY}",
    f"""CREATE TABLE IF NOT EXISTS token_last_use (
        digest TEXT PRIMARY KEY, used_gmt TEXT NOT NULL, address TEXT NOT NULL) {BY_KEY}""",
    *session_rows.TABLES,
    *mail_rows.TABLES,
)
