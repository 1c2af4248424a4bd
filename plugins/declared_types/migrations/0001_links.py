"""Which fields are relations, and the links that items have by them: kept by triggers, whoever writes the items."""

from peewee import Database

TABLES = (
    "CREATE TABLE declared_relations (type TEXT NOT NULL, field TEXT NOT NULL, "
    "PRIMARY KEY (type, field)) WITHOUT ROWID",
    "CREATE TABLE declared_links (source_id INTEGER NOT NULL, field TEXT NOT NULL, position INTEGER NOT NULL, "
    "target_id INTEGER NOT NULL, PRIMARY KEY (source_id, field, position)) WITHOUT ROWID",
    "CREATE INDEX declared_links_back ON declared_links (field, target_id, source_id)",
)
#: Values are replaced, since a link may have come with its item from a copy of the database already.
FILL = """
    INSERT OR REPLACE INTO declared_links (source_id, field, position, target_id)
    SELECT NEW.id, r.field, COALESCE(j.key, 0), j.value
    FROM declared_relations r, json_each(NEW.meta, '$.' || r.field) j
    WHERE r.type = NEW.type AND j.type = 'integer';
"""
# ruff: noqa: S608 (our own words)
TRIGGERS = (
    f"CREATE TRIGGER declared_links_insert AFTER INSERT ON content WHEN NEW.meta <> '{{}}' BEGIN {FILL} END",
    f"""CREATE TRIGGER declared_links_update AFTER UPDATE OF meta ON content WHEN NEW.meta <> OLD.meta BEGIN
        DELETE FROM declared_links WHERE source_id = NEW.id; {FILL} END""",
    """CREATE TRIGGER declared_links_delete AFTER DELETE ON content BEGIN
        DELETE FROM declared_links WHERE source_id = OLD.id; END""",
)


def up(migrator: object, db: Database) -> None:
    for statement in (*TABLES, *TRIGGERS):
        db.execute_sql(statement)
