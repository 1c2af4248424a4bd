"""Numbers that triggers keep, against what they were made from."""

from __future__ import annotations

from cms.db.connection import Database

TERM_ITEMS = """
SELECT l.term_id, c.type, c.status, c.date_gmt, c.id FROM content_terms l JOIN content c ON c.id = l.content_id
"""
ITEM_COUNTS = """
SELECT 'type', 0, type, status, COUNT(*) FROM content GROUP BY type, status
UNION ALL SELECT 'author', author_id, type, status, COUNT(*) FROM content GROUP BY author_id, type, status
UNION ALL SELECT 'term', l.term_id, c.type, c.status, COUNT(*)
FROM content_terms l JOIN content c ON c.id = l.content_id GROUP BY l.term_id, c.type, c.status
"""
TERM_COUNT = """
(SELECT COUNT(*) FROM content_terms l JOIN content c ON c.id = l.content_id
WHERE l.term_id = terms.id AND c.status = 'publish')
"""
PRESENT_ITEMS = "SELECT term_id, type, status, date_gmt, content_id FROM term_items"
#: What has no items any more may still have a row.
PRESENT_COUNTS = "SELECT holder, holder_id, type, status, number FROM content_counts WHERE number <> 0"
DIFFERENCE = "SELECT COUNT(*) FROM (SELECT * FROM ({one}) a EXCEPT SELECT * FROM ({other}) b) c"
WRONG_TERMS = f"SELECT COUNT(*) FROM terms WHERE count <> {TERM_COUNT}"  # noqa: S608 (our own texts)
RIGHT_TERMS = f"UPDATE terms SET count = {TERM_COUNT} WHERE count <> {TERM_COUNT}"  # noqa: S608 (our own texts)


def wrong_counts(database: Database) -> dict[str, int]:
    """Return how many rows differ from what they should be, by table; tables without any are left out."""
    found = {
        "term_items": _differences(database, TERM_ITEMS, PRESENT_ITEMS),
        "content_counts": _differences(database, ITEM_COUNTS, PRESENT_COUNTS),
        "terms": int(database.scalar(WRONG_TERMS)),
    }
    return {table: number for table, number in found.items() if number}


def recount(database: Database) -> None:
    """Fill the tables of numbers anew in one transaction, which holds the write lock."""
    with database.write():
        database.execute("DELETE FROM term_items")
        database.execute(f"INSERT INTO term_items (term_id, type, status, date_gmt, content_id) {TERM_ITEMS}")
        # Triggers of the rows above have counted on what was wrong.
        database.execute("DELETE FROM content_counts")
        database.execute(
            f"INSERT INTO content_counts (holder, holder_id, type, status, number) {ITEM_COUNTS}"
        )
        database.execute(RIGHT_TERMS)


def _differences(database: Database, one: str, other: str) -> int:
    missing = database.scalar(DIFFERENCE.format(one=one, other=other))
    surplus = database.scalar(DIFFERENCE.format(one=other, other=one))
    return int(max(missing, surplus))
