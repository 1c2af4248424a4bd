"""Cropping and turning a picture: a new media item, made from the file of another one."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from cms.admin.session import account_in_session
from cms.call import Call
from cms.errors import ApiError, InvalidParams
from cms.i18n import _
from cms.resources.media.rules import CAPABILITY
from cms.schema.endpoint import Answer, Endpoint, Route
from cms.schema.fields import Integer
from cms.schema.resource import Arguments
from cms.schema.schemas import ArgumentSchema
from cms.site import Site

#: The largest number of pixels that is asked about at all.
MOST = 1_000_000
#: What the new item says as the other one does.
SAME = ("title", "caption", "description")


class CropArgs(ArgumentSchema):
    """Which part of which picture."""

    media = Integer(_("Id of the picture."), required=True)
    x = Integer(_("Where the part begins, in pixels from the left."), minimum=0, maximum=MOST, default=0)
    y = Integer(_("Where the part begins, in pixels from the top."), minimum=0, maximum=MOST, default=0)
    width = Integer(_("Width of the part in pixels."), minimum=1, maximum=MOST, required=True)
    height = Integer(_("Height of the part in pixels."), minimum=1, maximum=MOST, required=True)
    rotate = Integer(_("How far the part is turned clockwise then: 0, 90, 180 or 270 degrees."), default=0)


def _crop(call: Call) -> Answer:
    account_in_session(call)
    site, args = call.site, call.args
    if args["rotate"] not in (0, 90, 180, 270):
        raise InvalidParams({"rotate": _("A part is turned by 0, 90, 180 or 270 degrees.")})
    # Whoever may not read the editable form may not copy it either.
    item = site.client("media").get(args["media"], user=call.principal, context="edit")
    row = site.stores.media.file_of(args["media"])
    if item["media_type"] != "image" or row is None:
        raise not_croppable()
    site.config.incoming.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=site.config.incoming) as folder:
        made = _part_of(site, row["file"], args, Path(folder))
        name = PurePosixPath(row["file"])
        values: dict[str, Any] = {"alt_text": item["alt_text"], "post": item["post"] or 0}
        for field in SAME:
            values[field] = item[field]["raw"]
        new = site.client("media").create(
            user=call.principal, file=made, file_name=f"{name.stem}-part{name.suffix}", **values
        )
    return Answer(new, status=201, allow=None)


def _part_of(site: Site, key: str, args: Arguments, folder: Path) -> Path:
    """Write the part of a stored picture to a file; raises ApiError where there is none."""
    # Decoding is imported where there is something to decode.
    from cms.media.cropping import Part, cut
    from cms.media.pictures import BrokenPicture

    source, target = folder / "source", folder / "part"
    try:
        with site.context.storage.open(key).file as stored, source.open("wb") as file:
            shutil.copyfileobj(stored, file, 1 << 20)
        cut(source, Part(args["x"], args["y"], args["width"], args["height"], args["rotate"]), target)
    except (BrokenPicture, FileNotFoundError):
        raise not_croppable() from None
    return target


def not_croppable() -> ApiError:
    """Build the answer where there is no such part of a picture."""
    message = _("There is no such part of a picture. Choose one inside of it.")
    return ApiError("cms_no_picture_part", message, 400)


ROUTES = (Route("/crop", (Endpoint(("POST",), _crop, CAPABILITY, CropArgs),), namespace=""),)
