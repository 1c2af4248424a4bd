"""Search and names by folded texts: case, accents, quotes and escapes don't count."""

from peewee import Database

from cms.rendering.folding import fold

COLUMNS = ("title", "excerpt", "content")
NEW, OLD = (", ".join(f"fold({row}.{name})" for name in COLUMNS) for row in ("new", "old"))
CHANGED = " OR ".join(f"old.{name} <> new.{name}" for name in COLUMNS)
DELETE = f"""INSERT INTO content_search (content_search, rowid, title, excerpt, content)
        VALUES ('delete', old.id, {OLD});"""  # noqa: S608 (our own texts)
INSERT = f"INSERT INTO content_search (rowid, title, excerpt, content) VALUES (new.id, {NEW});"  # noqa: S608

# The index holds folded texts, the table that it is of doesn't, so it is never rebuilt by itself.
STATEMENTS = (
    "DROP TRIGGER content_search_insert",
    "DROP TRIGGER content_search_delete",
    "DROP TRIGGER content_search_update",
    "INSERT INTO content_search (content_search) VALUES ('delete-all')",
    """INSERT INTO content_search (rowid, title, excerpt, content)
        SELECT id, fold(title), fold(excerpt), fold(content) FROM content""",
    f"CREATE TRIGGER content_search_insert AFTER INSERT ON content BEGIN {INSERT} END",
    f"CREATE TRIGGER content_search_delete AFTER DELETE ON content BEGIN {DELETE} END",
    f"""CREATE TRIGGER content_search_update AFTER UPDATE OF title, excerpt, content ON content
    WHEN {CHANGED} BEGIN {DELETE} {INSERT} END""",
    "UPDATE content SET sort_title = fold(title)",
    "UPDATE terms SET sort_name = fold(name)",
    "UPDATE users SET sort_name = fold(name)",
)


def up(migrator: object, db: Database) -> None:
    db.connection().create_function("fold", 1, fold, deterministic=True)
    for statement in STATEMENTS:
        db.execute_sql(statement)
