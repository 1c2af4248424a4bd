"""A whole database of PostgreSQL: what one state of it holds, and putting another state in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from psycopg.conninfo import conninfo_to_dict

from cms.db.connection import Database
from cms.db.postgres.cursors import Connection, open_connection
from cms.db.postgres.functions import EXTENSIONS
from cms.db.postgres.grants import Grant, give_again, grants_of
from cms.db.postgres.snapshot import BEGIN

VERSIONED = ("content", "terms", "users", "comments")
HISTORY = "schema_migration"
COUNTS = {
    "content": "SELECT type, COUNT(*) FROM content GROUP BY type ORDER BY type",
    "comments": "SELECT 'comment', COUNT(*) FROM comments",
    "terms": "SELECT taxonomy, COUNT(*) FROM terms GROUP BY taxonomy ORDER BY taxonomy",
    "users": "SELECT 'user', COUNT(*) FROM users",
}
FILES_OF_ITEMS = """
SELECT file AS key FROM media WHERE file <> ''
UNION SELECT regexp_replace(m.file, '[^/]*$', '') || (size.value ->> 'file')
FROM media m, jsonb_each(CASE WHEN jsonb_typeof(m.details::jsonb -> 'sizes') = 'object'
    THEN m.details::jsonb -> 'sizes' ELSE '{}' END) size WHERE m.file <> ''
"""
UNUSED_FILES = "SELECT key FROM unused_files"
SELECT_TABLES = (
    "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
)
UNLOGGED = f"{SELECT_TABLES} AND relpersistence = 'u' ORDER BY relname"
#: All that is the site's in a schema: what extensions have brought stays.
DROP_ALL = """
DO $$ DECLARE each record; BEGIN
FOR each IN SELECT format('DROP TABLE %I.%I CASCADE', n.nspname, c.relname) AS text FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind = 'r'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
LOOP EXECUTE each.text; END LOOP;
FOR each IN SELECT format('DROP FUNCTION %s CASCADE', p.oid::regprocedure) AS text FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
LOOP EXECUTE each.text; END LOOP;
END $$
"""
TAKE_VERSIONS = "CREATE TEMP TABLE before_{table} ON COMMIT DROP AS SELECT id, version FROM {table}"
RAISE_VERSIONS = """
UPDATE {table} SET version = other.version + 1 FROM before_{table} other
WHERE other.id = {table}.id AND other.version > {table}.version
"""
SELECT_LAST_IDS = """
SELECT s.relname, pg_sequence_last_value(s.oid) FROM pg_class s
WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace
"""
RAISE_ID = """
SELECT setval(s.oid, %s) FROM pg_class s WHERE s.relkind = 'S' AND s.relname = %s
AND s.relnamespace = current_schema()::regnamespace AND coalesce(pg_sequence_last_value(s.oid), 0) < %s
"""
RAISE_VERSION = "UPDATE site_version SET number = greatest(number, %s) RETURNING number"
MARK = "COMMENT ON TABLE site_version IS 'restored {number}'"
MARKED = "SELECT substr(obj_description(to_regclass('site_version'), 'pg_class'), 10)"
#: Milliseconds for which a restore waits for those who read long: exports, backups, other programs.
PATIENCE = 15_000
COPY = re.compile(rb"COPY .* FROM stdin;\n")
#: Statements of pg_restore that change the connection, or that older servers don't know.
LEFT_OUT = re.compile(
    rb"\\(un)?restrict |SELECT pg_catalog\.set_config\('search_path'|(CREATE|COMMENT ON) (SCHEMA|EXTENSION) |"
    rb"SET (\w+_timeout|client_\w+|standard_conforming_strings|check_function_bodies|xmloption|row_security"
    rb"|default_\w+) = "
)

#: An argument of our functions as programs before PostgreSQL 17 write it, which newer servers can't read.
BARE_NAME = re.compile(rb"^(CREATE FUNCTION [^(]+\()json text")


@dataclass(frozen=True)
class Contents:
    """What one state of a database holds: keys of files, numbers, migrations, and what it takes to dump this state."""

    keys: list[str]
    needed: set[str]
    counts: dict[str, int]
    migrations: dict[str, list[str]]
    snapshot: str
    schema: str
    version: int


@contextmanager
def one_state(server: str) -> Iterator[Contents]:
    """Hold one state of a database, in which other connections may read it too."""
    with closing(open_connection(server)) as connection:
        connection.execute(BEGIN)
        tables = _tables(connection)
        yield Contents(
            keys=_keys(connection, tables),
            needed={row[0] for row in _own(connection, FILES_OF_ITEMS)} if "media" in tables else set(),
            counts=_counts(connection, tables),
            migrations=_migrations(connection, tables),
            snapshot=str(_own(connection, "SELECT pg_export_snapshot()")[0][0]),
            schema=str(_own(connection, "SELECT current_schema()")[0][0]),
            version=connection.info.server_version // 10_000,
        )


def address_parts(server: str) -> dict[str, str]:
    """Return the parts of an address by name, a password among them."""
    return {name: str(value) for name, value in conninfo_to_dict(server).items() if value is not None}


def size_of(server: str) -> int:
    """Return how many bytes a database has on its server."""
    with closing(open_connection(server)) as connection:
        return int(_own(connection, "SELECT pg_database_size(current_database())")[0][0])


def has_site(server: str) -> bool:
    """Tell whether there is a site in a database."""
    with closing(open_connection(server)) as connection:
        return "site_version" in _tables(connection)


def marked(server: str) -> int:
    """Return the number of the restore that the present content comes from, 0 where there was none."""
    with closing(open_connection(server)) as connection:
        return int(_own(connection, MARKED)[0][0] or 0)


@dataclass(frozen=True)
class Before:
    """What is taken over from the state that a restore replaces: ids, the version of the data, rights, runtime rows."""

    tables: set[str]
    unlogged: list[str]
    last_ids: list[tuple[str, int]]
    version: int
    grants: list[Grant]


def clear(database: Database) -> Before:
    """Remove all that is the site's in this transaction, and return what the next content has to take over.

    Raises peewee.OperationalError where somebody reads for longer than can be waited for.
    """
    connection: Connection = database.peewee.connection()
    tables = _tables(connection)
    unlogged = [row[0] for row in _own(connection, UNLOGGED)]
    version = (
        int(_own(connection, "SELECT number FROM site_version")[0][0]) if "site_version" in tables else 0
    )
    found = _own(connection, SELECT_LAST_IDS)
    last_ids = [(str(name), int(last)) for name, last in found if last is not None]
    grants = grants_of(connection)
    for table in tables.intersection(VERSIONED):
        connection.run_own(TAKE_VERSIONS.format(table=table))
    for table in unlogged:
        connection.run_own(f"CREATE TEMP TABLE before_{table} ON COMMIT DROP AS TABLE {table}")
    connection.run_own(f"SET LOCAL lock_timeout = {PATIENCE}")
    connection.run_own(DROP_ALL)
    connection.run_own(EXTENSIONS)
    return Before(tables, unlogged, last_ids, version, grants)


def load(database: Database, statements: BinaryIO) -> None:
    """Run the statements of a dump in this transaction, and bring in the rows that stand between them."""
    connection: Connection = database.peewee.connection()
    connection.run_own("SET LOCAL check_function_bodies = false")
    waiting: list[bytes] = []
    for line in statements:
        if COPY.fullmatch(line):
            _run_waiting(connection, waiting)
            _copy_rows(connection, line, statements)
        elif not LEFT_OUT.match(line):
            waiting.append(with_quoted_name(line))
    _run_waiting(connection, waiting)
    connection.run_own("SET LOCAL check_function_bodies = true")


def with_quoted_name(line: bytes) -> bytes:
    """Return a line of a dump with the name of our functions' argument as all servers can read it."""
    return BARE_NAME.sub(rb'\1"json" text', line)


def _run_waiting(connection: Connection, waiting: list[bytes]) -> None:
    connection.run_own(b"".join(waiting).decode())
    waiting.clear()


def _copy_rows(connection: Connection, statement: bytes, lines: BinaryIO) -> None:
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for line in lines:
            if line == b"\\.\n":
                return
            copy.write(line)


def schema_of(database: Database) -> str:
    """Return the name of the schema in which a site's tables are."""
    return str(_own(database.peewee.connection(), "SELECT current_schema()")[0][0])


def is_loaded(database: Database) -> bool:
    """Tell whether this transaction has brought a site's tables in."""
    return "site_version" in _tables(database.peewee.connection())


def take_over(database: Database, before: Before, number: int) -> None:
    """Raise ids and versions beyond what was ever given out before, bring runtime rows back, and note a number."""
    connection: Connection = database.peewee.connection()
    tables = _tables(connection)
    for table in before.tables.intersection(VERSIONED, tables):
        connection.run_own(RAISE_VERSIONS.format(table=table))
    for name, last in before.last_ids:
        _own(connection, RAISE_ID, (last, name, last))
    for table in before.unlogged:
        if table in tables:
            connection.run_own(f"INSERT INTO {table} TABLE before_{table}")
    _own(connection, RAISE_VERSION, (before.version,))
    connection.run_own(MARK.format(number=number))


def give_rights(database: Database, before: Before) -> None:
    """Give others the rights again that they had on tables; to be called once these are as they stay."""
    give_again(database.peewee.connection(), before.grants)


def _tables(connection: Connection) -> set[str]:
    return {str(row[0]) for row in _own(connection, SELECT_TABLES)}


def _keys(connection: Connection, tables: set[str]) -> list[str]:
    parts = [FILES_OF_ITEMS] if "media" in tables else []
    if "unused_files" in tables:
        parts.append(UNUSED_FILES)
    found = _own(connection, " UNION ".join(parts)) if parts else []
    return sorted(str(row[0]) for row in found)


def _counts(connection: Connection, tables: set[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for table, statement in COUNTS.items():
        if table in tables:
            for name, number in _own(connection, statement):
                counts[str(name)] = int(number)
    return counts


def _migrations(connection: Connection, tables: set[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for table in sorted(tables):
        if table == HISTORY or table.startswith(f"{HISTORY}_"):
            owner = table.removeprefix(HISTORY).removeprefix("_") or "cms"
            rows = _own(connection, f'SELECT name FROM "{table}" ORDER BY name')  # noqa: S608 (its own table)
            found[owner] = [str(row[0]) for row in rows]
    return found


def _own(
    connection: Connection, statement: str, values: tuple[object, ...] | None = None
) -> list[tuple[Any, ...]]:
    """Run a statement that is written for PostgreSQL, and return its rows."""
    return connection.rows_of_own(statement, values)
