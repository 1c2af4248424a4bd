"""A deletion doesn't look through the items of all terms for the deleted one, whose own entries triggers take out.

The rows stay as they are, so that the table's text is changed alone, as SQLite describes for constraints that go:
https://www.sqlite.org/lang_altertable.html
"""

from peewee import Database

FORGET_REFERENCE = """
UPDATE sqlite_schema SET sql = replace(sql, ' REFERENCES content (id)', '')
WHERE type = 'table' AND name = 'term_items'
"""


def up(migrator: object, db: Database) -> None:
    version = db.execute_sql("PRAGMA schema_version").fetchone()[0]
    db.execute_sql("PRAGMA writable_schema = ON")
    db.execute_sql(FORGET_REFERENCE)
    db.execute_sql(f"PRAGMA schema_version = {version + 1}")
    db.execute_sql("PRAGMA writable_schema = RESET")
