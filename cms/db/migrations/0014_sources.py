"""What imported rows are recognised by besides their number, references that wait, and ids that imports left free."""

from peewee import Database

from cms.db.sources import normal_source

TABLES = """
ALTER TABLE content ADD COLUMN source_mark TEXT;
ALTER TABLE terms ADD COLUMN source_mark TEXT;
ALTER TABLE comments ADD COLUMN source_mark TEXT;
ALTER TABLE users ADD COLUMN source_mark TEXT;
DROP INDEX comments_source;
CREATE UNIQUE INDEX comments_source ON comments (post_id, source_site, source_id) WHERE source_id IS NOT NULL;
CREATE TABLE awaited (
    id INTEGER PRIMARY KEY,
    holder TEXT NOT NULL,
    holder_id INTEGER NOT NULL,
    field TEXT NOT NULL,
    source_site TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL
);
CREATE UNIQUE INDEX awaited_holder ON awaited (holder, holder_id, field, kind, name);
CREATE INDEX awaited_name ON awaited (source_site, kind, name);
CREATE TABLE id_ranges (
    id INTEGER PRIMARY KEY,
    table_name TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
);
"""
HOLDERS = ("content", "terms", "comments")
FORGET = """
CREATE TRIGGER awaited_by_{table} AFTER DELETE ON {table} BEGIN
    DELETE FROM awaited WHERE holder = '{table}' AND holder_id = old.id;
END
"""


def up(migrator: object, db: Database) -> None:
    for statement in TABLES.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
    for table in HOLDERS:
        db.execute_sql(FORGET.format(table=table))
    for table in (*HOLDERS, "users"):
        _normalise(db, table)


def _normalise(db: Database, table: str) -> None:
    """Give rows of earlier imports the normal form of their source; one that another row has there keeps its own."""
    found = f"SELECT DISTINCT source_site FROM {table} WHERE source_site IS NOT NULL"  # noqa: S608 (names of our tables)
    change = f"UPDATE OR IGNORE {table} SET source_site = ? WHERE source_site = ?"  # noqa: S608 (names of our tables)
    for (source,) in db.execute_sql(found).fetchall():
        normal = normal_source(source)
        if normal and normal != source:
            db.execute_sql(change, (normal, source))
