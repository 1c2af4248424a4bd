"""Approved comments of visitors by their address; names of terms are looked up folded."""

from peewee import Database

STATEMENTS = (
    "CREATE INDEX comments_visitor ON comments (author_email COLLATE NOCASE, author_name) WHERE author_id = 0",
    "DROP INDEX terms_name",
)


def up(migrator: object, db: Database) -> None:
    for statement in STATEMENTS:
        db.execute_sql(statement)
