"""Pictures: their size, what the camera noted, and their renditions, made by Pillow."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PIL import ExifTags, Image, ImageOps

from cms.media.types import BY_PICTURE

log = logging.getLogger("cms")

#: The turned pictures among the values of EXIF orientation: width and height change places.
TURNED = (5, 6, 7, 8)
#: One picture is decoded at a time: a small host has memory for one.
_decoding = threading.Lock()


@dataclass(frozen=True)
class Size:
    """A rendition's bounds in pixels; a `crop` fills them, else the picture is fitted into them; 0 is no bound."""

    name: str
    width: int
    height: int
    crop: bool = False


SIZES = (
    Size("thumbnail", 150, 150, crop=True),
    Size("medium", 300, 300),
    Size("medium_large", 768, 0),
    Size("large", 1024, 1024),
)


OPTIONS: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 82, "progressive": True, "optimize": True},
    "PNG": {"optimize": True},
    "WEBP": {"quality": 82},
    "AVIF": {"quality": 60},
}


class BrokenPicture(Exception):
    """Say that a file begins like a picture and can't be decoded."""


@dataclass(frozen=True)
class Rendition:
    """A smaller picture of a picture, in a file that is still to be kept."""

    size: Size
    path: Path
    width: int
    height: int


def measure(path: Path) -> tuple[int, int]:
    """Return width and height as the picture is seen, its EXIF orientation applied; decodes nothing."""
    with _opened(path) as picture:
        width, height = picture.size
        turned = _exif(picture).get(ExifTags.Base.Orientation) in TURNED
    return (height, width) if turned else (width, height)


def fit(size: Size, width: int, height: int) -> tuple[int, int] | None:
    """Return a rendition's measures, or None where it wouldn't be smaller than the picture."""
    if size.crop:
        found = min(size.width, width), min(size.height, height)
    else:
        scale = min(size.width / width, size.height / height if size.height else 1.0, 1.0)
        found = max(1, round(width * scale)), max(1, round(height * scale))
    return None if found == (width, height) else found


def render(path: Path, folder: Path, sizes: tuple[Size, ...] = SIZES) -> tuple[list[Rendition], list[str]]:
    """Make the renditions of a picture in a folder; return them and the names of those that failed."""
    width, height = measure(path)
    wanted = [
        Rendition(size, folder / size.name, *fitted) for size in sizes if (fitted := fit(size, width, height))
    ]
    if not wanted:
        return [], []
    try:
        with _decoding, _opened(path) as picture:
            decoded = _decode(picture, max(max(each.width, each.height) for each in wanted))
            made = [each for each in wanted if _save(decoded, each, picture.format or "PNG")]
    except (BrokenPicture, MemoryError) as error:
        log.warning("%s can't be decoded, so it has no renditions: %s", path.name, error)
        made = []
    return made, [each.size.name for each in wanted if each not in made]


@contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    try:
        with Image.open(path, formats=tuple(BY_PICTURE)) as picture:
            yield picture
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BrokenPicture(str(error)) from error


def _exif(picture: Image.Image) -> Image.Exif:
    """Return what stands in the header; asking the picture itself would decode some formats."""
    found = Image.Exif()
    found.load(picture.info.get("exif", b""))
    return found


def _decode(picture: Image.Image, largest: int) -> Image.Image:
    """Return the upright picture, not much larger than what will be made of it."""
    try:
        if picture.format == "JPEG":
            picture.draft(
                "RGB", (2 * largest, 2 * largest)
            )  # decodes at a fraction of the size, in much less memory
        profile = picture.info.get("icc_profile")
        shrunk = _shrink(picture, 2 * largest)
        upright = ImageOps.exif_transpose(shrunk)
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise BrokenPicture(str(error)) from error
    if upright.mode not in ("RGB", "RGBA", "L", "LA"):
        upright = upright.convert("RGBA" if "transparency" in upright.info or "A" in upright.mode else "RGB")
    upright.info = {"icc_profile": profile} if profile else {}
    return upright


def _shrink(picture: Image.Image, largest: int) -> Image.Image:
    picture.load()
    factor = max(picture.size) // largest
    if factor < 2 or picture.mode == "P":
        return picture
    exif = picture.getexif()
    reduced = picture.reduce(factor)
    reduced.getexif()[ExifTags.Base.Orientation] = exif.get(ExifTags.Base.Orientation, 1)
    return reduced


def _save(picture: Image.Image, rendition: Rendition, format: str) -> bool:
    """Tell whether it worked: an upload doesn't fail because a smaller picture of it couldn't be made."""
    measures = rendition.width, rendition.height
    try:
        if rendition.size.crop:
            small = ImageOps.fit(picture, measures)
        else:
            small = picture.resize(measures, Image.Resampling.LANCZOS)
        if format == "JPEG" and small.mode not in ("RGB", "L"):
            small = small.convert("RGB")
        profile = {"icc_profile": picture.info["icc_profile"]} if "icc_profile" in picture.info else {}
        small.save(rendition.path, format, **OPTIONS.get(format, {}), **profile)
    except (OSError, ValueError, MemoryError) as error:
        log.warning("the rendition %s could not be made: %s", rendition.size.name, error)
        return False
    return True


def camera_notes(path: Path) -> dict[str, Any]:
    """Return what the camera noted about a picture, as texts; those that it didn't are "0" or empty."""
    try:
        with _opened(path) as picture:
            exif = _exif(picture)
            details = exif.get_ifd(ExifTags.IFD.Exif)
    except BrokenPicture:
        exif, details = Image.Exif(), {}
    base = ExifTags.Base
    return {
        "aperture": _number(details.get(base.FNumber)),
        "credit": _text(exif.get(base.Artist)),
        "camera": _text(exif.get(base.Model)),
        "caption": _text(exif.get(base.ImageDescription)),
        "created_timestamp": _seconds(details.get(base.DateTimeOriginal)),
        "copyright": _text(exif.get(base.Copyright)),
        "focal_length": _number(details.get(base.FocalLength)),
        "iso": _number(details.get(base.ISOSpeedRatings)),
        "shutter_speed": _number(details.get(base.ExposureTime)),
        "title": "",
        "orientation": _number(exif.get(base.Orientation)),
        "keywords": [],
    }


def _number(value: Any) -> str:
    try:
        return f"{float(value[0] if isinstance(value, tuple) else value):.10g}"
    except (TypeError, ValueError, ZeroDivisionError, IndexError):
        return "0"


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    return (
        "".join(sign for sign in value if sign.isprintable()).strip()[:1000] if isinstance(value, str) else ""
    )


def _seconds(value: Any) -> str:
    try:
        return str(int(datetime.strptime(value, "%Y:%m:%d %H:%M:%S").replace(tzinfo=UTC).timestamp()))
    except (TypeError, ValueError, OverflowError):
        return "0"
