"""Subscriptions to events, and what of them is or was to be delivered."""

from peewee import Database

WEBHOOKS = """
CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    description TEXT NOT NULL,
    active INTEGER NOT NULL,
    secret TEXT NOT NULL,
    created_gmt TEXT NOT NULL,
    meta TEXT NOT NULL DEFAULT '{}',
    version INTEGER NOT NULL DEFAULT 1
)
"""
# A test has no event. An event that the site hands on a second time is one delivery all the same.
DELIVERIES = """
CREATE TABLE webhook_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event_id INTEGER,
    event TEXT NOT NULL,
    resource TEXT NOT NULL,
    item_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    at_gmt TEXT NOT NULL,
    data TEXT NOT NULL,
    created_gmt TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'waiting',
    tries INTEGER NOT NULL DEFAULT 0,
    due_gmt TEXT NOT NULL,
    tried_gmt TEXT,
    code INTEGER,
    error TEXT NOT NULL DEFAULT '',
    UNIQUE (webhook_id, event_id)
)
"""
INDEXES = (
    "CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, id)",
    "CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (webhook_id, id, due_gmt) WHERE status = 'waiting'",
    "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_gmt) WHERE status = 'waiting'",
    """CREATE INDEX webhook_deliveries_item ON webhook_deliveries (webhook_id, resource, item_id, id)
    WHERE status = 'waiting'""",
    "CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_gmt)",
)


def up(migrator: object, db: Database) -> None:
    for statement in (WEBHOOKS, DELIVERIES, *INDEXES):
        db.execute_sql(statement)
