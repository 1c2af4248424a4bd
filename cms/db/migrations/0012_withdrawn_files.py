"""Files of deleted items, which are kept for a while and served no more."""

from peewee import Database


def up(migrator: object, db: Database) -> None:
    db.execute_sql("ALTER TABLE unused_files ADD COLUMN is_withdrawn INTEGER NOT NULL DEFAULT 0")
