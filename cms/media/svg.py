"""Pictures in SVG without scripts and other active content."""

from __future__ import annotations

from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

#: In bytes; larger drawings aren't parsed.
MAX_LENGTH = 5_000_000


def clean_svg(data: bytes) -> bytes | None:
    """Return an SVG without scripts, handlers and references to other files, or None where it isn't one."""
    from py_svg_hush import filter_svg  # an extra, which sites that accept no SVG don't need

    if len(data) > MAX_LENGTH:
        return None
    try:
        fromstring(data)  # refuses entities, which could grow without end
        return bytes(filter_svg(data))
    except (ValueError, ParseError, DefusedXmlException):
        return None


def can_clean() -> bool:
    """Tell whether the library that cleans SVG is installed."""
    try:
        import py_svg_hush  # noqa: F401
    except ImportError:
        return False
    return True
