"""No index of attached files of its own: that of what is below an item finds them, too.

Its condition named a type, for which SQLite planned each statement that binds one anew whenever it ran.
"""

from peewee import Database


def up(migrator: object, db: Database) -> None:
    db.execute_sql("DROP INDEX IF EXISTS content_attached")
