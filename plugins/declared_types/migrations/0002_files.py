"""The files of types that the site was served with last."""

from peewee import Database


def up(migrator: object, db: Database) -> None:
    db.execute_sql("CREATE TABLE declared_files (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID")
