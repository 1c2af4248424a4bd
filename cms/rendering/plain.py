"""Plain texts of what people type: slugs, names and other single lines, sort keys."""

from __future__ import annotations

import html
import re
import unicodedata

from cms.rendering.folding import fold
from cms.rendering.markup import escape_bare_ampersands, extract_text, strip_tags

# Letters that have no decomposition into a Latin letter and a mark.
_LETTERS = str.maketrans(
    {
        "ß": "s",
        "ẞ": "s",
        "æ": "ae",
        "Æ": "ae",
        "œ": "oe",
        "Œ": "oe",
        "ø": "o",
        "Ø": "o",
        "đ": "d",
        "Đ": "d",
        "ð": "d",
        "Ð": "d",
        "þ": "th",
        "Þ": "th",
        "ł": "l",
        "Ł": "l",
        "ħ": "h",
        "Ħ": "h",
        "ı": "i",
        "ĳ": "ij",
        "Ĳ": "ij",
        "ŀ": "l",
        "Ŀ": "l",
        "ŉ": "n",
        "ŋ": "n",
        "Ŋ": "n",
        "ŧ": "t",
        "Ŧ": "t",
        "ĸ": "k",
        "ſ": "s",
        "ª": "a",
        "º": "o",
        "×": "x",
    }
)
_DROPPED = re.compile(r"[^\w\s\-\u0080-\U0010ffff]|[¡¿«»‹›‘’“”‚‛„‟•©®°…™´·]")
_HYPHENS = re.compile(r"[\s\-./\u2010-\u2015\u2212]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_MARKED = re.compile(r"([A-Za-z])[\u0300-\u036f]+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_UNSEEN = frozenset({"Cc", "Cf", "Cs"})


def make_slug(text: str) -> str:
    """Return the slug of a title: lower case, hyphens, ASCII for Latin letters with marks; it may be empty."""
    plain = html.unescape(strip_tags(text)).translate(_LETTERS)
    plain = _MARKED.sub(r"\1", unicodedata.normalize("NFD", plain)).lower()
    hyphenated = _DROPPED.sub("", _HYPHENS.sub("-", unicodedata.normalize("NFC", plain)))
    if not hyphenated.isascii():
        hyphenated = "".join([sign for sign in hyphenated if unicodedata.category(sign) not in _UNSEEN])
    return re.sub(r"-{2,}", "-", hyphenated).strip("-")


def encode_slug(slug: str) -> str:
    """Return a slug as it is in URLs and answers: percent-encoded, with lower-case digits."""
    if slug.isascii():
        return slug
    return _NOT_ASCII.sub(_percent_encode, slug)


def _percent_encode(sign: re.Match[str]) -> str:
    return "".join([f"%{byte:02x}" for byte in sign[0].encode()])


def clean_line(text: str) -> str:
    """Return a name or another line as HTML without tags: white space collapsed, special characters escaped."""
    line = " ".join(_CONTROL.sub(" ", extract_text(text)).split())
    return escape_bare_ampersands(line).replace("<", "&lt;").replace(">", "&gt;")


def plain_line(text: str) -> str:
    """Return a line as plain text: without tags, white space collapsed; whoever shows it as HTML escapes it."""
    return " ".join(_CONTROL.sub(" ", strip_tags(text)).split())


def alternative_text(text: str) -> str:
    """Return what is said of a picture as a line of plain text, in which the interface writes `<` as `&lt;`."""
    return plain_line(text).replace("<", "&lt;")


def as_attribute(text: str) -> str:
    """Return a line as the value of an attribute of HTML; character references in it stay as they are."""
    return escape_bare_ampersands(text).replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def sort_key(text: str) -> str:
    """Return the text to sort, to search and to tell names apart by: folded, so that É comes with e."""
    return fold(text)
