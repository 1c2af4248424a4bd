"""Second factors of accounts, and the key that their secrets are sealed with.

`recovery` is a JSON list of digests; a factor without `confirmed_gmt` isn't asked for yet.
"""

from peewee import Database

STATEMENTS = (
    """
    CREATE TABLE second_factors (
        user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        secret TEXT NOT NULL,
        created_gmt TEXT NOT NULL,
        confirmed_gmt TEXT,
        recovery TEXT NOT NULL DEFAULT '[]'
    )
    """,
    """
    INSERT OR IGNORE INTO options (name, value) VALUES ('factor_key', '"' || lower(hex(randomblob(32))) || '"')
    """,
)


def up(migrator: object, db: Database) -> None:
    for statement in STATEMENTS:
        db.execute_sql(statement)
