"""Pictures and other files, as small as they can be, under the names that an export gives them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from media.uploading import read
from PIL import Image

FORMATS = {"jpg": "JPEG", "jpeg": "JPEG", "png": "PNG", "gif": "GIF"}
REAL = {"mp3": "jingle.mp3", "mov": "film.mp4", "mp4": "film.mp4", "pdf": "report.pdf", "txt": "readme.txt"}


def picture(width: int = 40, height: int = 30, format: str = "JPEG") -> bytes:
    """Return a picture of one colour."""
    buffer = BytesIO()
    Image.new("RGB", (width, height), (width % 256, height % 256, 90)).save(buffer, format)
    return buffer.getvalue()


def content_of(name: str, width: int = 40, height: int = 30) -> bytes:
    """Return a file that is what its name says."""
    ending = name.rpartition(".")[2].lower()
    return picture(width, height, FORMATS[ending]) if ending in FORMATS else read(REAL[ending])


def put(folder: Path, place: str, data: bytes | None = None) -> None:
    """Write a file below a folder."""
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content_of(place) if data is None else data)
