"""Copying a whole site into another database, its uploaded files into another storage."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass

from cms.config import Config
from cms.context import open_database
from cms.db.whole_copy import CopiedTables, copy_tables, receiving, source_of
from cms.db.whole_tables import Advance, SiteSchema
from cms.media.storage import Storage, holding
from cms.resources.media.moving import Moved, move_files
from cms.site import Site


@dataclass(frozen=True)
class CopiedSite:
    """What was copied; `is_behind` tells that somebody has written to the site meanwhile."""

    tables: CopiedTables
    files: Moved | None
    is_behind: bool


def copy_site(
    site: Site, target: Config, storage: Storage | None = None, advance: Advance | None = None
) -> CopiedSite:
    """Copy one state of a site into the new database that settings name, and the files of its media into a storage.

    Files come first. Raises CopyRefused, and then the database holds nothing, or ConfigError for a server it can't
    use.
    """
    database = open_database(target)
    registry = site.registry
    schema = SiteSchema(registry.migrations, registry.indexes, target["search_mode"])
    with holding(site.config.uploads_lock) if storage else nullcontext(), source_of(site.database) as source:
        version = site.context.version.number()
        with receiving(database, schema) as receiver:
            moved = move_files(site.context, site.context.storage, storage, advance) if storage else None
            tables = copy_tables(source, receiver, advance)
    if target.server:
        target.database.touch(mode=0o640)
    return CopiedSite(tables, moved, site.context.version.number() != version)
