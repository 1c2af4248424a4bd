"""Indexes of places and kinds of files without posts, which have neither: each post was an entry in five of them."""

from peewee import Database

#: What rows of content are filed under, after their type and status, and how large SQLite is to take it for.
INDEXES = {
    "content_place": ("menu_order", "100000 60000 40000 500"),
    "content_at_place": ("menu_order, date_gmt", "100000 60000 40000 500 1"),
    "content_below": ("parent_id, date_gmt", "100000 60000 40000 10 1"),
    "content_below_by_place": ("parent_id, menu_order", "100000 60000 40000 10 5"),
    "content_media_type": ("mime_type, date_gmt", "100000 60000 40000 3000 1"),
}


def up(migrator: object, db: Database) -> None:
    for name, (columns, _numbers) in INDEXES.items():
        db.execute_sql(f"DROP INDEX {name}")
        db.execute_sql(f"CREATE INDEX {name} ON content (type, status, {columns}) WHERE type <> 'post'")
    if "sqlite_stat1" in db.get_tables():
        note_sizes(db)


def note_sizes(db: Database) -> None:
    for name, (_columns, numbers) in INDEXES.items():
        statement = "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('content', ?, ?)"
        db.execute_sql(statement, (name, f"{numbers} noskipscan"))
    db.execute_sql("ANALYZE sqlite_schema")
