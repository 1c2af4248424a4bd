"""Pictures: their size, their camera's notes (EXIF) and their renditions, read and made by Pillow."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, SupportsFloat

from PIL import ExifTags, Image, ImageOps

from cms import forks
from cms.media.types import BY_PICTURE
from cms.rendering.markup import strip_tags

log = logging.getLogger("cms")

#: The values of EXIF orientation for which width and height change places.
ROTATED = (5, 6, 7, 8)


class _Turn:
    """One picture is decoded at a time: a small host has memory for one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        forks.register(self)

    def leave_to_parent(self) -> None:
        """Forget, in a forked child, that a thread of the parent may just have been decoding."""
        self.lock = threading.Lock()


turn = _Turn()


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


#: A number in the forms of EXIF.
ExifNumber = SupportsFloat | str | bytes


class BrokenPicture(Exception):
    """A file that begins like a picture and can't be decoded."""


@dataclass(frozen=True)
class Rendition:
    """A smaller picture of a picture, in a temporary file; its measures are in pixels."""

    size: Size
    path: Path
    width: int
    height: int


def measure(path: Path) -> tuple[int, int]:
    """Return width and height in pixels, as EXIF orientation turns the picture; decodes nothing.

    Raises BrokenPicture where they can't be read.
    """
    with open_picture(path) as picture:
        width, height = picture.size
        orientation = _exif(picture).get(ExifTags.Base.Orientation)
    if orientation in ROTATED:
        return height, width
    return width, height


def fit(size: Size, width: int, height: int) -> tuple[int, int] | None:
    """Return a rendition's width and height in pixels, or None where it wouldn't be smaller than the picture."""
    if size.crop:
        found = min(size.width, width), min(size.height, height)
    else:
        scale = min(size.width / width, 1.0)
        if size.height:
            scale = min(scale, size.height / height)
        found = max(1, round(width * scale)), max(1, round(height * scale))
    if found == (width, height):
        return None
    return found


def render(path: Path, folder: Path, sizes: tuple[Size, ...] = SIZES) -> tuple[list[Rendition], list[str]]:
    """Make the renditions of a picture in a folder; return them and the names of the sizes that failed.

    Raises BrokenPicture where the picture can't even be measured.
    """
    wanted = _plan(path, folder, sizes)
    if not wanted:
        return [], []
    made: list[Rendition] = []
    try:
        with turn.lock, open_picture(path) as picture:
            decoded = _decode(picture, max(max(each.width, each.height) for each in wanted))
            for rendition in wanted:
                if _save(decoded, rendition, picture.format or "PNG"):
                    made.append(rendition)
    except (BrokenPicture, MemoryError) as error:
        log.warning("%s can't be decoded, so it has no renditions: %s", path.name, error)
        made = []
    return made, [each.size.name for each in wanted if each not in made]


def _plan(path: Path, folder: Path, sizes: tuple[Size, ...]) -> list[Rendition]:
    """Return the renditions that a picture is to have, their files still missing."""
    width, height = measure(path)
    wanted = []
    for size in sizes:
        if measures := fit(size, width, height):
            wanted.append(Rendition(size, folder / size.name, *measures))
    return wanted


@contextmanager
def open_picture(path: Path) -> Iterator[Image.Image]:
    """Open a picture, of which nothing is decoded yet; raises BrokenPicture, also for what fails inside."""
    try:
        with Image.open(path, formats=tuple(BY_PICTURE)) as picture:
            yield picture
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BrokenPicture(str(error)) from error


def _exif(picture: Image.Image) -> Image.Exif:
    """Return the EXIF data of the header; the picture's own method would decode some formats."""
    found = Image.Exif()
    found.load(picture.info.get("exif", b""))
    return found


def _decode(picture: Image.Image, largest: int) -> Image.Image:
    """Return the picture turned upright, not much larger than its largest rendition."""
    try:
        if picture.format == "JPEG":
            # Decodes at a fraction of the size, in much less memory.
            picture.draft("RGB", (2 * largest, 2 * largest))
        profile = picture.info.get("icc_profile")
        shrunk = _shrink(picture, 2 * largest)
        upright = ImageOps.exif_transpose(shrunk)
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise BrokenPicture(str(error)) from error
    upright = to_common_mode(upright)
    upright.info = {}
    if profile:
        upright.info["icc_profile"] = profile
    return upright


def to_common_mode(picture: Image.Image) -> Image.Image:
    """Return a picture in a mode that all formats of ours can be written from."""
    if picture.mode in ("RGB", "RGBA", "L", "LA"):
        return picture
    if "transparency" in picture.info or "A" in picture.mode:
        return picture.convert("RGBA")
    return picture.convert("RGB")


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
    options = dict(OPTIONS.get(format, {}))
    if "icc_profile" in picture.info:
        options["icc_profile"] = picture.info["icc_profile"]
    try:
        small = _resize(picture, rendition)
        if format == "JPEG" and small.mode not in ("RGB", "L"):
            small = small.convert("RGB")
        small.save(rendition.path, format, **options)
    except (OSError, ValueError, MemoryError) as error:
        log.warning("the rendition %s could not be made: %s", rendition.size.name, error)
        return False
    return True


def _resize(picture: Image.Image, rendition: Rendition) -> Image.Image:
    measures = rendition.width, rendition.height
    if rendition.size.crop:
        return ImageOps.fit(picture, measures)
    return picture.resize(measures, Image.Resampling.LANCZOS)


def camera_notes(path: Path) -> dict[str, str | list[str]]:
    """Return the camera's notes about a picture; numbers are texts too, missing ones "0", other texts empty.

    Markup in them is left out: no note begins a tag.

    `created_timestamp` is in seconds since 1970, `shutter_speed` in seconds, `focal_length` in millimetres.
    """
    try:
        with open_picture(path) as picture:
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


def _number(value: ExifNumber | tuple[ExifNumber, ...] | None) -> str:
    try:
        if isinstance(value, tuple):
            value = value[0]
        if value is None:
            return "0"
        return f"{float(value):.10g}"
    except (TypeError, ValueError, ZeroDivisionError, IndexError):
        return "0"


def _text(value: object) -> str:
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if not isinstance(value, str):
        return ""
    return strip_tags("".join(filter(str.isprintable, value))).strip()[:1000]


def _seconds(value: object) -> str:
    if not isinstance(value, str):
        return "0"
    try:
        moment = datetime.strptime(value, "%Y:%m:%d %H:%M:%S").replace(tzinfo=UTC)
        return str(int(moment.timestamp()))
    except (ValueError, OverflowError):
        return "0"
