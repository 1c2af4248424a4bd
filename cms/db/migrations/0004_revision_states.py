"""What else an item was at a revision, and ids for revisions that no item of content has."""

from peewee import Database

COLUMNS = (
    "slug TEXT NOT NULL DEFAULT ''",
    "terms TEXT NOT NULL DEFAULT '[]'",
    "meta TEXT NOT NULL DEFAULT '{}'",
)

# Twice, so that no id is in use while the others change.
RENUMBER = (
    "UPDATE revisions SET id = -id",
    "UPDATE revisions SET id = (SELECT seq FROM sqlite_sequence WHERE name = 'content') - id",
    """UPDATE sqlite_sequence SET seq = max(seq, (SELECT COALESCE(MAX(id), 0) FROM revisions))
    WHERE name = 'content'""",
)


def up(migrator: object, db: Database) -> None:
    for column in COLUMNS:
        db.execute_sql(f"ALTER TABLE revisions ADD COLUMN {column}")
    for statement in RENUMBER:
        db.execute_sql(statement)
