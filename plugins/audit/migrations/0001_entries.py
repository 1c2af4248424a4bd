"""What was done, by whom; `spot` holds repeats of sign-ins together."""

from peewee import Database

ENTRIES = """
CREATE TABLE audit_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_gmt TEXT NOT NULL,
    last_gmt TEXT NOT NULL,
    times INTEGER NOT NULL DEFAULT 1,
    user_id INTEGER NOT NULL,
    login TEXT NOT NULL,
    address TEXT NOT NULL,
    sign_in TEXT NOT NULL,
    action TEXT NOT NULL,
    resource TEXT NOT NULL,
    item_id INTEGER NOT NULL,
    title TEXT NOT NULL,
    fields TEXT NOT NULL,
    changes TEXT NOT NULL,
    spot TEXT
)
"""
INDEXES = (
    "CREATE INDEX audit_entries_at ON audit_entries (at_gmt)",
    "CREATE INDEX audit_entries_user ON audit_entries (user_id, id)",
    "CREATE INDEX audit_entries_item ON audit_entries (resource, item_id, id)",
    "CREATE INDEX audit_entries_action ON audit_entries (action, id)",
    "CREATE UNIQUE INDEX audit_entries_spot ON audit_entries (spot) WHERE spot IS NOT NULL",
)


def up(migrator: object, db: Database) -> None:
    for statement in (ENTRIES, *INDEXES):
        db.execute_sql(statement)
