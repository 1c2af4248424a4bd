"""Counting what is merged by a statement for all rows, in place of the triggers that count row by row.

The triggers go and come back inside the transaction of the merge: nobody sees the site without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cms.db.connection import Database

#: The triggers of rows that come. Those of rows that change or go stay.
TRIGGERS = ("content_counts_insert", "term_count_link", "term_items_link", "term_items_counts_insert")
NEW_ITEMS = "{copy}.new_of_content n JOIN main.content c ON c.id = n.id"
NEW_LINKS = "{copy}.new_of_content_terms n JOIN main.content c ON c.id = n.content_id"
ADD = """
INSERT INTO main.content_counts (holder, holder_id, type, status, number)
SELECT '{holder}', {id}, c.type, c.status, COUNT(*) FROM {rows} WHERE true GROUP BY 2, 3, 4
ON CONFLICT DO UPDATE SET number = number + excluded.number
"""
FILE = """
INSERT INTO main.term_items (term_id, type, status, date_gmt, content_id)
SELECT n.term_id, c.type, c.status, c.date_gmt, c.id FROM {rows} ORDER BY 1, 2, 3, 4, 5
"""
COUNT = """
UPDATE main.terms SET count = count + found.number FROM (
    SELECT n.term_id, COUNT(*) AS number FROM {rows} WHERE c.status = 'publish' GROUP BY 1
) found WHERE terms.id = found.term_id
"""


@contextmanager
def counted_by_set(database: Database, copy: str) -> Iterator[None]:
    """Count the new rows of an attached copy once all that happens inside has brought them."""
    triggers = []
    for name in TRIGGERS:
        triggers.append(database.scalar("SELECT sql FROM main.sqlite_schema WHERE name = ?", (name,)))
        database.execute(f"DROP TRIGGER main.{name}")
    yield
    items, links = NEW_ITEMS.format(copy=copy), NEW_LINKS.format(copy=copy)
    database.execute(FILE.format(rows=links))
    database.execute(COUNT.format(rows=links))
    for holder, id, rows in (
        ("type", "0", items),
        ("author", "c.author_id", items),
        ("term", "n.term_id", links),
    ):
        database.execute(ADD.format(holder=holder, id=id, rows=rows))
    for trigger in triggers:
        database.execute(str(trigger))
