"""Slugs that items of content had before, so that their old addresses go on leading to them."""

from peewee import Database

TABLE = """
CREATE TABLE old_slugs (
    content_id INTEGER NOT NULL REFERENCES content (id) ON DELETE CASCADE,
    slug TEXT NOT NULL,
    PRIMARY KEY (content_id, slug)
) WITHOUT ROWID;
CREATE INDEX old_slugs_slug ON old_slugs (slug);
"""
#: What nobody could see under a slug has no old address; one that an item gets back isn't an old one any more.
KEEP = """
CREATE TRIGGER old_slugs_keep AFTER UPDATE OF slug ON content
WHEN old.slug <> new.slug AND new.slug <> '' AND new.status <> 'trash' AND old.status <> 'trash' BEGIN
    INSERT OR IGNORE INTO old_slugs (content_id, slug)
    SELECT new.id, old.slug WHERE old.slug <> '' AND old.status IN ('publish', 'private', 'inherit');
    DELETE FROM old_slugs WHERE content_id = new.id AND slug = new.slug;
END
"""


def up(migrator: object, db: Database) -> None:
    for statement in TABLE.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
    db.execute_sql(KEEP)
