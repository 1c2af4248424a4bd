"""Deliveries to the targets of a plugin: one for each, with its own tries and its history."""

from peewee import Database

# Resource and item are those of the event: what keeps the order of an item must not read the history of all events.
STATEMENTS = (
    """CREATE TABLE deliveries_by_target (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        plugin TEXT NOT NULL,
        target TEXT NOT NULL DEFAULT '',
        resource TEXT NOT NULL DEFAULT '',
        item_id INTEGER NOT NULL DEFAULT 0,
        status TEXT NOT NULL DEFAULT 'waiting',
        tries INTEGER NOT NULL DEFAULT 0,
        due_gmt TEXT NOT NULL,
        created_gmt TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%S', 'now')),
        tried_gmt TEXT,
        code INTEGER,
        error TEXT NOT NULL DEFAULT '',
        UNIQUE (event_id, plugin, target)
    )""",
    """INSERT INTO deliveries_by_target
        (event_id, plugin, resource, item_id, status, tries, due_gmt, created_gmt, error)
    SELECT e.id, d.plugin, e.resource, e.item_id, CASE d.set_aside WHEN 0 THEN 'waiting' ELSE 'set_aside' END,
        d.tries, d.due_gmt, e.at_gmt, d.error
    FROM deliveries d JOIN events e ON e.id = d.event_id ORDER BY e.id, d.plugin""",
    "DROP TABLE deliveries",
    "ALTER TABLE deliveries_by_target RENAME TO deliveries",
    "DROP INDEX events_item",
    "CREATE INDEX deliveries_queue ON deliveries (plugin, target, id, due_gmt) WHERE status = 'waiting'",
    """CREATE INDEX deliveries_item ON deliveries (plugin, target, resource, item_id, id, due_gmt)
    WHERE status = 'waiting'""",
    "CREATE INDEX deliveries_open ON deliveries (event_id, plugin, target) WHERE status <> 'delivered'",
    "CREATE INDEX deliveries_history ON deliveries (plugin, target, id) WHERE target <> ''",
    "CREATE INDEX deliveries_age ON deliveries (plugin, created_gmt) WHERE target <> ''",
    # What waits for one of these isn't sent.
    """CREATE TABLE paused_targets (
        plugin TEXT NOT NULL,
        target TEXT NOT NULL,
        PRIMARY KEY (plugin, target)
    ) WITHOUT ROWID""",
)


def up(migrator: object, db: Database) -> None:
    for statement in STATEMENTS:
        db.execute_sql(statement)
