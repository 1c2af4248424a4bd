"""Whether what a backup holds is right: the database in itself, its counts, the files that it names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from cms.backup.copies import find_dump_faults
from cms.backup.manifest import DUMP, UPLOADS, Manifest
from cms.db.sqlite.copies import count_content, find_damage, needed_keys


def find_faults(database: Path, manifest: Manifest) -> list[str]:
    """Return what is wrong with the database of an archive, by what its manifest says: the first thing, or nothing."""
    if manifest.database.name == DUMP:
        return find_dump_faults(database)
    damage = find_damage(database)
    if damage:
        return [f"its database is damaged ({damage})"]
    counts = count_content(database)
    for kind, number in manifest.counts.items():
        if counts.get(kind, 0) != number:
            return [f"its database has {counts.get(kind, 0)} of {kind} instead of {number}"]
    there = {entry.name.removeprefix(UPLOADS) for entry in manifest.files}
    lost = sorted(needed_keys(database) - there - set(manifest.missing))
    return [f"the file {lost[0]}, which its database names, is in neither list"] if lost else []


def missing_files(keys: Collection[str], uploads: Path) -> Iterator[str]:
    """Yield sentences about files of some keys that a folder hasn't."""
    for key in sorted(keys):
        if not (uploads / key).is_file():
            yield missing(key)


def missing(key: str) -> str:
    """Return the sentence about a file that an item has and a folder hasn't."""
    return f"The file {key} of an item isn't there."
