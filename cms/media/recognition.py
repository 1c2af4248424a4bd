"""What a file is: its type by the ending of its name, checked against its bytes."""

from __future__ import annotations

import codecs
from pathlib import Path

import puremagic
from PIL import Image, UnidentifiedImageError

from cms.media.types import BY_ENDING, BY_PICTURE, FileType, TooManyPixels

#: How many bytes at the beginning of a file are looked at.
HEAD_LENGTH = 8192
#: Control characters that texts don't hold: all but tab, line feed, form feed, carriage return and escape.
_BINARY = frozenset(range(32)) - {9, 10, 12, 13, 27}


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
