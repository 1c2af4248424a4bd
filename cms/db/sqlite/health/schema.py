"""A database's indexes, triggers and statistics, against those that the migrations make in an empty one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cms.db.connection import Database
from cms.db.migrate import migrate

#: Indexes that SQLite makes by itself have no statement.
PARTS = "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
STATISTICS = "SELECT tbl, idx, stat FROM sqlite_stat1"
ADD_STATISTICS = "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)"


@dataclass(frozen=True)
class MigratedSchema:
    """What the migrations make: indexes and triggers with their statements by name, and the statistics."""

    parts: Mapping[str, str]
    statistics: frozenset[tuple[Any, ...]]


def migrated_schema(
    folders: Mapping[str, Path], indexes: Mapping[str, str], search_mode: str
) -> MigratedSchema:
    """Return what the migrations make in an empty database, which takes a tenth of a second the first time."""
    return _make_schema(tuple(folders.items()), tuple(indexes.values()), search_mode)


@lru_cache(maxsize=2)
def _make_schema(
    folders: tuple[tuple[str, Path], ...], indexes: tuple[str, ...], search_mode: str
) -> MigratedSchema:
    with TemporaryDirectory() as folder:
        twin = Database(Path(folder) / "twin.db", "normal")
        try:
            migrate(twin, dict(folders), {}, search_mode)
            for statement in indexes:
                twin.execute(statement)
            return MigratedSchema(_parts(twin), frozenset(twin.tuples(STATISTICS)))
        finally:
            twin.close()


def missing_parts(database: Database, wanted: MigratedSchema) -> dict[str, str]:
    """Return the statements of indexes and triggers that aren't there or are others, by name.

    Those of the search index aren't among them, they are made with it.
    """
    present = _parts(database)
    return {name: sql for name, sql in wanted.parts.items() if present.get(name) != sql}


def _parts(database: Database) -> dict[str, str]:
    found = {row["name"]: row["sql"] for row in database.rows(PARTS)}
    return {name: sql for name, sql in found.items() if "_search_" not in name}


def bring_parts(database: Database, wanted: Mapping[str, str]) -> None:
    """Make indexes and triggers in one transaction, instead of others that have their names."""
    with database.write():
        for name, sql in wanted.items():
            kind = sql.split()[1].lower()
            database.execute(f"DROP {'INDEX' if kind == 'unique' else kind.upper()} IF EXISTS {name}")
            database.execute(sql)


def wrong_statistics(database: Database, wanted: MigratedSchema) -> list[str]:
    """Return the tables whose statistics aren't those that the migrations wrote."""
    present = set(database.tuples(STATISTICS))
    return sorted({row[0] for row in present ^ wanted.statistics})


def bring_statistics(database: Database, wanted: MigratedSchema) -> None:
    """Write the statistics as the migrations do, and have SQLite read them."""
    with database.write():
        database.execute("DELETE FROM sqlite_stat1")
        for row in wanted.statistics:
            database.execute(ADD_STATISTICS, row)
        database.execute("ANALYZE sqlite_schema")
