"""What triggers do for each row that comes, done by a statement for all rows of a merge: counts, lists, indexes.

The triggers go and come back inside the transaction of the merge: nobody sees the site without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cms.db.connection import Database
from cms.db.sqlite.search_index import INDEXES

#: The triggers of rows that come. Those of rows that change or go stay.
TRIGGERS = (
    "content_counts_insert",
    "term_count_link",
    "term_items_link",
    "term_items_counts_insert",
    "scheduled_insert",
    *(f"{index.name}_insert" for index in INDEXES),
)
#: The entries of new items, and those of items that the site has, as these are now.
NEW_ENTRIES = "{copy}.brought_term_items"
OTHER_ENTRIES = """
(SELECT l.term_id, c.type, c.status, c.date_gmt, c.id AS content_id
FROM {copy}.brought_links l JOIN main.content c ON c.id = l.content_id)
"""
COUNT_ITEMS = """
INSERT INTO main.content_counts (holder, holder_id, type, status, number)
SELECT holder, holder_id, type, status, number FROM {copy}.brought_counts WHERE true
ON CONFLICT DO UPDATE SET number = number + excluded.number
"""
SCHEDULE = """
INSERT OR REPLACE INTO main.scheduled (content_id, due_gmt)
SELECT content_id, due_gmt FROM {copy}.brought_scheduled WHERE due_gmt > strftime('%Y-%m-%dT%H:%M:%S', 'now')
"""
OF_ENTRIES = (
    """
INSERT INTO main.term_items (term_id, type, status, date_gmt, content_id)
SELECT term_id, type, status, date_gmt, content_id FROM {entries} ORDER BY 1, 2, 3, 4, 5
""",
    """
INSERT INTO main.content_counts (holder, holder_id, type, status, number)
SELECT 'term', term_id, type, status, COUNT(*) FROM {entries} WHERE true GROUP BY 2, 3, 4
ON CONFLICT DO UPDATE SET number = number + excluded.number
""",
    """
UPDATE main.terms SET count = count + found.number FROM (
    SELECT term_id, COUNT(*) AS number FROM {entries} WHERE status = 'publish' GROUP BY 1
) found WHERE terms.id = found.term_id
""",
)
#: New rows whose entries aren't ahead any more, since an index was made anew.
NOT_AHEAD = """
SELECT c.* FROM {copy}.new_of_{table} n JOIN main.{table} c ON c.id = n.id
WHERE NOT EXISTS (SELECT 1 FROM indexed_ahead a WHERE a.table_name = '{table}' AND a.id = n.id)
"""


@contextmanager
def counted_by_set(database: Database, copy: str) -> Iterator[None]:
    """Count, file and index the new rows of an attached copy once all that happens inside has brought them."""
    triggers = []
    for name in TRIGGERS:
        triggers.append(database.scalar("SELECT sql FROM main.sqlite_schema WHERE name = ?", (name,)))
        database.execute(f"DROP TRIGGER main.{name}")
    yield
    for statement in (COUNT_ITEMS, SCHEDULE):
        database.execute(statement.format(copy=copy))
    for entries in (NEW_ENTRIES, OTHER_ENTRIES):
        for statement in OF_ENTRIES:
            database.execute(statement.format(entries=entries.format(copy=copy)))
    for index in INDEXES:
        database.execute(index.add_from(NOT_AHEAD.format(copy=copy, table=index.table)))
    for trigger in triggers:
        database.execute(str(trigger))
