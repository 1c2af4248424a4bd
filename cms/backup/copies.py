"""A copy of a site's database for an archive, of whichever engine, and what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cms.backup.manifest import DATABASE, DUMP
from cms.backup.programs import check_dump, dump
from cms.config import Config
from cms.db.sqlite import copies as files


@dataclass(frozen=True)
class DatabaseCopy:
    """The file of a copy, its name in an archive, and what this state of the database holds."""

    path: Path
    name: str
    keys: list[str]
    counts: Mapping[str, int]
    migrations: Mapping[str, list[str]]


def copy_present(config: Config, folder: Path) -> DatabaseCopy:
    """Write one state of a site's database into a folder; raises BackupError where a program can't."""
    if config.server:
        return _dump(config.server, folder / DUMP)
    files.copy_database(config.database, folder / DATABASE)
    return describe_file(folder / DATABASE)


def describe_file(path: Path) -> DatabaseCopy:
    """Return what a database file holds, as a copy of a database."""
    return DatabaseCopy(
        path, DATABASE, files.file_keys(path), files.count_content(path), files.applied_migrations(path)
    )


def _dump(server: str, path: Path) -> DatabaseCopy:
    from cms.db.postgres import contents  # nothing of it is imported for a file

    with contents.one_state(server) as state:
        dump(contents.address_parts(server), state.schema, state.snapshot, state.version, path)
        return DatabaseCopy(path, DUMP, state.keys, state.counts, state.migrations)


def find_dump_faults(path: Path) -> list[str]:
    """Return what is wrong with the dump of an archive: the first thing, or nothing."""
    damage = check_dump(path)
    return [f"its database is damaged ({damage})"] if damage else []


def keys_of(config: Config) -> list[str]:
    """Return the keys of all uploaded files that a site's database names, those of deleted items that stay yet too."""
    if config.server:
        from cms.db.postgres import contents

        with contents.one_state(config.server) as state:
            return state.keys
    return files.file_keys(config.database)


def needed_keys(config: Config) -> set[str]:
    """Return the keys of the files that items of a site's database have."""
    if config.server:
        from cms.db.postgres import contents

        with contents.one_state(config.server) as state:
            return state.needed
    return files.needed_keys(config.database)


def size_of_present(config: Config) -> int:
    """Return about how many bytes a copy of a site's database takes."""
    if config.server:
        from cms.db.postgres import contents

        return contents.size_of(config.server)
    return size_of(config.database)


def size_of(database: Path) -> int:
    """Return about how many bytes a copy of an open database takes."""
    log = database.with_name(f"{database.name}-wal")
    return database.stat().st_size + (log.stat().st_size if log.exists() else 0)


def has_database(config: Config) -> bool:
    """Tell whether a site's database is there."""
    if config.server:
        from cms.db.postgres import contents

        return contents.has_site(config.server)
    return config.database.exists()


def marked(config: Config) -> int:
    """Return the number of the restore that a site's content comes from, 0 where there was none."""
    if config.server:
        from cms.db.postgres import contents

        return contents.marked(config.server)
    return files.marked(config.database) if config.database.exists() else 0
