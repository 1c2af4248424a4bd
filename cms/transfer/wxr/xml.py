"""XML of texts that every parser reads back unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from cms.rendering.characters import without_forbidden


def cdata(text: str) -> str:
    """Return a text as character data that holds any markup.

    A carriage return is written as a reference outside of it, since parsers turn a plain one into a line feed.
    """
    data = without_forbidden(text).replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{data}]]>"


def element(name: str, text: str) -> str:
    """Return an element with a text, on a line of its own."""
    return f"<{name}>{cdata(text)}</{name}>\n"


def plain(name: str, value: int | str) -> str:
    """Return an element with a number, a date or a word that holds no markup, on a line of its own."""
    return f"<{name}>{value}</{name}>\n"


def attribute(text: str) -> str:
    """Return a text as an attribute's value, quotes included."""
    return quoteattr(without_forbidden(text))


def texts(localized: Mapping[str, str]) -> str:
    """Return one element for each text, by the name of the element."""
    return "".join([element(name, text) for name, text in localized.items()])
