"""The applications that tokens belong to, by the ids that they gave themselves."""

from peewee import Database

TABLE = """
CREATE TABLE token_applications (
    token_id INTEGER PRIMARY KEY REFERENCES tokens (id) ON DELETE CASCADE,
    app_id TEXT NOT NULL
)
"""


def up(migrator: object, db: Database) -> None:
    db.execute_sql(TABLE)
