"""An index for the comments of one author by date."""

from peewee import Database


def up(migrator: object, db: Database) -> None:
    db.execute_sql("CREATE INDEX comments_author_date ON comments (author_id, date_gmt)")
