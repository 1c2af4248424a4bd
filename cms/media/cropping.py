"""A part of a picture as a picture of its own, turned if that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps

from cms.media.pictures import OPTIONS, BrokenPicture, open_picture, to_common_mode, turn

#: How far a part can be turned clockwise, in degrees.
TURNS = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
#: A part is shown as large as it is, so that it is written better than renditions are.
QUALITY = {"quality": 92}


@dataclass(frozen=True)
class Part:
    """A part of a picture as people see it, in its pixels, and by how many degrees it is turned clockwise then."""

    x: int
    y: int
    width: int
    height: int
    rotate: int = 0


def cut(source: Path, part: Part, target: Path) -> None:
    """Write a part of a picture to a file of the same format, without the camera's notes.

    Raises BrokenPicture where the picture can't be decoded or has nothing there.
    """
    with turn.lock, open_picture(source) as picture:
        format, profile = picture.format or "PNG", picture.info.get("icc_profile")
        upright = to_common_mode(ImageOps.exif_transpose(picture))
        right, lower = part.x + part.width, part.y + part.height
        if right > upright.width or lower > upright.height:
            raise BrokenPicture("the part lies outside of the picture")
        found = upright.crop((part.x, part.y, right, lower))
        if part.rotate:
            found = found.transpose(TURNS[part.rotate])
        if format == "JPEG" and found.mode not in ("RGB", "L"):
            found = found.convert("RGB")
        found.info = {}
        options = dict(OPTIONS.get(format, {}))
        if "quality" in options:
            options |= QUALITY
        if profile:
            options["icc_profile"] = profile
        found.save(target, format, **options)
