"""Migrating a database of PostgreSQL: what migrations make in an empty file of SQLite is carried over as a whole.

Migrations are written for SQLite. The first ones of an owner build a file aside; its tables, indexes and triggers are
made here, and the names of all its migrations noted. Later migrations run here, statement by statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from playhouse.migrations import Runner

from cms.db.connection import Database
from cms.db.limits import Limits
from cms.db.postgres.folded_texts import COLUMNS, definitions
from cms.db.postgres.folding import fold_function
from cms.db.postgres.functions import EXTENSIONS, FUNCTIONS
from cms.db.postgres.operators import operator_statements
from cms.db.postgres.planning import EXPECT_FEW_ANSWERS
from cms.db.runtime_tables import TABLES
from cms.db.sqlite.schema import made_parts
from cms.db.sqlite.thread_connections import ThreadConnections

#: What SQLite keeps for itself, and what its searches have.
OWN = re.compile(r"sqlite_|content_search|comment_search|schema_migration")
HAS_FUNCTIONS = "SELECT to_regclass('site_version') IS NOT NULL"
#: The lock of those who migrate.
MIGRATE_LOCK = 7_412
LAST_IDS = "SELECT setval(pg_get_serial_sequence(?, 'id'), (SELECT MAX(id) FROM {table}))"


#: Applies what is pending of an owner, and returns its names; raises what says whose migration failed.
Apply = Callable[[str, Runner], list[str]]


def carry_over(
    database: Database, owners: Mapping[str, tuple[str, Path]], apply: Apply
) -> list[tuple[str, str]]:
    """Make what owners without any migration applied have; return owner and name of each that is noted as applied.

    `owners` has the table of names and the folder of each, the core's first. Raises what `apply` raises.
    """
    new = {owner for owner, (table, folder) in owners.items() if _is_new(database, table, folder)}
    if not new:
        return []
    with TemporaryDirectory() as folder, database.peewee.atomic():
        database.scalar("SELECT pg_advisory_xact_lock(?)", (MIGRATE_LOCK,))
        twin = ThreadConnections(Path(folder) / "twin.db", "off", Limits(), 0)
        try:
            return _carry_over_from(twin, database, owners, new, apply)
        finally:
            twin.close()


def _carry_over_from(
    twin: ThreadConnections,
    database: Database,
    owners: Mapping[str, tuple[str, Path]],
    new: set[str],
    apply: Apply,
) -> list[tuple[str, str]]:
    done, present = [], dict[str, str]()
    for owner, (table, scripts) in owners.items():
        names = apply(owner, Runner(twin, str(scripts), table_name=table))
        parts = made_parts(twin)
        if owner in new:
            own = {name: sql for name, sql in parts.items() if present.get(name) != sql}
            _make(database, own, owner == "cms")
            if owner == "cms":
                _copy_options(database, twin)
            _note(database, table, scripts, names)
            done += [(owner, name) for name in names]
        present = parts
    return done


def _is_new(database: Database, table: str, folder: Path) -> bool:
    runner = Runner(database.peewee, str(folder), table_name=table)
    return bool(runner.migrations()) and not runner.applied()


def _make(database: Database, parts: Mapping[str, str], is_core: bool) -> None:
    if is_core:
        for statement in _first():
            _run(database, statement)
    for name, sql in parts.items():
        if not OWN.match(name):
            database.peewee.execute_sql(sql)
    if is_core:
        _run(database, EXPECT_FEW_ANSWERS)
        for table in COLUMNS:
            for statement in definitions(table):
                _run(database, statement)
        for statement in TABLES:
            database.peewee.execute_sql(statement.replace("CREATE TABLE", "CREATE UNLOGGED TABLE"))


def _first() -> Iterator[str]:
    yield EXTENSIONS
    yield FUNCTIONS
    yield fold_function()
    yield from operator_statements()


def _run(database: Database, statement: str) -> None:
    """Run statements that are written for PostgreSQL."""
    database.peewee.connection().run_own(statement)


def _copy_options(database: Database, twin: ThreadConnections) -> None:
    for row in twin.execute_sql("SELECT name, value FROM options").fetchall():
        database.peewee.execute_sql("INSERT INTO options (name, value) VALUES (?, ?)", row)


def _note(database: Database, table: str, folder: Path, names: list[str]) -> None:
    runner = Runner(database.peewee, str(folder), table_name=table)
    runner.History.create_table()
    for name in names:
        statement = f'INSERT INTO "{table}" (name, applied) VALUES (?, ?)'  # noqa: S608 (its own table)
        database.peewee.execute_sql(statement, (name, datetime.now().isoformat(" ")))
