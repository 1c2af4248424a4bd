"""Tokens that stand for an account."""

from peewee import Database

TABLE = """
CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'all')),
    created_gmt TEXT NOT NULL,
    expires_gmt TEXT,
    source TEXT NOT NULL DEFAULT ''
);
CREATE INDEX tokens_user ON tokens (user_id, id);
"""


def up(migrator: object, db: Database) -> None:
    for statement in TABLE.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
