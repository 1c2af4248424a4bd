"""What can be wrong with a database on a server: its settings, its indexes and triggers, its folded texts."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

from cms.db.connection import Database
from cms.db.postgres.cursors import open_connection
from cms.db.postgres.folded_texts import COLUMNS, NAMES, definitions
from cms.db.postgres.folding import fold_function
from cms.db.postgres.snapshot import take_server_snapshot
from cms.db.sqlite.search_index import WORDS
from cms.rendering.folding import fold

SELECT_STATE = """
SELECT pg_encoding_to_char(d.encoding), current_setting('fsync'), current_setting('full_page_writes'),
    current_setting('synchronous_commit'), r.rolsuper,
    to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
    ARRAY(SELECT extname::text FROM pg_extension), EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu')
FROM pg_database d, pg_roles r WHERE d.datname = current_database() AND r.rolname = current_user
"""
SELECT_INDEXES = """
SELECT c.relname::text, i.indisvalid AND i.indisready FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = current_schema()::regnamespace
"""
SELECT_TRIGGERS = """
SELECT t.tgname::text, t.tgenabled <> 'D' FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
"""
SELECT_TEXTS = "SELECT t.id, s.is_new AS unread, {columns} FROM {table} t LEFT JOIN {name} s ON s.id = t.id"
NOTE_ALL = """
INSERT INTO {name} (id, is_new) SELECT id, true FROM {table} ON CONFLICT (id) DO UPDATE SET is_new = true
"""
REMOVE = "DROP TABLE IF EXISTS {name} CASCADE; DROP FUNCTION IF EXISTS {name}_note() CASCADE"
#: Names of hosts that are this machine.
LOCAL = ("", "localhost", "127.0.0.1", "::1")
#: What belongs to the search in a table in any mode, by the ends of names, and what in either.
SEARCH_PARTS = ("_new", "_insert", "_update")
OF_PARTS, OF_WORDS = ("_parts",), ("_words", "_large")


@dataclass(frozen=True)
class ServerState:
    """What a server says of itself and of this connection; `open_net` where it goes to another machine without TLS."""

    version: int
    encoding: str
    unsafe: list[str]
    is_superuser: bool
    now: str
    missing: list[str]
    open_net: bool


def state_of(server: str) -> ServerState:
    """Return what a server says of itself; raises what peewee raises where it can't be reached."""
    with closing(open_connection(server)) as connection:
        row = connection.rows_of_own(SELECT_STATE)[0]
        encoding, fsync, pages, commit, is_superuser, now, extensions, has_letters = row
        settings = {"fsync": fsync, "full_page_writes": pages, "synchronous_commit": commit}
        missing = sorted({"citext", "pg_trgm"} - set(extensions))
        host = connection.info.host
        return ServerState(
            version=connection.info.server_version // 10_000,
            encoding=encoding,
            unsafe=sorted(name for name, value in settings.items() if value == "off"),
            is_superuser=bool(is_superuser),
            now=now,
            missing=missing if has_letters else [*missing, "ICU"],
            open_net=host not in LOCAL and not host.startswith("/") and not connection.pgconn.ssl_in_use,
        )


def missing_parts(database: Database, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the statements of indexes and triggers that aren't there or aren't used, by name."""
    connection = database.peewee.connection()
    usable = dict(connection.rows_of_own(SELECT_INDEXES)) | dict(connection.rows_of_own(SELECT_TRIGGERS))
    return {name: sql for name, sql in wanted.items() if not usable.get(name)}


def bring_parts(database: Database, wanted: Mapping[str, str]) -> None:
    """Make indexes and triggers in one transaction, instead of others that have their names."""
    with database.write():
        for name, sql in wanted.items():
            kind = "TRIGGER" if sql.split()[1].upper() == "TRIGGER" else "INDEX"
            database.execute(f"DROP {kind} IF EXISTS {name}")
            database.execute(sql)


def is_search_there(database: Database, mode: str) -> bool:
    """Tell whether the tables of folded texts have the indexes and triggers of a mode."""
    wanted = {}
    for table, name in NAMES.items():
        for end in (*SEARCH_PARTS, *(OF_WORDS if _by_words(table, mode) else OF_PARTS)):
            wanted[name + end] = ""
    return not missing_parts(database, wanted)


def wrongly_folded(server: str) -> dict[str, int]:
    """Return of how many rows the folded texts aren't those of their texts, by table; others are left out."""
    found: dict[str, int] = {}
    with take_server_snapshot(server) as snapshot:
        for table, columns in COLUMNS.items():
            names = ", ".join(f"t.{column}, s.{column} AS folded_{column}" for column in columns)
            sql = SELECT_TEXTS.format(columns=names, table=table, name=NAMES[table])
            for row in snapshot.each(sql):
                if row["unread"] != 0 or any(fold(row[name]) != row[f"folded_{name}"] for name in columns):
                    found[table] = found.get(table, 0) + 1
    return found


def fold_all(database: Database, mode: str) -> list[str]:
    """Fold all texts once more in one transaction, and return the names of the tables of them."""
    is_there = is_search_there(database, mode)
    with database.write():
        connection = database.peewee.connection()
        connection.run_own(fold_function())
        for table, name in NAMES.items():
            if is_there:
                connection.run_own(NOTE_ALL.format(table=table, name=name))
                continue
            for statement in (REMOVE.format(name=name), *definitions(table, _by_words(table, mode))):
                connection.run_own(statement)
    return list(NAMES.values())


def bring_search(database: Database, mode: str) -> list[str]:
    """Make what searches look at as a mode has it, where it isn't, and return the names of its tables."""
    return [] if is_search_there(database, mode) else fold_all(database, mode)


def _by_words(table: str, mode: str) -> bool:
    """Tell whether a mode has an index of words of a table's texts: comments are always found by parts."""
    return mode == WORDS and table == "content"
