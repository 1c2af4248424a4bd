"""Files of media items, and files that wait for their removal."""

from peewee import Database

TABLES = """
CREATE TABLE media (
    content_id INTEGER PRIMARY KEY REFERENCES content (id) ON DELETE CASCADE,
    file TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0,
    alt_text TEXT NOT NULL DEFAULT '',
    details TEXT NOT NULL DEFAULT '{}',
    origin TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX media_file ON media (file) WHERE file <> '';
CREATE TABLE unused_files (
    key TEXT PRIMARY KEY,
    due_gmt TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX unused_files_due ON unused_files (due_gmt);
CREATE INDEX content_attached ON content (parent_id) WHERE type = 'attachment' AND parent_id <> 0;
CREATE INDEX content_mime ON content (type, mime_type) WHERE mime_type <> '';
"""


def up(migrator: object, db: Database) -> None:
    for statement in TABLES.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
