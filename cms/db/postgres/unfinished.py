"""Tables without their indexes, triggers and references, which take rows quickly; and what makes these again."""

from __future__ import annotations

from dataclasses import dataclass

import peewee

from cms.db.postgres.cursors import Connection
from cms.db.postgres.planning import ALL_WAYS
from cms.db.whole_tables import Advance, CopyRefused, quoted

#: More room for those who make indexes and read whole tables, until the transaction ends.
MORE_ROOM = ALL_WAYS + "SET LOCAL maintenance_work_mem = '256MB'"
#: References of tables, with what defines them.
SELECT_REFERENCES = """
SELECT t.relname, c.conname, pg_get_constraintdef(c.oid) FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace ORDER BY c.oid
"""
#: Indexes that no key needs, with their comments.
SELECT_INDEXES = """
SELECT c.relname, pg_get_indexdef(c.oid), obj_description(c.oid, 'pg_class') FROM pg_class c
WHERE c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace
AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid) ORDER BY c.oid
"""
SELECT_TRIGGERED = """
SELECT DISTINCT t.relname FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
WHERE NOT g.tgisinternal AND t.relnamespace = current_schema()::regnamespace
"""


@dataclass(frozen=True)
class Parts:
    """The statements that make again what was taken away: indexes first, then the rest."""

    indexes: list[str]
    rest: list[str]


def take_parts(connection: Connection) -> Parts:
    """Take indexes, triggers and references away."""
    indexes: list[str] = []
    rest: list[str] = []
    for table, name, definition in connection.execute(SELECT_REFERENCES).fetchall():
        connection.run_own(f"ALTER TABLE {quoted(table)} DROP CONSTRAINT {quoted(name)}")
        rest.append(f"ALTER TABLE {quoted(table)} ADD CONSTRAINT {quoted(name)} {definition}")
    for name, definition, note in connection.execute(SELECT_INDEXES).fetchall():
        connection.run_own(f"DROP INDEX {quoted(name)}")
        indexes.append(definition)
        if note:
            escaped = note.replace("'", "''")
            rest.append(f"COMMENT ON INDEX {quoted(name)} IS '{escaped}'")
    for (table,) in connection.execute(SELECT_TRIGGERED).fetchall():
        connection.run_own(f"ALTER TABLE {quoted(table)} DISABLE TRIGGER USER")
        rest.append(f"ALTER TABLE {quoted(table)} ENABLE TRIGGER USER")
    return Parts(indexes, rest)


def finish_parts(connection: Connection, parts: Parts, advance: Advance | None) -> None:
    """Make them again; raises CopyRefused where rows contradict them."""
    connection.run_own(MORE_ROOM)
    try:
        for number, definition in enumerate(parts.indexes, start=1):
            connection.run_own(definition)
            if advance:
                advance("making indexes", number, len(parts.indexes))
        for statement in parts.rest:
            connection.run_own(statement)
    except peewee.DatabaseError as error:
        raise CopyRefused(str(error)) from error
