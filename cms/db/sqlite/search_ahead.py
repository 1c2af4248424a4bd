"""Entries of the indexes for search that stand there before their rows do: put in and taken out in short writes.

An entry without a row is found by nobody: searches look at the row. The table `indexed_ahead` says which entries are
ahead; the triggers of the indexes leave those rows out.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import monotonic, sleep

from peewee import DatabaseError

from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.sqlite.merging import COPY, attached_copy
from cms.db.sqlite.search_index import INDEXES, SearchIndex, make_search_indexes

#: Rows of the first write, and the seconds that later ones are to take.
FIRST_ROWS, WRITE_SECONDS = 100, 0.25
#: Seconds between two writes: others that wait look again within a tenth of a second.
PAUSE = 0.12
NEW_IDS = "SELECT id FROM {copy}.new_of_{table} WHERE id > ? ORDER BY id LIMIT ?"
AHEAD_IDS = "SELECT id FROM indexed_ahead WHERE table_name = '{table}' AND id > ? ORDER BY id LIMIT ?"
ROWS = "SELECT * FROM {copy}.{table} WHERE id IN (SELECT value FROM json_each(?))"
NOTE = "INSERT INTO indexed_ahead (table_name, id) SELECT ?, value FROM json_each(?)"
FORGET = "DELETE FROM indexed_ahead WHERE table_name = ? AND id IN (SELECT value FROM json_each(?))"
HAS_ANY = "SELECT 1 FROM indexed_ahead"
UNKNOWN = f"""
SELECT 1 FROM indexed_ahead a WHERE table_name = '{{table}}'
AND NOT EXISTS (SELECT 1 FROM {COPY}.{{table}} c WHERE c.id = a.id)
"""  # noqa: S608 (our own texts)


def index_ahead(database: Database) -> None:
    """Put the new rows of the attached copy into the indexes, while others may write."""
    for index in INDEXES:
        rows = ROWS.format(copy=COPY, table=index.table)
        _in_short_writes(database, index, NEW_IDS, index.add_from(rows), NOTE)


def clear_ahead(database: Database) -> None:
    """Take out of the indexes what is ahead, whose texts the attached copy has."""
    for index in INDEXES:
        rows = ROWS.format(copy=COPY, table=index.table)
        _in_short_writes(database, index, AHEAD_IDS, index.remove_from(rows), FORGET)


def settle_ahead(database: Database) -> None:
    """Note that the rows of all entries have come; to be called in the write that brings them."""
    database.execute("DELETE FROM indexed_ahead")


def has_ahead(database: Database) -> bool:
    """Tell whether any entry is ahead."""
    return database.exists(HAS_ANY)


def recover_ahead(database: Database, path: Path, mode: str) -> None:
    """Take out what somebody who was killed has left ahead: by the copy, or by making the indexes anew without it."""
    if not has_ahead(database):
        return
    if path.exists() and _clear_by(database, path):
        return
    make_search_indexes(database, mode)


def _clear_by(database: Database, path: Path) -> bool:
    """Clear by a copy, and tell whether it could be read and had all texts."""
    try:
        with attached_copy(database, path):
            if any(database.exists(UNKNOWN.format(table=index.table)) for index in INDEXES):
                return False
            clear_ahead(database)
    except (DatabaseError, sqlite3.DatabaseError):
        return False
    return True


def _in_short_writes(database: Database, index: SearchIndex, select: str, change: str, account: str) -> None:
    """Change the entries of rows some at a time, with room for others in between."""
    last, most = 0, FIRST_ROWS
    while ids := database.column(select.format(copy=COPY, table=index.table), (last, most)):
        if last:
            sleep(PAUSE)
        begun = monotonic()
        with database.write():
            database.execute(change, (json_list(ids),))
            database.execute(account, (index.table, json_list(ids)))
        taken = max(monotonic() - begun, 0.001)
        last, most = ids[-1], max(20, min(2 * most, int(len(ids) * WRITE_SECONDS / taken)))
