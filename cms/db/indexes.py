"""The indexes of plugins' fields: made and dropped by the command that migrates, never by a worker."""

from __future__ import annotations

from collections.abc import Mapping

from cms.db.connection import Database

#: What the names of these indexes begin with; none of the core's does.
PREFIX = "plugin_field_"
THERE = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND name GLOB ?"


def _present(database: Database) -> dict[str, str]:
    return {row["name"]: row["sql"] for row in database.rows(THERE, (f"{PREFIX}*",))}


def missing_indexes(database: Database, wanted: Mapping[str, str]) -> list[str]:
    """Return the names of indexes that aren't there as they should be."""
    present = _present(database) if wanted else {}
    return [name for name, sql in wanted.items() if present.get(name) != sql]


def bring_indexes(database: Database, wanted: Mapping[str, str]) -> list[str]:
    """Drop the indexes that no field asks for any more, make those that are missing, and return what was done."""
    done = []
    for name, sql in _present(database).items():
        if wanted.get(name) != sql:
            database.execute(f"DROP INDEX {name}")
            if name not in wanted:
                done.append(f"dropped index {name}")
    for name in missing_indexes(database, wanted):
        database.execute(wanted[name])
        done.append(f"index {name}")
    return done
