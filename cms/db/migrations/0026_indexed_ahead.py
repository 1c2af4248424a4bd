"""Rows that stand in an index for search before they are in their table, which triggers then leave as they are."""

from peewee import Database

CREATE = """
CREATE TABLE indexed_ahead (
    table_name TEXT NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (table_name, id)
) WITHOUT ROWID
"""
TRIGGERS = {"content_search_insert": "content", "comment_search_insert": "comments"}


def up(migrator: object, db: Database) -> None:
    db.execute_sql(CREATE)
    for trigger, table in TRIGGERS.items():
        found = db.execute_sql("SELECT sql FROM sqlite_schema WHERE name = ?", (trigger,)).fetchone()
        if found is not None:
            event = f"AFTER INSERT ON {table}"
            same = f"table_name = '{table}' AND id = new.id"
            condition = f"WHEN NOT EXISTS (SELECT 1 FROM indexed_ahead WHERE {same})"  # noqa: S608 (our own names)
            db.execute_sql(f"DROP TRIGGER {trigger}")
            db.execute_sql(found[0].replace(event, f"{event} {condition}"))
