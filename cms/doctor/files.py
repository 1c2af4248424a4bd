"""Checks of a site's files: who may read and write them, and whether the uploads are those that rows name."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from cms.backup.checks import missing, missing_files
from cms.backup.copies import keys_of, needed_keys
from cms.config import FILE as SETTINGS_FILE
from cms.context import SiteContext
from cms.db.sqlite.presence import log_of
from cms.doctor.checks import FAULT, MACHINE, ROWS, WARNING, check
from cms.media.object_storage import ObjectStorage
from cms.media.storage import LocalStorage, StorageUnavailable

#: Bits of a file's mode that let accounts read or write it that are neither its owner nor of its group.
OTHERS = stat.S_IROTH | stat.S_IWOTH
DAY = 86_400


def _private_files(site: SiteContext) -> Iterator[Path]:
    database = site.config.database
    files = () if site.config.server else (database, log_of(database))
    for path in (*files, site.config.instance / SETTINGS_FILE):
        if path.exists():
            yield path


def _close_to_others(site: SiteContext) -> str:
    closed = []
    for path in _private_files(site):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)
            closed.append(path.name)
    return f"Closed {', '.join(closed)} to other accounts."


@check(
    "readable-by-others",
    WARNING,
    "Any account of the machine can read the database or the settings, with hashes of passwords and tokens in them.",
    "Take the permission away: chmod o-rw.",
    MACHINE,
    _close_to_others,
)
def look_at_readers(site: SiteContext) -> Iterator[str]:
    """Find private files that others may read or write."""
    for path in _private_files(site):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & OTHERS:
            yield f"{path} has the mode {mode:04o}."


@check(
    "not-writable",
    FAULT,
    "The account that runs this can't write what the site writes.",
    "Give the files to the account that serves the site, and run this as that account.",
    MACHINE,
)
def look_at_writers(site: SiteContext) -> Iterator[str]:
    """Find what can't be written."""
    config = site.config
    for path in (config.instance, config.database, config.state, config.uploads, config.incoming):
        if path.exists() and not os.access(path, os.W_OK):
            yield f"{path} can't be written."


@check(
    "missing-files",
    FAULT,
    "The file of a media item isn't in the folder of uploads.",
    "Bring it back from a backup; for a rendition alone: cms media regenerate.",
    ROWS,
)
def look_at_missing(site: SiteContext) -> Iterator[str]:
    """Find items whose files aren't there."""
    if isinstance(site.storage, LocalStorage):
        yield from missing_files(needed_keys(site.config), site.config.uploads)
    elif isinstance(site.storage, ObjectStorage):
        there = {key for key, _changed in site.storage.walk()}
        for key in sorted(needed_keys(site.config) - there):
            yield missing(key)


@check(
    "object-storage",
    FAULT,
    "The object storage of the uploads can't be used: media can't be uploaded, or not be read either.",
    "Look at its address, its keys and its bucket: uploads, uploads_endpoint, AWS_ACCESS_KEY_ID.",
    MACHINE,
)
def look_at_object_storage(site: SiteContext) -> Iterator[str]:
    """Find an object storage that doesn't answer, or doesn't create only what isn't there."""
    if isinstance(site.storage, ObjectStorage):
        try:
            site.storage.require_claims()
            next(site.storage.walk(), None)
        except StorageUnavailable as error:
            yield f"{error.strerror}."


@check(
    "stray-files",
    WARNING,
    "The folder of uploads has files that nothing names, older than those of deleted items are kept.",
    "Look whether anybody needs them. They are removed by: cms media clean.",
    ROWS,
)
def look_at_strays(site: SiteContext) -> Iterator[str]:
    """Find files that no row names, unless they are new."""
    known = set(keys_of(site.config))
    days = max(1, site.config["unused_files_days"])
    latest = time.time() - days * DAY
    strays = sorted(key for key, changed in site.storage.walk() if key not in known and changed < latest)
    if strays:
        yield f"{len(strays)} file(s) that nothing names, the first is {strays[0]}."
