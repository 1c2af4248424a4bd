"""What a merge needs to know of a working copy, put together in tables of the copy before the merge begins."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

#: Columns that no foreign key holds, and the tables that they lead to.
LEADING = (
    ("content", "parent_id", "content"),
    ("content", "featured_id", "content"),
    ("comments", "parent_id", "comments"),
    ("comments", "author_id", "users"),
    ("terms", "parent_id", "terms"),
)
TABLES = """
CREATE TABLE brought_slugs (slug, type, id, PRIMARY KEY (slug, type, id)) WITHOUT ROWID;
INSERT INTO brought_slugs SELECT c.slug, c.type, c.id FROM new_of_content n JOIN content c ON c.id = n.id
WHERE c.slug <> '' AND c.status <> 'trash' ORDER BY 1, 2, 3;

CREATE TABLE brought_scheduled (content_id PRIMARY KEY, due_gmt) WITHOUT ROWID;
INSERT INTO brought_scheduled SELECT c.id, c.date_gmt FROM new_of_content n JOIN content c ON c.id = n.id
WHERE c.status = 'publish' AND c.date_gmt > strftime('%Y-%m-%dT%H:%M:%S', 'now');

CREATE TABLE brought_counts (holder, holder_id, type, status, number);
INSERT INTO brought_counts SELECT 'type', 0, c.type, c.status, COUNT(*)
FROM new_of_content n JOIN content c ON c.id = n.id GROUP BY 3, 4;
INSERT INTO brought_counts SELECT 'author', c.author_id, c.type, c.status, COUNT(*)
FROM new_of_content n JOIN content c ON c.id = n.id GROUP BY 2, 3, 4;

CREATE TABLE brought_term_items (term_id, type, status, date_gmt, content_id,
PRIMARY KEY (term_id, type, status, date_gmt, content_id)) WITHOUT ROWID;
INSERT INTO brought_term_items SELECT l.term_id, c.type, c.status, c.date_gmt, c.id
FROM new_of_content n JOIN content c ON c.id = n.id JOIN content_terms l ON l.content_id = n.id ORDER BY 1, 2, 3, 4, 5;

CREATE TABLE brought_links (content_id, term_id, PRIMARY KEY (content_id, term_id)) WITHOUT ROWID;
INSERT INTO brought_links SELECT l.content_id, l.term_id FROM new_of_content_terms n
JOIN content_terms l ON l.content_id = n.content_id AND l.term_id = n.term_id
WHERE NOT EXISTS (SELECT 1 FROM new_of_content i WHERE i.id = n.content_id);

CREATE TABLE brought_targets (name, id, PRIMARY KEY (name, id)) WITHOUT ROWID;
"""
#: Rows that new ones lead to and that were there when the copy was made.
TARGETS = """
INSERT OR IGNORE INTO brought_targets SELECT '{target}', t.id
FROM new_of_{table} n JOIN {table} c ON c.id = n.id JOIN {target} t ON t.id = c.{column}
WHERE NOT EXISTS (SELECT 1 FROM new_of_{target} i WHERE i.id = t.id);
"""


def prepare_merge(path: Path) -> None:
    """Note in a copy that has all of its changes what of them the merge counts, files and looks up.

    The links of items that the site has already stand by themselves (`brought_links`): what they are filed by may be
    changed by others meanwhile.
    """
    leading = [TARGETS.format(table=table, column=column, target=target) for table, column, target in LEADING]
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        copy.execute("PRAGMA journal_mode = MEMORY")
        copy.execute("PRAGMA synchronous = OFF")
        copy.executescript("\n".join(("BEGIN;", TABLES, *leading, "COMMIT;")))
