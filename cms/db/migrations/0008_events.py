"""Events that plugins wait for, and items whose date of publication lies ahead."""

from peewee import Database

NOW = "strftime('%Y-%m-%dT%H:%M:%S', 'now')"

# The deliveries of an event are the plugins that haven't had it yet; without any the event is removed.
STATEMENTS = (
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        resource TEXT NOT NULL,
        item_id INTEGER NOT NULL,
        user_id INTEGER NOT NULL,
        at_gmt TEXT NOT NULL,
        data TEXT NOT NULL DEFAULT '{}'
    )""",
    "CREATE INDEX events_item ON events (resource, item_id, id)",
    """CREATE TABLE deliveries (
        event_id INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        plugin TEXT NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0,
        due_gmt TEXT NOT NULL,
        error TEXT NOT NULL DEFAULT '',
        set_aside INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (event_id, plugin)
    ) WITHOUT ROWID""",
    "CREATE INDEX deliveries_due ON deliveries (plugin, due_gmt, event_id) WHERE set_aside = 0",
    """CREATE TABLE scheduled (
        content_id INTEGER PRIMARY KEY REFERENCES content (id) ON DELETE CASCADE,
        due_gmt TEXT NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX scheduled_due ON scheduled (due_gmt)",
    f"""INSERT INTO scheduled (content_id, due_gmt)
    SELECT id, date_gmt FROM content WHERE status = 'publish' AND date_gmt > {NOW}""",  # noqa: S608 (our own text)
    # By triggers, so that no way of writing content can forget it.
    f"""CREATE TRIGGER scheduled_insert AFTER INSERT ON content
    WHEN new.status = 'publish' AND new.date_gmt > {NOW} BEGIN
        INSERT OR REPLACE INTO scheduled (content_id, due_gmt) VALUES (new.id, new.date_gmt);
    END""",  # noqa: S608 (our own text)
    # What is due and only waits to be told of stays, unless it is scheduled anew or published no more.
    f"""CREATE TRIGGER scheduled_update AFTER UPDATE OF status, date_gmt ON content
    WHEN new.status IS NOT old.status OR new.date_gmt IS NOT old.date_gmt BEGIN
        DELETE FROM scheduled WHERE content_id = new.id;
        INSERT INTO scheduled (content_id, due_gmt)
        SELECT new.id, new.date_gmt WHERE new.status = 'publish' AND new.date_gmt > {NOW};
    END""",  # noqa: S608 (our own text)
)


def up(migrator: object, db: Database) -> None:
    for statement in STATEMENTS:
        db.execute_sql(statement)
