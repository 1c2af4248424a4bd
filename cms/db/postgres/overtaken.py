"""What others have written that an unseen write depends on and no constraint holds; looked for under the lock."""

from __future__ import annotations

from cms.db.postgres.cursors import Connection
from cms.db.postgres.planning import ALL_WAYS, BY_INDEX

#: The whole number of the transaction that wrote a row which isn't older than any that ran when the snapshot was taken.
WHOLE = """
CAST(CAST({oldest} + ({row}.xmin::text::bigint - {oldest} % 4294967296 + 4294967296) % 4294967296 AS text) AS xid8)
"""
#: What was written since a snapshot.
IS_NEW = """
CASE WHEN age({row}.xmin) <= age(CAST('{oldest}' AS xid8)::xid)
THEN NOT pg_visible_in_snapshot({whole}, CAST('{snapshot}' AS pg_snapshot)) ELSE false END
"""
#: New rows, each read by its id.
NEW_ROWS = "{table}_aside a CROSS JOIN LATERAL (SELECT * FROM {table} r WHERE r.id = a.id OFFSET 0) n"
#: For each new item those that have its slug, by the index of slugs.
SLUG_TAKEN = """
WITH mine AS MATERIALIZED (
    SELECT n.id, n.type, n.slug FROM {new_rows} WHERE n.slug <> '' AND n.status <> 'trash')
SELECT 1 FROM mine CROSS JOIN LATERAL (
    SELECT o.id FROM content o
    WHERE o.slug = mine.slug AND o.slug <> '' AND o.type || '' = mine.type AND o.id <> mine.id
    AND o.status <> 'trash' AND {is_new} OFFSET 0) other
WHERE NOT EXISTS (SELECT 1 FROM content_aside m WHERE m.id = other.id OFFSET 0) LIMIT 1
"""
#: Rows of this transaction aren't committed yet.
SETTINGS_CHANGED = """
SELECT 1 FROM options o WHERE CASE WHEN {is_new} THEN pg_xact_status({whole}) = 'committed' ELSE false END LIMIT 1
"""
TARGET_GONE = """
SELECT 1 FROM {new_rows}
WHERE n.{column} > 0 AND NOT EXISTS (SELECT 1 FROM {target} t WHERE t.id = n.{column} OFFSET 0) LIMIT 1
"""
TERM_GONE = """
SELECT 1 FROM terms o WHERE {is_new} AND o.parent_id > 0
AND NOT EXISTS (SELECT 1 FROM terms t WHERE t.id = o.parent_id) LIMIT 1
"""
#: Columns that no foreign key holds, and the tables that they lead to.
LEADING = (
    ("content", "parent_id", "content"),
    ("content", "featured_id", "content"),
    ("comments", "parent_id", "comments"),
    ("comments", "author_id", "users"),
)


def find_overtaken(connection: Connection, snapshot: str) -> str:
    """Return what others have written since a snapshot that doesn't fit, empty where all does."""
    # What the server knows of the sizes of tables is of a time before the write.
    connection.run_own(BY_INDEX)
    for statement, reason in _looks(snapshot):
        if connection.rows_of_own(statement):
            return reason
    connection.run_own(ALL_WAYS)
    return ""


def _looks(snapshot: str) -> list[tuple[str, str]]:
    oldest = snapshot.partition(":")[0]
    whole = WHOLE.format(row="o", oldest=oldest)
    is_new = IS_NEW.format(row="o", oldest=oldest, whole=whole, snapshot=snapshot)
    new_rows = {table: NEW_ROWS.format(table=table) for table in ("content", "comments")}
    looks = [
        (SETTINGS_CHANGED.format(is_new=is_new, whole=whole), "settings have changed"),
        (SLUG_TAKEN.format(new_rows=new_rows["content"], is_new=is_new), "slugs were taken"),
        (TERM_GONE.format(is_new=is_new), "rows of terms are gone"),
    ]
    for table, column, target in LEADING:
        gone = TARGET_GONE.format(new_rows=new_rows[table], column=column, target=target)
        looks.append((gone, f"rows of {target} are gone"))
    return looks
