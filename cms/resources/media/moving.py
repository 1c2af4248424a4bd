"""Copying the files of all media from one storage to another, each copy checked."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from cms.context import SiteContext
from cms.media.storage import Storage, holding
from cms.resources.media.files import all_keys

#: Told of each file: what is done, and how much there is in all.
Advance = Callable[[str, int, int], None]
CHUNK = 1 << 20


@dataclass
class Moved:
    """How many files were copied, how many were there already, and why others weren't, by their keys."""

    copied: int = 0
    known: int = 0
    failed: dict[str, str] = field(default_factory=dict)


def move_files(site: SiteContext, source: Storage, target: Storage, advance: Advance | None = None) -> Moved:
    """Copy the files that items have; those in the source stay as they are, and nothing is written over."""
    moved = Moved()
    keys = list(dict.fromkeys(_needed(site)))
    site.config.incoming.mkdir(parents=True, exist_ok=True)
    with holding(site.config.uploads_lock), TemporaryDirectory(dir=site.config.incoming) as folder:
        for number, key in enumerate(keys, start=1):
            fault = _move(key, source, target, Path(folder) / "file", moved)
            if fault:
                moved.failed[key] = fault
            if advance:
                advance("copying", number, len(keys))
    return moved


def _needed(site: SiteContext) -> Iterator[str]:
    for file, details in site.stores.media.all_files():
        yield from all_keys(file, orjson.loads(details))


def _move(key: str, source: Storage, target: Storage, copy: Path, moved: Moved) -> str:
    """Copy a file by way of another; return what keeps it from being copied, empty where nothing does."""
    wanted = _digest(source, key, copy)
    there = _digest(target, key)
    if there and wanted in (there, ""):
        moved.known += 1
        return ""
    if there:
        return "another file has this name there"
    if not wanted:
        return "the file isn't there"
    stored = target.put(copy, key)
    if stored != key or _digest(target, stored) != wanted:
        target.delete(stored)
        return "the copy wasn't the same"
    moved.copied += 1
    return ""


def _digest(storage: Storage, key: str, copy: Path | None = None) -> str:
    """Return the digest of a file, which is copied to a path where one is given; empty where there is no file."""
    digest = hashlib.sha256()
    try:
        stored = storage.open(key)
    except FileNotFoundError:
        return ""
    if copy is not None:
        copy.unlink(missing_ok=True)  # a storage may have made a link of it
    with stored.file as file, Path(copy or os.devnull).open("wb") as target:
        while piece := file.read(CHUNK):
            digest.update(piece)
            target.write(piece)
    return digest.hexdigest()
