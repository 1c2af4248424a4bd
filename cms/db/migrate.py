"""Applying migrations: numbered scripts, run by a command under a file lock, never by a worker."""

from __future__ import annotations

import fcntl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playhouse.migrations import Runner

from cms.db import search_making
from cms.db.connection import Database
from cms.db.indexes import bring_indexes
from cms.db.sqlite.search_index import PARTS, Advance

CORE = Path(__file__).parent / "migrations"


class PendingMigrations(Exception):
    """Say that the database must be migrated before the site can be served."""


class FailedMigration(Exception):
    """Say which migration can't be applied, and why."""


def _runners(database: Database, folders: Mapping[str, Path]) -> Iterator[tuple[str, Runner]]:
    for owner, folder in {"cms": CORE, **folders}.items():
        yield owner, Runner(database.peewee, str(folder), table_name=_history(owner))


def list_pending(database: Database, folders: Mapping[str, Path]) -> list[str]:
    """Return the names of migrations that weren't applied yet, plugins' with their owner in front."""
    pending = []
    for owner, runner in _runners(database, folders):
        for row in runner.status():
            if row.path is not None and row.applied is None:
                pending.append(_label(owner, row.name))
    return pending


def migrate(
    database: Database,
    folders: Mapping[str, Path],
    indexes: Mapping[str, str],
    search_mode: str = PARTS,
    advance: Advance | None = None,
) -> list[str]:
    """Apply what is pending and return its names; a second process waits, then finds nothing to do.

    `indexes` are those of plugins' fields, as statements by name; others of this kind are dropped. The indexes for
    search are made in `search_mode` where they aren't; `advance` is told how far that is.
    """
    with migrating(database.path):
        done = _carried_over(database, folders)
        for owner, runner in _runners(database, folders):
            for name in _applied(owner, runner):
                done.append(_label(owner, name))
        done += bring_indexes(database, indexes)
        return done + [
            f"index {name}" for name in search_making.bring_indexes(database, search_mode, advance)
        ]


def _carried_over(database: Database, folders: Mapping[str, Path]) -> list[str]:
    """Make the tables of a new database on a server, and return the names of the migrations that it has then."""
    if not database.server:
        return []
    from cms.db.postgres.migrating import carry_over

    owners = {owner: (_history(owner), folder) for owner, folder in {"cms": CORE, **folders}.items()}
    return [_label(owner, name) for owner, name in carry_over(database, owners, _applied)]


def _history(owner: str) -> str:
    return "schema_migration" if owner == "cms" else f"schema_migration_{owner}"


def _label(owner: str, migration: str) -> str:
    if owner == "cms":
        return migration
    return f"{owner}: {migration}"


def _applied(owner: str, runner: Runner) -> list[str]:
    try:
        return list(runner.up())
    except Exception as error:  # whatever a script raises, a plugin's among them
        pending = next((row.name for row in runner.status() if row.applied is None), "")
        whose = "" if owner == "cms" else f"plugin {owner}: "
        reason = " ".join(str(error).split())
        raise FailedMigration(
            f"{whose}migration {pending} failed: {type(error).__name__}: {reason}"
        ) from error


def require_migrated(database: Database, folders: Mapping[str, Path], search_mode: str | None) -> None:
    """Raise PendingMigrations unless the database is up to date and indexed for the mode of search, None for any."""
    pending = list_pending(database, folders)
    if pending:
        raise PendingMigrations(f"{database.path} needs {len(pending)} migration(s). Run: cms upgrade")
    if search_mode is not None and not search_making.are_indexes_right(database, search_mode):
        raise PendingMigrations(
            f"{database.path} isn't indexed for search_mode {search_mode}. Run: cms search reindex"
        )


def list_unknown(applied: Mapping[str, Iterable[str]], folders: Mapping[str, Path]) -> list[str]:
    """Return which applied migrations this version doesn't have, so that a newer one has made the database.

    What plugins have applied counts for those that are loaded.
    """
    unknown = []
    for owner, folder in {"cms": CORE, **folders}.items():
        known = {script.stem for script in folder.glob("*.py")}
        unknown += [_label(owner, name) for name in applied.get(owner, ()) if name not in known]
    return unknown


@contextmanager
def migrating(database: Path) -> Iterator[None]:
    """Keep others from migrating a database inside the `with`; waits for those who do."""
    with database.with_suffix(".migrating").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    # The file stays: removing it would let a third process lock another file of the same name.
