"""The index for search goes; `cms migrate` makes the smaller one of the configured mode, and that of comments."""

from peewee import Database

STATEMENTS = (
    "DROP TRIGGER IF EXISTS content_search_insert",
    "DROP TRIGGER IF EXISTS content_search_delete",
    "DROP TRIGGER IF EXISTS content_search_update",
    "DROP TABLE IF EXISTS content_search",
)


def up(migrator: object, db: Database) -> None:
    for statement in STATEMENTS:
        db.execute_sql(statement)
