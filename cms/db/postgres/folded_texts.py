"""Folded texts in tables of their own, which searches look at; triggers say which are new, and writes fold these."""

from __future__ import annotations

from cms.db.postgres.cursors import Connection
from cms.db.postgres.word_index import COLUMN, INDEXES, functions
from cms.rendering.folding import fold

#: The tables and their columns that are searched.
COLUMNS = {
    "content": ("title", "excerpt", "content"),
    "comments": ("content", "author_name", "author_url", "author_email", "author_ip"),
}
NAMES = {"content": "content_search", "comments": "comment_search"}
TABLE = """
CREATE TABLE {name} (
    id bigint PRIMARY KEY REFERENCES {table} (id) ON DELETE CASCADE, is_new boolean NOT NULL, {columns});
CREATE INDEX {name}_new ON {name} (id) WHERE is_new;
{indexes}
CREATE FUNCTION {name}_note() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
    INSERT INTO {name} (id, is_new) VALUES (new.id, true) ON CONFLICT (id) DO UPDATE SET is_new = true;
    RETURN NULL;
END $body$;
CREATE TRIGGER {name}_insert AFTER INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {name}_note();
CREATE TRIGGER {name}_update AFTER UPDATE OF {names} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}_note();
INSERT INTO {name} (id, is_new) SELECT id, true FROM {table}
"""
PARTS_INDEX = "CREATE INDEX {name}_parts ON {name} USING gin ({operators});"
#: Whether each table has new texts.
HAVE_NEW = "SELECT EXISTS(SELECT 1 FROM content_search WHERE is_new), EXISTS(SELECT 1 FROM comment_search WHERE is_new)"
#: How many texts are folded at once.
BATCH = 500
SELECT_NEW = (
    "SELECT t.id, {names} FROM {name} JOIN {table} t USING (id) WHERE is_new ORDER BY id LIMIT {most}"
)
STORE = "UPDATE {name} SET is_new = false, {changes} WHERE id = ?"


def definitions(table: str, by_words: bool = False) -> list[str]:
    """Return the statements that make what belongs to the search in a table: for parts of words, or for words."""
    names = COLUMNS[table]
    columns = [f"{column} text COLLATE \"C\" NOT NULL DEFAULT ''" for column in names]
    operators = ", ".join(f"{column} gin_trgm_ops" for column in names)
    indexes = INDEXES if by_words else PARTS_INDEX
    text = TABLE.format(
        name=NAMES[table],
        table=table,
        columns=", ".join([*columns, COLUMN] if by_words else columns),
        indexes=indexes.format(name=NAMES[table], operators=operators),
        names=", ".join(names),
    )
    return [functions(), text] if by_words else [text]


def fold_new_texts(connection: Connection) -> None:
    """Fold the texts that this transaction has written; to be called before it ends."""
    found = connection.execute(HAVE_NEW).fetchone() or ()
    for table, has_new in zip(NAMES, found, strict=True):
        while has_new:
            has_new = _fold_batch(connection, table) == BATCH


def _fold_batch(connection: Connection, table: str) -> int:
    """Fold some texts of a table, and return of how many rows."""
    columns, name = COLUMNS[table], NAMES[table]
    names = ", ".join(f"t.{column}" for column in columns)
    changes = ", ".join(f"{column} = ?" for column in columns)
    store = STORE.format(name=name, changes=changes)
    rows = connection.execute(SELECT_NEW.format(names=names, name=name, table=table, most=BATCH)).fetchall()
    for id, *texts in rows:
        connection.execute(store, (*(fold(text) for text in texts), id))
    return len(rows)
