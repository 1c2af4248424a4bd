"""Bringing the dump of an archive into a database of PostgreSQL: in one transaction of a site, or into one aside."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cms.backup.archive import Archive, Progress, open_archive
from cms.backup.copies import copy_present, has_database, keys_of
from cms.backup.errors import BackupError
from cms.backup.making import SiteArchive, dated_name, default_target
from cms.backup.manifest import DUMP
from cms.backup.programs import statements_of
from cms.backup.retention import BEFORE_RESTORE
from cms.backup.uploads import Uploads
from cms.config import Config
from cms.context import SiteContext
from cms.db.errors import DATABASE_ERRORS, OPERATIONAL_ERRORS
from cms.db.migrate import migrate


def require_engine(archive: Archive, config: Config) -> None:
    """Refuse an archive of a site whose database is of the other kind; raises BackupError."""
    is_dump = archive.manifest.database.name == DUMP
    if is_dump and not config.server:
        raise BackupError(
            "The archive is of a site on PostgreSQL, and this site's database is a file. Restore it where database is "
            "the address of a server, then bring the site into a file: cms copy"
        )
    if config.server and not is_dump:
        raise BackupError(
            "The archive is of a site in a file, and this site's database is on PostgreSQL. Restore it into another "
            "instance folder, then bring that site here: cms copy"
        )


def put_dump(
    site: SiteContext, dump: Path, uploads: Uploads, folder: Path, progress: Progress | None
) -> tuple[str, list[str]]:
    """Give a site the content of a dump in one transaction, which holds the write lock from its start.

    Returns the archive with what was there before, if anything was, and which migrations were applied. Raises
    BackupError where it can't be done.
    """
    number = 1 + secrets.randbelow(2**31 - 1)
    try:
        if has_database(site.config):
            return _replace_present(site, dump, uploads, number, folder, progress)
        uploads.put(number)
        return "", _replace(site, dump, number)
    except BaseException:
        uploads.take_back(number)
        raise


def _replace_present(
    site: SiteContext, dump: Path, uploads: Uploads, number: int, folder: Path, progress: Progress | None
) -> tuple[str, list[str]]:
    """Replace the content of a site; what is there is archived to the last write before it."""
    target, aside = default_target(site.config), folder / "present"
    aside.mkdir()
    with target.writing(dated_name(site, target, BEFORE_RESTORE)) as part:
        present = SiteArchive(site, part, progress)
        present.add_uploads(keys_of(site.config))
        known = present.verify()
        uploads.put(number)
        with site.database.write():
            present.complete(copy_present(site.config, aside))
            with open_archive(part.path) as archive:
                archive.check(left_out=known)
            place = part.publish()
            return place, _replace(site, dump, number)


def load_dump(site: SiteContext, dump: Path) -> None:
    """Bring a dump into the empty database of a site, and migrate it; raises BackupError."""
    _replace(site, dump, 0)


def _replace(site: SiteContext, dump: Path, number: int) -> list[str]:
    """Replace what is in a database by a dump, and return which migrations were applied; raises BackupError."""
    from cms.db.postgres import contents  # nothing of it is imported for a file

    registry, database = site.registry, site.database
    with _explaining(), database.write():
        before = contents.clear(database)
        schema = contents.schema_of(database)
        with statements_of(dump, schema) as statements:
            contents.load(database, statements)
        if not contents.is_loaded(database):
            raise BackupError(
                f"The archive has nothing for the schema {schema}, in which this site's tables are."
            )
        contents.take_over(database, before, number)
        migrated = migrate(database, registry.migrations, registry.indexes, site.config["search_mode"])
        contents.give_rights(database, before)
        return migrated


@contextmanager
def _explaining() -> Iterator[None]:
    """Raise BackupError for what the server refuses."""
    try:
        yield
    except OPERATIONAL_ERRORS as error:
        raise BackupError(
            f"The server can't do it now ({_first_line(error)}). Somebody may be reading for long, such as an "
            "export or a backup: wait for the end of that, and restore again."
        ) from error
    except DATABASE_ERRORS as error:
        raise BackupError(f"The server refuses what is in the archive: {_first_line(error)}.") from error


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].strip() or type(error).__name__


@contextmanager
def scratch_database(config: Config) -> Iterator[str]:
    """Give the address of an empty database on a site's server, which is removed afterwards; raises BackupError."""
    from cms.db.postgres import scratch

    name = f"cms_check_{secrets.token_hex(6)}"
    try:
        address = scratch.make(config.server, name)
    except DATABASE_ERRORS as error:
        raise BackupError(
            f"No database can be made to try this in ({_first_line(error)}). Give the account of the site that right: "
            'ALTER ROLE … CREATEDB. Without it "cms backup verify" reads an archive to its end, and "cms migrate" '
            "migrates without a trial."
        ) from error
    try:
        yield address
    finally:
        scratch.remove(config.server, name)
