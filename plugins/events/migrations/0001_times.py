"""When events start and end, in GMT; a row goes with its event."""

from peewee import Database

TABLE = """
CREATE TABLE event_times (
    content_id INTEGER PRIMARY KEY REFERENCES content (id) ON DELETE CASCADE,
    start_gmt TEXT,
    end_gmt TEXT
);
CREATE INDEX event_times_start ON event_times (start_gmt);
CREATE INDEX event_times_end ON event_times (ifnull(end_gmt, start_gmt));
"""


def up(migrator: object, db: Database) -> None:
    for statement in TABLE.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
