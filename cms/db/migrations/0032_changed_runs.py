"""A change enters those runs of characters alone in an index of parts that differ, instead of all of the row's."""

from peewee import Database, SqliteDatabase

COLUMNS = {
    "content": ("content_search", ("title", "excerpt", "content")),
    "comments": ("comment_search", ("content", "author_name", "author_url", "author_email", "author_ip")),
}
#: An index of parts; those of words stay as they are.
HAS_PARTS = "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%trigram%'"


def up(migrator: object, db: Database) -> None:
    if not isinstance(db, SqliteDatabase):
        return
    for table, (index, columns) in COLUMNS.items():
        if db.execute_sql(HAS_PARTS, (index,)).fetchone() is not None:
            db.execute_sql(f"DROP TRIGGER IF EXISTS {index}_update")
            db.execute_sql(trigger(table, index, columns))


def trigger(table: str, index: str, columns: tuple[str, ...]) -> str:
    names = ", ".join(columns)
    changed = " OR ".join(f"old.{column} IS NOT new.{column}" for column in columns)
    lost = f"INSERT INTO {index} ({index}, rowid, {names}) VALUES ('delete', old.id, {calls('lost_runs', columns)})"  # noqa: S608 (our own names)
    won = f"INSERT INTO {index} (rowid, {names}) VALUES (new.id, {calls('won_runs', columns)})"  # noqa: S608
    event = f"AFTER UPDATE OF {names} ON {table} WHEN {changed}"
    return f"CREATE TRIGGER {index}_update {event} BEGIN {lost}; {won}; END"


def calls(function: str, columns: tuple[str, ...]) -> str:
    texts = ", ".join(f"{row}.{column}" for row in ("old", "new") for column in columns)
    return ", ".join(f"{function}({number}, {texts})" for number in range(len(columns)))
