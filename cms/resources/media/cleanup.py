"""Looking after uploaded files: removing what nothing needs any more, making renditions anew."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import orjson

from cms.media.storage import removing
from cms.media.types import BY_MIME
from cms.resources.media.files import all_keys, store_renditions

if TYPE_CHECKING:
    from cms.site import Site

DUE = "SELECT key FROM unused_files WHERE due_gmt <= ? LIMIT 500"
FORGET = "DELETE FROM unused_files WHERE key IN (SELECT value FROM json_each(?))"
PICTURES = """
SELECT c.id, c.mime_type, m.file, m.details FROM content c JOIN media m ON m.content_id = c.id
WHERE c.type = 'attachment' AND c.mime_type LIKE 'image/%' AND m.file <> '' AND c.id > ? ORDER BY c.id LIMIT 100
"""
UNUSED = "INSERT INTO unused_files (key, due_gmt) SELECT value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING"
#: Seconds after which what an upload left behind is of an upload that ended long ago.
ABANDONED = 86_400


def discard_files(site: Site, keys: Iterable[str], due: str) -> None:
    """Note files to be removed when their time has come; to be called in the transaction that lets go of them."""
    site.database.execute(UNUSED, (due, orjson.dumps(list(keys)).decode()))


def remove_unused(site: Site) -> int:
    """Remove files whose time has come and return how many; none while somebody copies the uploads."""
    removed = 0
    with removing(site.config.uploads_lock) as allowed:
        while allowed and (keys := [row["key"] for row in site.database.rows(DUE, (site.now(),))]):
            for key in keys:
                site.storage.delete(key)
            with site.database.write():
                site.database.execute(FORGET, (orjson.dumps(keys).decode(),))
            removed += len(keys)
    return removed


def remove_abandoned(site: Site, now: Callable[[], float] = time.time) -> int:
    """Remove what interrupted uploads left, in the folder of arrivals and among the uploads; return how many."""
    latest = now() - ABANDONED
    removed = 0
    for path in site.config.incoming.glob("*"):
        if path.stat().st_mtime < latest:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            removed += 1
    with removing(site.config.uploads_lock) as allowed:
        for key in list(_strays(site, latest)) if allowed else ():
            site.storage.delete(key)
            removed += 1
    return removed


def _strays(site: Site, latest: float) -> Iterator[str]:
    """Yield files that no item has, unless they are new: an upload keeps its file before it stores its item."""
    known = {row["key"] for row in site.database.rows("SELECT key FROM unused_files")}
    for row in site.database.rows("SELECT file, details FROM media WHERE file <> ''"):
        known.update(all_keys(row["file"], orjson.loads(row["details"])))
    for key, changed in site.storage.walk():
        if key not in known and changed < latest:
            yield key


def pictures(site: Site) -> Iterator[Any]:
    """Yield the rows of all pictures that have a file, some at a time."""
    last = 0
    while rows := site.database.rows(PICTURES, (last,)):
        yield from rows
        last = rows[-1]["id"]


def regenerate_renditions(site: Site, row: Any) -> list[str]:
    """Make a picture's renditions anew and return the names of those that could not be made."""
    details = orjson.loads(row["details"])
    site.config.incoming.mkdir(parents=True, exist_ok=True)
    made: list[str] = []
    with TemporaryDirectory(dir=site.config.incoming) as folder:
        source = Path(folder) / "source"
        with site.storage.open(row["file"]).file as stored, source.open("wb") as file:
            shutil.copyfileobj(stored, file, 1 << 20)
        try:
            changed = store_renditions(
                site, row["file"], BY_MIME[row["mime_type"]], source, Path(folder), made
            )
            told = {k: v for k, v in details.items() if k != "missing"} | changed
            _store(site, row, details, told)
        except BaseException:
            for key in made:
                site.storage.delete(key)
            raise
    return list(changed.get("missing", []))


def _store(site: Site, row: Any, before: dict[str, Any], after: dict[str, Any]) -> None:
    old = all_keys(row["file"], before)[1:]
    with site.database.write():
        site.database.execute(
            "UPDATE media SET details = ? WHERE content_id = ?", (orjson.dumps(after).decode(), row["id"])
        )
        site.database.execute("UPDATE content SET version = version + 1 WHERE id = ?", (row["id"],))
        # Pages and caches may still name the old ones.
        discard_files(site, old, site.due_for_removal())
