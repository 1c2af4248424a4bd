"""Which files may be uploaded: their types by the ending of the name, checked against the bytes."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path

import puremagic
from PIL import Image, UnidentifiedImageError

#: How many bytes at the beginning of a file are looked at.
HEAD_LENGTH = 8192


@dataclass(frozen=True)
class FileType:
    """A type of file: `signs` are the endings that its bytes may be recognised as, `inline` ones open in a browser.

    `picture` is Pillow's name of the format, empty for other files.
    """

    mime: str
    endings: tuple[str, ...]
    signs: frozenset[str] = frozenset()
    picture: str = ""
    text: bool = False
    inline: bool = False


def _other(mime: str, *endings: str, signs: str = "", inline: bool = False) -> FileType:
    recognised_as = frozenset(signs.split() or endings)
    return FileType(mime, endings, recognised_as, inline=inline)


def _picture(mime: str, format: str, *endings: str) -> FileType:
    return FileType(mime, endings, picture=format, inline=True)


_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"

TYPES = (
    _picture("image/jpeg", "JPEG", "jpg", "jpeg", "jpe"),
    _picture("image/png", "PNG", "png"),
    _picture("image/gif", "GIF", "gif"),
    _picture("image/webp", "WEBP", "webp"),
    _picture("image/avif", "AVIF", "avif"),
    FileType("image/svg+xml", ("svg",), text=True, inline=True),
    _other("application/pdf", "pdf", inline=True),
    _other("audio/mpeg", "mp3", signs="mp3 mpga", inline=True),
    _other("audio/mp4", "m4a", signs="m4a f4a mp4", inline=True),
    _other("audio/ogg", "ogg", "oga", "opus", signs="ogg oga opus", inline=True),
    _other("audio/wav", "wav", inline=True),
    _other("audio/flac", "flac", inline=True),
    _other("video/mp4", "mp4", "m4v", signs="mp4 m4v f4v 3gp", inline=True),
    _other("video/quicktime", "mov", signs="mov mp4", inline=True),
    _other("video/webm", "webm", inline=True),
    _other("video/ogg", "ogv", signs="ogg ogv", inline=True),
    FileType("text/plain", ("txt",), text=True, inline=True),
    FileType("text/csv", ("csv",), text=True),
    FileType("text/vtt", ("vtt",), text=True),
    _other("application/zip", "zip", signs="zip docx xlsx pptx jar"),
    _other("application/rtf", "rtf"),
    _other("application/msword", "doc"),
    _other("application/vnd.ms-excel", "xls", signs="xls doc"),
    _other("application/vnd.ms-powerpoint", "ppt", signs="ppt doc"),
    _other(f"{_OFFICE}.wordprocessingml.document", "docx", signs="docx zip"),
    _other(f"{_OFFICE}.spreadsheetml.sheet", "xlsx", signs="xlsx zip"),
    _other(f"{_OFFICE}.presentationml.presentation", "pptx", signs="pptx zip"),
    _other(f"{_OPEN}.text", "odt", signs="odt zip"),
    _other(f"{_OPEN}.spreadsheet", "ods", signs="ods zip"),
    _other(f"{_OPEN}.presentation", "odp", signs="odp zip"),
)
BY_ENDING = {ending: kind for kind in TYPES for ending in kind.endings}
BY_PICTURE = {kind.picture: kind for kind in TYPES if kind.picture}
BY_MIME = {kind.mime: kind for kind in TYPES}
#: The default of the setting `upload_types`, without SVG, which can hold scripts.
DEFAULT_ENDINGS = tuple(ending for ending in BY_ENDING if ending != "svg")


#: Control characters that texts don't hold: all but tab, line feed, form feed, carriage return and escape.
_BINARY = frozenset(range(32)) - {9, 10, 12, 13, 27}


class TooManyPixels(Exception):
    """A picture that is too large to decode."""


def recognise(path: Path, ending: str) -> FileType | None:
    """Return a file's type, or None where its bytes don't fit the ending of its name.

    A picture of another format than its name has the type of its bytes. Raises TooManyPixels.
    """
    named = BY_ENDING.get(ending)
    if named is None:
        return None
    if named.picture:
        return BY_PICTURE.get(picture_format(path) or "")
    with path.open("rb") as file:
        head = file.read(HEAD_LENGTH)
    if _fits(named, head):
        return named
    return None


def _fits(type: FileType, head: bytes) -> bool:
    if type.text:
        return is_text(head)
    return not type.signs.isdisjoint(_signs(head))


def picture_format(path: Path) -> str | None:
    """Return Pillow's name for the format of a picture by its header, None where it isn't one.

    Raises TooManyPixels where its size in pixels is beyond Pillow's limit.
    """
    try:
        with Image.open(path, formats=tuple(BY_PICTURE)) as picture:
            return picture.format
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise TooManyPixels(str(error)) from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return None


def is_text(head: bytes) -> bool:
    """Tell whether a file begins like a text: in UTF-16 with its mark, or without control characters."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    return _BINARY.isdisjoint(head)


def _signs(head: bytes) -> set[str]:
    try:
        return {match.extension.lstrip(".") for match in puremagic.magic_string(head)}
    except (puremagic.PureError, ValueError):
        return set()
