"""Deliveries of the outbox in place of a table of the plugin's own; they keep their ids, which receivers know."""

from peewee import Database

COLUMNS = "resource, item_id, user_id, at_gmt, data"
# An event that was told to all was removed; its deliveries still name it.
EVENTS = f"""
INSERT OR IGNORE INTO events (id, name, {COLUMNS})
SELECT event_id, event, {COLUMNS} FROM webhook_deliveries WHERE event_id IS NOT NULL ORDER BY id
"""  # noqa: S608 (our own text, as below)
# A test had no event.
TESTS = "SELECT id FROM webhook_deliveries WHERE event_id IS NULL ORDER BY id"
TEST_EVENT = (
    f"INSERT INTO events (name, {COLUMNS}) SELECT event, {COLUMNS} FROM webhook_deliveries WHERE id = ?"  # noqa: S608
)
SET_EVENT = "UPDATE webhook_deliveries SET event_id = ? WHERE id = ?"
# The outbox's own make room, in two steps, so that no id is another's on the way; nobody knows them yet.
MAKE_ROOM = (
    """UPDATE deliveries SET id = -id - (SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence
        WHERE name = 'webhook_deliveries')""",
    "UPDATE deliveries SET id = -id",
)
MOVE = (
    """INSERT INTO deliveries (id, event_id, plugin, target, resource, item_id, status, tries, due_gmt, created_gmt,
        tried_gmt, code, error)
    SELECT id, event_id, 'webhooks', CAST(webhook_id AS TEXT), resource, item_id, status, tries, due_gmt, created_gmt,
        tried_gmt, code, error
    FROM webhook_deliveries""",
    # No id is given twice, not even one whose delivery was removed.
    """INSERT INTO sqlite_sequence (name, seq)
    SELECT 'deliveries', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'deliveries')""",
    """UPDATE sqlite_sequence SET seq = MAX(
        (SELECT COALESCE(MAX(id), 0) FROM deliveries),
        (SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name IN ('deliveries', 'webhook_deliveries')))
    WHERE name = 'deliveries'""",
    """INSERT INTO paused_targets (plugin, target)
    SELECT 'webhooks', CAST(id AS TEXT) FROM webhooks WHERE active = 0""",
    "DROP TABLE webhook_deliveries",
)


def up(migrator: object, db: Database) -> None:
    db.execute_sql(EVENTS)
    for (id,) in db.execute_sql(TESTS).fetchall():
        event = db.execute_sql(TEST_EVENT, (id,)).lastrowid
        db.execute_sql(SET_EVENT, (event, id))
    for statement in (*MAKE_ROOM, *MOVE):
        db.execute_sql(statement)
