"""Which files may be uploaded: their types by the ending of the name."""

from __future__ import annotations

from dataclasses import dataclass


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


class TooManyPixels(Exception):
    """A picture that is too large to decode."""
