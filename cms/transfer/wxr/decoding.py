"""Decoding of an XML file to text that a parser accepts, with a notice of every change."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import IO

from cms.rendering.characters import FORBIDDEN
from cms.transfer.wxr.records import ImportRefused, Notice

CHUNK = 1 << 16
_MARK = "\udfff"
_ERRORS = "cms-mark-invalid"
_DECLARATION = re.compile(r"^(\s*)<\?xml\s[^>]*\?>")
_ENCODING = re.compile(rb"^\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_BEGINNINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)


def decode(
    file: IO[bytes], notice: Callable[[Notice], None], progress: Callable[[int], None] | None = None
) -> Iterator[str]:
    """Yield the text of a file in pieces, without the declaration and without what XML forbids.

    Line ends stay, so a parser counts the lines of the file. `progress` is called with the bytes read so far.
    Raises ImportRefused for an encoding that isn't known.
    """
    piece = file.read(CHUNK)
    decoder = codecs.getincrementaldecoder(_find_encoding(piece))(_ERRORS)
    line, count, first = 1, 0, True
    while True:
        text = decoder.decode(piece, final=not piece)
        if first:
            text, first = _DECLARATION.sub(r"\1", text, count=1), False
        yield _clean(text, line, notice)
        if not piece:
            return
        line, count = line + text.count("\n"), count + len(piece)
        if progress:
            progress(count)
        piece = file.read(CHUNK)


def _find_encoding(beginning: bytes) -> str:
    """Return the encoding of the first bytes, else that of the declaration if the declaration is readable in it."""
    for start, encoding in _BEGINNINGS:
        if beginning.startswith(start):
            return encoding
    declared = _ENCODING.match(beginning)
    if not declared:
        return "utf-8"
    name = declared[1].decode("ascii")
    try:
        # Refuses codecs that don't return text, such as compressions; the decoder itself wouldn't.
        declared[0].decode(name)
        decoder = codecs.getincrementaldecoder(name)(_ERRORS)
        readable = decoder.decode(declared[0]) == declared[0].decode("ascii")
    except UnicodeError:
        readable = False
    except LookupError as error:
        raise ImportRefused(
            f'The file declares the encoding "{name}", which isn\'t known. Save it as UTF-8 and try again.'
        ) from error
    if not readable:
        return "utf-8"
    return name


def _clean(text: str, line: int, notice: Callable[[Notice], None]) -> str:
    """Leave out forbidden characters, put U+FFFD for invalid bytes; one notice per kind and line."""
    if not FORBIDDEN.search(text):
        return text
    found: Counter[tuple[int, bool]] = Counter()
    place = 0
    for match in FORBIDDEN.finditer(text):
        line, place = line + text.count("\n", place, match.start()), match.start()
        found[line, match[0] == _MARK] += 1
    for (at, invalid), times in found.items():
        notice(Notice(at, None, _describe(invalid, times)))
    return FORBIDDEN.sub(_replacement, text)


def _replacement(sign: re.Match[str]) -> str:
    if sign[0] == _MARK:
        return "\ufffd"
    return ""


def _describe(invalid: bool, times: int) -> str:
    if invalid:
        return f"{times} invalid sequence(s) of bytes became U+FFFD, the replacement character"
    return f"{times} character(s) that XML doesn't allow were left out"


def _mark_invalid(error: UnicodeError) -> tuple[str, int]:
    """Replace undecodable bytes by a character that no valid text has."""
    if isinstance(error, UnicodeDecodeError):
        return _MARK, error.end
    raise error


codecs.register_error(_ERRORS, _mark_invalid)
