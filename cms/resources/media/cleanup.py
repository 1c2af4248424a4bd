"""Looking after uploaded files: removing what nothing needs any more, making renditions again."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from cms.context import SiteContext
from cms.db.stores.media import Picture
from cms.media.storage import LocalStorage, removing
from cms.media.types import BY_MIME
from cms.resources.media.files import all_keys, store_renditions

#: Seconds after which what an upload left behind is of an upload that ended long ago.
ABANDONED_AFTER = 86_400


def remove_unused(site: SiteContext) -> int:
    """Remove files whose retention period is over and return how many; none while somebody copies the uploads."""
    removed = 0
    with removing(site.config.uploads_lock) as allowed:
        while allowed and (keys := site.stores.media.removable_keys(site.now())):
            for key in keys:
                site.storage.delete(key)
            site.stores.media.forget_unused(keys)
            removed += len(keys)
    return removed


def remove_abandoned(site: SiteContext, now: Callable[[], float] = time.time) -> int:
    """Remove what interrupted uploads left, in the folder of arrivals and among the uploads; return how many."""
    latest = now() - ABANDONED_AFTER
    # The lock is one of this host: others that use the same storage have the days of grace for what they do.
    grace = ABANDONED_AFTER
    if not isinstance(site.storage, LocalStorage):
        grace *= max(1, site.config["unused_files_days"])
    removed = 0
    for path in site.config.incoming.glob("*"):
        if path.stat().st_mtime < latest:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
            removed += 1
    with removing(site.config.uploads_lock) as allowed:
        if allowed:
            for key in list(_strays(site, now() - grace)):
                site.storage.delete(key)
                removed += 1
    return removed


def _strays(site: SiteContext, latest: float) -> Iterator[str]:
    """Yield files that no item has, unless they are new: an upload stores its file before its item."""
    known = site.stores.media.unused_keys()
    for file, details in site.stores.media.all_files():
        known.update(all_keys(file, orjson.loads(details)))
    for key, changed in site.storage.walk():
        if key not in known and changed < latest:
            yield key


def regenerate_renditions(site: SiteContext, picture: Picture) -> list[str]:
    """Make a picture's renditions again and return the names of those that could not be made."""
    details = orjson.loads(picture["details"])
    site.config.incoming.mkdir(parents=True, exist_ok=True)
    made: list[str] = []
    with TemporaryDirectory(dir=site.config.incoming) as folder:
        source = Path(folder) / "source"
        with site.storage.open(picture["file"]).file as stored, source.open("wb") as file:
            shutil.copyfileobj(stored, file, 1 << 20)
        try:
            kind = BY_MIME[picture["mime_type"]]
            changed = store_renditions(site, picture["file"], kind, source, Path(folder), made)
            unchanged = {name: value for name, value in details.items() if name != "missing"}
            _replace_details(site, picture, details, unchanged | changed)
        except BaseException:
            for key in made:
                site.storage.delete(key)
            raise
    return list(changed.get("missing", []))


def _replace_details(
    site: SiteContext, picture: Picture, before: dict[str, Any], after: dict[str, Any]
) -> None:
    with site.database.write():
        site.stores.media.replace_details(picture["id"], orjson.dumps(after).decode())
        # Pages and caches may still name the old ones.
        old = all_keys(picture["file"], before)[1:]
        site.stores.media.discard(old, site.removal_date())
