"""Comments on items of content."""

from peewee import Database

TABLE = """
CREATE TABLE comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    post_id INTEGER NOT NULL REFERENCES content (id),
    parent_id INTEGER NOT NULL DEFAULT 0,
    author_id INTEGER NOT NULL DEFAULT 0,
    author_name TEXT NOT NULL DEFAULT '',
    author_email TEXT NOT NULL DEFAULT '',
    author_url TEXT NOT NULL DEFAULT '',
    author_ip TEXT NOT NULL DEFAULT '',
    author_user_agent TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL,
    content_html TEXT NOT NULL DEFAULT '',
    rendered_by TEXT NOT NULL DEFAULT '',
    date_gmt TEXT NOT NULL,
    status TEXT NOT NULL,
    status_before TEXT NOT NULL DEFAULT '',
    type TEXT NOT NULL DEFAULT 'comment',
    meta TEXT NOT NULL DEFAULT '{}',
    version INTEGER NOT NULL DEFAULT 1,
    source_site TEXT, source_id TEXT
);
CREATE INDEX comments_date ON comments (status, date_gmt, id);
CREATE INDEX comments_post ON comments (post_id, status, date_gmt);
CREATE INDEX comments_parent ON comments (parent_id) WHERE parent_id <> 0;
CREATE INDEX comments_author ON comments (author_id, status);
CREATE UNIQUE INDEX comments_source ON comments (source_site, source_id) WHERE source_id IS NOT NULL;
"""


def up(migrator: object, db: Database) -> None:
    for statement in TABLE.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
