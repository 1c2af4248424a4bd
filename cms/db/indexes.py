"""The indexes of plugins' fields: made and dropped by the migrating command, made by timed work for types that grow."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from cms.db.connection import Database
from cms.db.sqlite.schema import present_indexes

#: What the names of these indexes begin with; none of the core's does.
PREFIX = "plugin_field_"
#: Up to how many items of a type are read quicker than each write of any content looks at an index of theirs.
FEW = 1_000
#: In sites of more items nobody waits for an index by surprise: each takes a second of the write lock or more.
MANY = 200_000
OF_TYPE = re.compile(r"CREATE INDEX .* WHERE type = '([^']+)'", re.ASCII)
HAS_MANY = "SELECT 1 FROM content LIMIT 1 OFFSET ?"
HAS_MORE = "SELECT 1 FROM content WHERE type = ? LIMIT 1 OFFSET ?"


def _present(database: Database) -> dict[str, str]:
    if database.server:
        from cms.db.postgres import indexes  # nothing of it is imported for a file

        return indexes.present_indexes(database, PREFIX)
    return present_indexes(database, PREFIX)


def _make(database: Database, name: str, sql: str) -> None:
    database.execute(sql)
    if database.server:
        from cms.db.postgres import indexes

        database.execute(indexes.note_text(name, sql))


def _is_of_use(sql: str) -> bool:
    from cms.db.postgres import indexes

    return indexes.is_of_use(sql)


def due_indexes(database: Database, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the indexes that the database should have now: of one type's items only where these are many.

    SQLite opens all indexes of a table for each row that is added, whether they hold it or not. What keeps values
    unique is always due.
    """
    found, has_more = {}, dict[str, bool]()
    for name, sql in wanted.items():
        if database.server and not _is_of_use(sql):
            continue
        match = OF_TYPE.fullmatch(sql)
        if match is None:
            found[name] = sql
            continue
        type = match[1]
        if type not in has_more:
            has_more[type] = database.exists(HAS_MORE, (type, FEW))
        if has_more[type]:
            found[name] = sql
    return found


def missing_indexes(database: Database, wanted: Mapping[str, str]) -> list[str]:
    """Return the names of indexes that are due and aren't there as they should be."""
    present = _present(database) if wanted else {}
    return [name for name, sql in due_indexes(database, wanted).items() if present.get(name) != sql]


def grown_indexes(database: Database, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return those that are missing since a type has more items than before, as statements by name."""
    present = _present(database) if wanted else {}
    absent = {name: sql for name, sql in wanted.items() if name not in present and OF_TYPE.fullmatch(sql)}
    return due_indexes(database, absent)


def make_grown_indexes(
    database: Database, wanted: Mapping[str, str], is_stopping: Callable[[], bool]
) -> list[str]:
    """Make what types that have grown miss and return the names: each in a write of its own, that others get between.

    In a site of very many items none are made, and the command that migrates is left to do it.
    """
    made: list[str] = []
    grown = grown_indexes(database, wanted)
    if not grown or database.exists(HAS_MANY, (MANY,)):
        return made
    for name, sql in grown.items():
        if is_stopping():
            break
        make_index(database, name, sql)
        made.append(name)
    return made


def make_index(database: Database, name: str, sql: str) -> None:
    """Make an index in a write of its own, unless somebody else has made it meanwhile."""
    with database.write():
        if name not in _present(database):
            _make(database, name, sql)


def bring_indexes(database: Database, wanted: Mapping[str, str]) -> list[str]:
    """Drop the indexes that aren't due any more, make those that are missing, and return what was done."""
    done, due = [], due_indexes(database, wanted)
    for name, sql in _present(database).items():
        if due.get(name) != sql:
            database.execute(f"DROP INDEX {name}")
            if name not in due:
                done.append(f"dropped index {name}")
    for name in missing_indexes(database, due):
        _make(database, name, due[name])
        done.append(f"index {name}")
    return done
