"""Earlier texts of items of content."""

from peewee import Database

TABLE = """
CREATE TABLE revisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    parent_id INTEGER NOT NULL REFERENCES content (id),
    author_id INTEGER NOT NULL DEFAULT 0,
    date_gmt TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    excerpt TEXT NOT NULL,
    title_html TEXT NOT NULL DEFAULT '',
    content_html TEXT NOT NULL DEFAULT '',
    excerpt_html TEXT NOT NULL DEFAULT '',
    rendered_by TEXT NOT NULL DEFAULT ''
);
CREATE INDEX revisions_parent ON revisions (parent_id, id);
"""


def up(migrator: object, db: Database) -> None:
    for statement in TABLE.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
