"""How many items there are by type, author and term; and the items of each term by date."""

from peewee import Database

TABLES = """
CREATE TABLE content_counts (
    holder TEXT NOT NULL,
    holder_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (holder, holder_id, type, status)
) WITHOUT ROWID;
CREATE TABLE term_items (
    term_id INTEGER NOT NULL REFERENCES terms (id),
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    date_gmt TEXT NOT NULL,
    content_id INTEGER NOT NULL REFERENCES content (id),
    PRIMARY KEY (term_id, type, status, date_gmt, content_id)
) WITHOUT ROWID;
"""

FILL = (
    """INSERT INTO term_items (term_id, type, status, date_gmt, content_id)
    SELECT l.term_id, c.type, c.status, c.date_gmt, c.id FROM content_terms l JOIN content c ON c.id = l.content_id""",
    """INSERT INTO content_counts (holder, holder_id, type, status, number)
    SELECT 'type', 0, type, status, COUNT(*) FROM content GROUP BY type, status""",
    """INSERT INTO content_counts (holder, holder_id, type, status, number)
    SELECT 'author', author_id, type, status, COUNT(*) FROM content GROUP BY author_id, type, status""",
    """INSERT INTO content_counts (holder, holder_id, type, status, number)
    SELECT 'term', term_id, type, status, COUNT(*) FROM term_items GROUP BY term_id, type, status""",
)


def change(holder: str, id: str, row: str, by: int) -> str:
    """Return the statement of a trigger that counts a row once more, or no more."""
    return f"""INSERT INTO content_counts (holder, holder_id, type, status, number)
        VALUES ('{holder}', {id}, {row}.type, {row}.status, {by})
        ON CONFLICT DO UPDATE SET number = number + {by};"""  # noqa: S608 (our own texts)


ADD, TAKE = (
    change("type", "0", row, by) + change("author", f"{row}.author_id", row, by)
    for row, by in (("new", 1), ("old", -1))
)
ADD_TO_TERM, TAKE_FROM_TERM = (
    change("term", f"{row}.term_id", row, by) for row, by in (("new", 1), ("old", -1))
)

TRIGGERS = (
    f"CREATE TRIGGER content_counts_insert AFTER INSERT ON content BEGIN {ADD} END",
    f"CREATE TRIGGER content_counts_delete AFTER DELETE ON content BEGIN {TAKE} END",
    f"""CREATE TRIGGER content_counts_update AFTER UPDATE OF type, status, author_id ON content
    WHEN old.type <> new.type OR old.status <> new.status OR old.author_id <> new.author_id BEGIN {TAKE} {ADD} END""",
    f"CREATE TRIGGER term_items_counts_insert AFTER INSERT ON term_items BEGIN {ADD_TO_TERM} END",
    f"CREATE TRIGGER term_items_counts_delete AFTER DELETE ON term_items BEGIN {TAKE_FROM_TERM} END",
    f"""CREATE TRIGGER term_items_counts_update AFTER UPDATE OF type, status ON term_items
    WHEN old.type <> new.type OR old.status <> new.status BEGIN {TAKE_FROM_TERM} {ADD_TO_TERM} END""",
    """CREATE TRIGGER term_items_link AFTER INSERT ON content_terms BEGIN
        INSERT INTO term_items (term_id, type, status, date_gmt, content_id)
        SELECT new.term_id, type, status, date_gmt, id FROM content WHERE id = new.content_id;
    END""",
    """CREATE TRIGGER term_items_unlink AFTER DELETE ON content_terms BEGIN
        DELETE FROM term_items WHERE term_id = old.term_id AND content_id = old.content_id
        AND (type, status, date_gmt) = (SELECT type, status, date_gmt FROM content WHERE id = old.content_id);
    END""",
    """CREATE TRIGGER term_items_move AFTER UPDATE OF type, status, date_gmt ON content
    WHEN old.type <> new.type OR old.status <> new.status OR old.date_gmt <> new.date_gmt BEGIN
        UPDATE term_items SET type = new.type, status = new.status, date_gmt = new.date_gmt
        WHERE term_id IN (SELECT term_id FROM content_terms WHERE content_id = new.id)
        AND type = old.type AND status = old.status AND date_gmt = old.date_gmt AND content_id = new.id;
    END""",
    # An account or a term that is gone leaves no numbers behind.
    """CREATE TRIGGER content_counts_author AFTER DELETE ON users BEGIN
        DELETE FROM content_counts WHERE holder = 'author' AND holder_id = old.id;
    END""",
    """CREATE TRIGGER content_counts_term AFTER DELETE ON terms BEGIN
        DELETE FROM content_counts WHERE holder = 'term' AND holder_id = old.id;
    END""",
)


def up(migrator: object, db: Database) -> None:
    for statement in (*TABLES.strip().split(";\n"), *FILL, *TRIGGERS):
        if statement.strip(" ;\n"):
            db.execute_sql(statement)
