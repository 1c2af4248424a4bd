"""Pictures in SVG, cleaned of all that is active."""

from __future__ import annotations

from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

#: A drawing beyond this is read by nobody.
LONGEST = 5_000_000


def clean_svg(data: bytes) -> bytes | None:
    """Return an SVG without scripts, handlers and references to elsewhere, or None where it isn't one."""
    from py_svg_hush import filter_svg  # an extra: sites that take no SVG need none of it

    if len(data) > LONGEST:
        return None
    try:
        fromstring(data)  # refuses entities, which could grow without end
        return bytes(filter_svg(data))
    except (ValueError, ParseError, DefusedXmlException):
        return None


def can_clean() -> bool:
    """Tell whether the library is installed."""
    try:
        import py_svg_hush  # noqa: F401
    except ImportError:
        return False
    return True
