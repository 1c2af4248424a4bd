"""Another file for a media item: of the same type, and found at the addresses that the former one had."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from cms.call import Call
from cms.context import SiteContext
from cms.db.models import ContentRow
from cms.errors import ApiError
from cms.i18n import _
from cms.media.object_storage import ObjectStorage
from cms.media.storage import removing
from cms.resources.media.files import StoredFile, stored
from cms.resources.media.rules import CAPABILITY
from cms.schema.endpoint import Answer, Endpoint, Route


def _replace(call: Call) -> Answer:
    site, operations, id = call.site, call.site.operations["attachment"], int(call.path["id"])
    operations.find_permitted(id, "update", {}, call.principal)
    if call.open_upload is None:
        raise ApiError("rest_upload_no_data", _("No file was sent."))
    if isinstance(site.context.storage, ObjectStorage):
        # Several objects can't be put in place at once: a store that fails meanwhile would leave half of them.
        message = _("Files in a bucket can't be replaced. Upload the new file as an item of its own.")
        raise ApiError("cms_no_replacing", message, 409)
    with removing(site.config.uploads_lock) as is_free, stored(site.context, call.open_upload()) as file:
        if not is_free:
            raise ApiError("cms_backup_running", _("A backup is being made already. Wait for its end."), 409)

        def put(row: ContentRow) -> None:
            _put(site.context, row, file)

        operations.update(id, {}, call.principal, call.versions, put)
    return Answer(site.client("media").get(id, user=call.principal, context="edit"), allow=None)


def _put(site: SiteContext, row: ContentRow, file: StoredFile) -> None:
    """Give an item a stored file in place of its own; raises ApiError for one of another type."""
    present = site.stores.media.file_of(row["id"])
    if present is None or not present["file"] or row["mime_type"] != file.kind.mime:
        message = _("The new file must be of the same type: %(type)s.", type=row["mime_type"])
        raise ApiError("cms_other_file_type", message, 400)
    sizes = _put_files(site, present["file"], orjson.loads(present["details"]).get("sizes", {}), file)
    for key in file.keys:
        site.storage.delete(key)
    details = {**file.details, "file": present["file"], **({"sizes": sizes} if sizes else {})}
    values = {"size": file.size, "details": orjson.dumps(details).decode()}
    site.stores.media.update_file(row["id"], values)


def _put_files(
    site: SiteContext, key: str, former: Mapping[str, Any], file: StoredFile
) -> dict[str, dict[str, Any]]:
    """Put the new file and its renditions at the addresses of the former ones, and return its renditions.

    Where it has no such rendition, the picture itself lies there: the address may stand in a text.
    """
    made, sizes = file.details.get("sizes", {}), {}
    whole: dict[str, Any] = {"mime_type": file.kind.mime, "filesize": file.size}
    for name in ("width", "height"):
        if name in file.details:
            whole[name] = file.details[name]
    with TemporaryDirectory(dir=site.config.incoming) as folder:
        copy = Path(folder) / "file"
        _place(site, file.key, key, copy, is_former=True)
        for name in {**made, **former}:
            source = _beside(file.key, made[name]["file"]) if name in made else file.key
            wanted = _beside(key, former.get(name, made.get(name))["file"])
            placed = _place(site, source, wanted, copy, is_former=name in former)
            sizes[name] = {**made.get(name, whole), "file": PurePosixPath(placed).name}
    return sizes


def _beside(key: str, name: str) -> str:
    return (PurePosixPath(key).parent / name).as_posix()


def _place(site: SiteContext, source: str, wanted: str, copy: Path, *, is_former: bool) -> str:
    """Store a copy of a stored file and return its key; what a former file has becomes free first."""
    with site.storage.open(source).file as stored_file, copy.open("wb") as file:
        shutil.copyfileobj(stored_file, file, 1 << 20)
    if is_former:
        site.storage.delete(wanted)
    placed = site.storage.put(copy, wanted)
    copy.unlink()
    return placed


ROUTES = (
    Route(
        "/media/<digits:id>/file",
        (Endpoint(("POST",), _replace, CAPABILITY, upload_capability=CAPABILITY),),
        namespace="",
    ),
)
