"""The key that cursors of lists are sealed with: all who serve the site have it, and a copy of the site too."""

from peewee import Database

KEY = """
INSERT OR IGNORE INTO options (name, value) VALUES ('cursor_key', '"' || lower(hex(randomblob(32))) || '"')
"""


def up(migrator: object, db: Database) -> None:
    db.execute_sql(KEY)
