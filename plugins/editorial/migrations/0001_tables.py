"""Autosaves, one for each account and item, and the secrets that links to previews are signed with."""

from peewee import Database

AUTOSAVES = """
CREATE TABLE autosaves (
    id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    author_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    date_gmt TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    excerpt TEXT NOT NULL,
    title_html TEXT NOT NULL,
    content_html TEXT NOT NULL,
    excerpt_html TEXT NOT NULL,
    rendered_by TEXT NOT NULL,
    UNIQUE (parent_id, author_id)
)
"""
SECRETS = """
CREATE TABLE preview_secrets (
    content_id INTEGER PRIMARY KEY REFERENCES content (id) ON DELETE CASCADE,
    secret TEXT NOT NULL
)
"""


def up(migrator: object, db: Database) -> None:
    db.execute_sql(AUTOSAVES)
    db.execute_sql("CREATE INDEX autosaves_author ON autosaves (author_id)")
    db.execute_sql(SECRETS)
