"""Decoding of an XML file to text that a parser accepts, with a notice of every change."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import IO

from cms.rendering.characters import FORBIDDEN
from cms.transfer.wxr.records import ImportRefused, Notice
from cms.transfer.wxr.references import ReferenceCleaner

CHUNK = 1 << 16
_MARK = "\udfff"
_MARKING, _STRICT = "cms-mark-invalid", "strict"
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
    file: IO[bytes],
    notice: Callable[[Notice], None],
    progress: Callable[[int], None] | None = None,
    encoding: str | None = None,
) -> Iterator[str]:
    """Yield the text of a file in pieces, without the declaration and without what XML forbids.

    Line ends stay, so a parser counts the lines of the file. `progress` is called with the bytes read so far. An
    `encoding` counts instead of the file's own, and its wrong bytes become U+FFFD. Raises ImportRefused for an
    encoding that isn't known and, where none is given, for bytes that aren't of the file's own.
    """
    piece = file.read(CHUNK)
    name = encoding or _find_encoding(piece)
    decoder = _make_decoder(name, _MARKING if encoding else _STRICT)
    references = ReferenceCleaner(notice)
    line, count, first = 1, 0, True
    while True:
        text = _decode_piece(decoder, piece, name, line)
        if first:
            text, first = _DECLARATION.sub(r"\1", text, count=1), False
        yield references.clean(_clean(text, line, notice), is_last=not piece)
        if not piece:
            return
        line, count = line + text.count("\n"), count + len(piece)
        if progress:
            progress(count)
        piece = file.read(CHUNK)


def _make_decoder(name: str, errors: str) -> codecs.IncrementalDecoder:
    try:
        # Refuses codecs that don't return text, such as compressions; the decoder itself wouldn't.
        b"".decode(name)
        return codecs.getincrementaldecoder(name)(errors)
    except (LookupError, ValueError) as error:
        raise _unknown(name) from error


def _decode_piece(decoder: codecs.IncrementalDecoder, piece: bytes, name: str, line: int) -> str:
    try:
        return decoder.decode(piece, final=not piece)
    except UnicodeDecodeError as error:
        if not piece:
            return ""  # cut off within a character, which the parser will tell
        before = error.object[: error.start].decode(name, "ignore")
        place = line + before.count("\n")
        raise ImportRefused(
            f"Line {place}, byte 0x{error.object[error.start]:02x}: the file says that it is {name.upper()}, "
            "and this byte isn't. Name the encoding that it is in, for example --encoding windows-1252; "
            f"--encoding {name} puts U+FFFD for each wrong byte. Nothing was imported."
        ) from error


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
        decoder = codecs.getincrementaldecoder(name)(_MARKING)
        readable = decoder.decode(declared[0]) == declared[0].decode("ascii")
    except UnicodeError:
        readable = False
    except LookupError as error:
        raise _unknown(name) from error
    if not readable:
        return "utf-8"
    return name


def _unknown(name: str) -> ImportRefused:
    return ImportRefused(
        f'The encoding "{name}" isn\'t known. Save the file as UTF-8 or name its encoding by --encoding, '
        "and try again."
    )


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


codecs.register_error(_MARKING, _mark_invalid)
