"""Pictures in SVG without scripts and other active content."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import XMLParser

#: In bytes; larger drawings aren't read.
MAX_LENGTH = 5_000_000
#: How deep elements may be nested, and how many there may be.
MAX_DEPTH, MAX_ELEMENTS = 100, 50_000
#: In bytes, of the indented result.
MAX_RESULT = 2 * MAX_LENGTH
CHUNK = 1 << 16


def clean_svg(path: Path) -> bytes | None:
    """Return an SVG without scripts, handlers and references to other files.

    None where the file isn't one, or is one whose cleaning would take more memory than a drawing is worth.
    """
    from py_svg_hush import filter_svg  # an extra, which sites that accept no SVG don't need

    if path.stat().st_size > MAX_LENGTH:
        return None
    try:
        _read(path)
        cleaned = bytes(filter_svg(path.read_bytes()))
    except (ValueError, ParseError, DefusedXmlException):
        return None
    return cleaned if len(cleaned) <= MAX_RESULT else None


def can_clean() -> bool:
    """Tell whether the library that cleans SVG is installed."""
    try:
        import py_svg_hush  # noqa: F401 (whether it can be)
    except ImportError:
        return False
    return True


def _read(path: Path) -> None:
    """Read a drawing piece by piece, and raise ValueError as soon as it is beyond a bound.

    Raises DefusedXmlException for entities too, which could grow without end.
    """
    parser = XMLParser(target=_Bounds())
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            parser.feed(piece)
    parser.close()


class _Bounds:
    """Counts what a parser finds and keeps nothing of it."""

    def __init__(self) -> None:
        self.depth = self.elements = self.indentation = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Count an element; raises ValueError beyond a bound."""
        self.depth += 1
        self.elements += 1
        self.indentation += 4 * self.depth  # of both tags
        if self.depth > MAX_DEPTH or self.elements > MAX_ELEMENTS or self.indentation > MAX_RESULT:
            raise ValueError("too much for a drawing")

    def end(self, tag: str) -> None:
        self.depth -= 1

    def close(self) -> None:
        """End, as a parser asks its target to."""
