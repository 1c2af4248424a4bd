"""Bringing what changed in a working copy into the site, in the transaction of its caller."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from peewee import IntegrityError

from cms import forks
from cms.db.connection import Database
from cms.db.errors import MergeConflict
from cms.db.sqlite.functions import PRAGMAS
from cms.db.sqlite.merge_ahead import LEADING
from cms.db.sqlite.merged_counts import counted_by_set
from cms.db.sqlite.working_copy import CopiedTable, listed, quoted

COPY = "copy"
#: Kilobytes of pages (as a negative number) of the site that stay in memory while they change.
PAGE_MEMORY = -8_000
#: Rows that somebody has changed or deleted since they were copied.
CHANGED = """
SELECT 1 FROM {copy}.{old} o LEFT JOIN main.{name} m ON {same}
WHERE m.{key} IS NULL OR {differs}
"""
DELETE = """
DELETE FROM main.{name} AS m WHERE EXISTS (SELECT 1 FROM {copy}.{old} o WHERE {same})
AND NOT EXISTS (SELECT 1 FROM {copy}.{name} c WHERE {same_as_copy})
"""
UPDATE = """
UPDATE main.{name} AS m SET {changes} FROM {copy}.{old} o JOIN {copy}.{name} c ON {old_in_copy} WHERE {same}
"""
INSERT = """
INSERT INTO main.{name} ({columns})
SELECT {values} FROM ({batch}) n JOIN {copy}.{name} c ON {new_in_copy}
"""
#: The keys of the next rows, behind those that came last.
NEXT = "SELECT {keys} FROM {copy}.{new} WHERE {after} ORDER BY {keys} LIMIT {most}"
#: How many rows are inserted by one statement: SQLite holds them all in memory, where there are triggers.
BATCH = 500
SETTINGS_CHANGED = f"SELECT name, value FROM main.options EXCEPT SELECT name, value FROM {COPY}.options"  # noqa: S608
#: A new item with the slug of one of its type that came, or was given it, since the copy was made.
SLUG_TAKEN = f"""
SELECT 1 FROM {COPY}.brought_slugs n
JOIN main.content o INDEXED BY content_by_slug ON o.slug = n.slug AND o.slug <> '' AND o.id <> n.id
WHERE o.type = n.type AND o.status <> 'trash'
AND NOT EXISTS (SELECT 1 FROM {COPY}.content s WHERE s.id = o.id AND s.slug = o.slug AND s.status <> 'trash')
"""  # noqa: S608 (our own texts)
#: A row that new ones lead to, which was there when the copy was made, and is no more.
TARGET_GONE = f"""
SELECT 1 FROM {COPY}.brought_targets n WHERE n.name = '{{target}}'
AND NOT EXISTS (SELECT 1 FROM main.{{target}} m WHERE m.id = n.id)
"""  # noqa: S608 (our own texts)


@contextmanager
def attached_copy(database: Database, path: Path) -> Iterator[None]:
    """Let this thread's connection read a copy beside the site; to be opened outside of a transaction."""
    with forks.inside():  # a fork would close the connection
        database.execute(f"ATTACH DATABASE ? AS {COPY}", (str(path),))
        database.execute(f"PRAGMA main.cache_size = {PAGE_MEMORY}")
        try:
            yield
        finally:
            database.execute(f"PRAGMA main.cache_size = {PRAGMAS['cache_size']}")
            database.execute(f"DETACH DATABASE {COPY}")


@contextmanager
def merge_errors() -> Iterator[None]:
    """Raise MergeConflict where a constraint of the site's tables refuses what is brought; open it around the write."""
    try:
        yield
    except (IntegrityError, sqlite3.IntegrityError) as error:
        raise MergeConflict(str(error)) from error


@contextmanager
def checkpoint_after(database: Database) -> Iterator[None]:
    """Have what a write has logged copied into the file behind it, when others write already; open it around the write.

    By itself SQLite does so at the end of the write, and whoever writes next waits as long as the copying takes.
    """
    pages = database.scalar("PRAGMA wal_autocheckpoint")
    database.execute("PRAGMA wal_autocheckpoint = 0")
    try:
        yield
        database.tuples("PRAGMA wal_checkpoint(PASSIVE)")
    finally:
        database.execute(f"PRAGMA wal_autocheckpoint = {pages}")


def merge(database: Database, tables: Iterable[CopiedTable]) -> None:
    """Bring what changed in the attached copy, inside a write; raises MergeConflict where it doesn't fit."""
    database.execute("PRAGMA defer_foreign_keys = 1")
    used = [table for table in tables if _is_changed(database, table)]
    for table in used:
        if database.exists(_text(CHANGED, table)):
            raise MergeConflict(f"rows of {table.name} have changed")
    if database.exists(SETTINGS_CHANGED):
        raise MergeConflict("settings have changed")
    if database.exists(SLUG_TAKEN):
        raise MergeConflict("slugs were taken")
    with counted_by_set(database, COPY):
        for table in used:
            _bring(database, table)
    for target in sorted({target for _table, _column, target in LEADING}):
        if database.exists(TARGET_GONE.format(target=target)):
            raise MergeConflict(f"rows of {target} are gone")


def _bring(database: Database, table: CopiedTable) -> None:
    for statement in (DELETE, UPDATE):
        database.execute(_text(statement, table))
    after, last = "1", ()
    while keys := database.tuples(_next_text(table, after), last):
        batch = _next_text(table, after)
        database.execute(_text(INSERT, table, batch), last)
        after, last = f"({listed(table.keys)}) > ({', '.join('?' * len(table.keys))})", keys[-1]


def _next_text(table: CopiedTable, after: str) -> str:
    keys = listed(table.keys)
    return NEXT.format(keys=keys, copy=COPY, new=quoted(table.new), after=after, most=BATCH)


def _is_changed(database: Database, table: CopiedTable) -> bool:
    new, old = quoted(table.new), quoted(table.old)
    sql = f"SELECT 1 FROM {COPY}.{new} UNION ALL SELECT 1 FROM {COPY}.{old}"  # noqa: S608
    return database.exists(sql)


def _text(statement: str, table: CopiedTable, batch: str = "") -> str:
    columns = [quoted(column) for column in table.own_columns]
    return statement.format(
        copy=COPY,
        batch=batch,
        name=quoted(table.name),
        old=quoted(table.old),
        new=quoted(table.new),
        key=quoted(table.keys[0]),
        columns=", ".join(columns),
        values=", ".join(f"c.{column}" for column in columns),
        changes=", ".join(f"{column} = c.{column}" for column in columns),
        differs=" OR ".join(f"m.{column} IS NOT o.{column}" for column in columns),
        same=table.same("m", "o"),
        same_as_copy=table.same("c", "m"),
        old_in_copy=table.same("c", "o"),
        new_in_copy=table.same("c", "n"),
    )
