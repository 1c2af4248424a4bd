"""Keeping the file of an upload: is it welcome, where does it lie, what is known of it.

What decodes pictures is imported when there is one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from cms.context import SiteContext
from cms.errors import ApiError
from cms.i18n import Text, _
from cms.media.names import base_name, ending_of, safe_name, title_of
from cms.media.storage import LocalStorage, StorageUnavailable
from cms.media.types import BY_ENDING, FileType, TooManyPixels
from cms.media.uploads import Upload, too_large

log = logging.getLogger("cms")


@dataclass
class StoredFile:
    """A file that has found its place: its key, its type, its title if it gets no other, what is told of it."""

    key: str
    kind: FileType
    title: str
    size: int
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def keys(self) -> list[str]:
        """The keys of the file and its renditions."""
        return all_keys(self.key, self.details)


def all_keys(key: str, details: dict[str, Any]) -> list[str]:
    """Return the keys of a file and of its renditions, which lie in the same folder."""
    folder = PurePosixPath(key).parent
    return [key, *((folder / size["file"]).as_posix() for size in details.get("sizes", {}).values())]


def close_files(site: SiteContext, keys: list[str]) -> None:
    """Let nothing but the site itself read files that lie in its folder, such as a web server in front of it.

    They are closed once the transaction is committed; one that can't be is logged.
    """
    if isinstance(site.storage, LocalStorage):
        for key in keys:
            site.database.after_commit(partial(site.storage.close, key))


@contextmanager
def stored(site: SiteContext, upload: Upload) -> Iterator[StoredFile]:
    """Keep an upload with its renditions; all of it is removed again where what follows fails.

    Raises ApiError for what isn't welcome; then nothing was kept.
    """
    made: list[str] = []
    try:
        yield store_file(site, upload, made)
    except BaseException:
        for key in made:
            site.storage.delete(key)
        raise


def store_file(site: SiteContext, upload: Upload, made: list[str], month: str | None = None) -> StoredFile:
    """Keep an upload with its renditions below a month (`2026/11`), the present one where none is given.

    Each key that was kept is added to `made` at once: whoever calls removes them where what follows fails. With a
    month given, the database isn't asked for anything. Raises ApiError for what isn't welcome.
    """
    kind, name = _accept(site, upload)
    month = month or datetime.now(site.settings.zone).strftime("%Y/%m")
    with TemporaryDirectory(dir=site.config.incoming) as folder:
        if kind.mime == "image/svg+xml":
            upload = _cleaned(site, upload, Path(folder))
        return _store(site, upload, kind, f"{month}/{name}", Path(folder), made)


def _accept(site: SiteContext, upload: Upload) -> tuple[FileType, str]:
    """Return an upload's type and the name to keep it under."""
    from cms.media.pictures import BrokenPicture, measure
    from cms.media.recognition import recognise

    welcome = site.config["upload_types"]
    name = safe_name(upload.name, frozenset(welcome))
    ending = ending_of(name)
    if ending not in welcome:
        raise _unwelcome(
            upload,
            _("Files of this type aren't taken. Endings that are: %(endings)s.", endings=", ".join(welcome)),
        )
    try:
        kind = recognise(upload.path, ending)
        if kind is not None and kind.picture:
            _bound(site, *measure(upload.path))
    except TooManyPixels:
        raise _too_many_pixels(site) from None
    except BrokenPicture:
        kind = None
    if kind is None or kind.endings[0] not in {e for w in welcome for e in BY_ENDING[w].endings}:
        raise _unwelcome(upload, _("The file isn't what its name says, or it is damaged."))
    return kind, name if ending in kind.endings else f"{title_of(name)}.{kind.endings[0]}"


def _bound(site: SiteContext, width: int, height: int) -> None:
    if width * height > site.config["max_pixels"]:
        raise _too_many_pixels(site)


def _too_many_pixels(site: SiteContext) -> ApiError:
    message = _(
        "The picture has more than %(most)s pixels. Make it smaller, then send it again.",
        most=site.config["max_pixels"],
    )
    return ApiError("rest_upload_too_many_pixels", message)


def _unwelcome(upload: Upload, message: Text) -> ApiError:
    return ApiError("rest_upload_unknown_error" if upload.form else "rest_upload_sideload_error", message)


def _cleaned(site: SiteContext, upload: Upload, folder: Path) -> Upload:
    from cms.media.svg import clean_svg

    cleaned = clean_svg(upload.path)
    if cleaned is None:
        raise _unwelcome(upload, _("The file isn't what its name says, or it is damaged."))
    if len(cleaned) > site.config["max_upload"]:
        raise too_large(site.config["max_upload"])
    path = folder / "cleaned.svg"
    path.write_bytes(cleaned)
    return replace(upload, path=path, size=len(cleaned))


def _store(
    site: SiteContext, upload: Upload, kind: FileType, wanted: str, folder: Path, made: list[str]
) -> StoredFile:
    key = _put(site, upload.path, wanted)
    made.append(key)
    details = {"file": key, "filesize": upload.size}
    if kind.picture:
        details = {
            **_measures(upload.path),
            **details,
            **store_renditions(site, key, kind, upload.path, folder, made),
        }
    title = title_of(base_name(upload.name) if upload.form else PurePosixPath(key).name)
    return StoredFile(key, kind, title, upload.size, details)


def _put(site: SiteContext, source: Path, wanted: str) -> str:
    """Store a file and return its key: one that no item has, not even an item whose own file is lost."""
    path, number, name = PurePosixPath(wanted), 0, wanted
    while True:
        key = site.storage.put(source, name)
        if not site.stores.media.is_named(key):
            return key
        site.storage.delete(key)
        number += 1
        name = path.with_stem(f"{path.stem}-{number}").as_posix()


def store_renditions(
    site: SiteContext, key: str, kind: FileType, source: Path, folder: Path, made: list[str]
) -> dict[str, Any]:
    """Make renditions of a picture and keep them beside it; those that can't be are named as missing."""
    from cms.media.pictures import render

    path = PurePosixPath(key)
    sizes: dict[str, Any] = {}
    rendered, missing = render(source, folder)
    for rendition in rendered:
        name = f"{path.stem}-{rendition.width}x{rendition.height}{path.suffix}"
        try:
            stored = site.storage.put(rendition.path, (path.parent / name).as_posix())
        except StorageUnavailable:
            raise
        except OSError as error:
            log.warning("the rendition %s of %s could not be kept: %s", rendition.size.name, key, error)
            missing.append(rendition.size.name)
            continue
        made.append(stored)
        sizes[rendition.size.name] = {
            "file": PurePosixPath(stored).name,
            "width": rendition.width,
            "height": rendition.height,
            "mime_type": kind.mime,
            "filesize": rendition.path.stat().st_size,
        }
    return {"sizes": sizes, **({"missing": missing} if missing else {})}


def _measures(path: Path) -> dict[str, Any]:
    from cms.media.pictures import camera_notes, measure

    width, height = measure(path)
    return {"width": width, "height": height, "image_meta": camera_notes(path)}
