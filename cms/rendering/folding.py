"""The one folding of texts: how what is stored and what is looked for are compared."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import cache

#: Signs that people write in place of one another.
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", None),
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ł": "l",
        "ħ": "h",
        "ı": "i",
        "ŧ": "t",
    }
)
_SPACE = re.compile(r"\s+")
#: Classes of marks that are accents or vowel points; others (of Devanagari, of kana) make another letter.
_POINTS, _ACCENTS = range(10, 36), range(200, 241)
#: Before the first and behind the last sign that combines with the one before it.
_MARKS = 0x300, 0x1E950


def fold(text: str) -> str:
    """Return a text as it is compared: case, accents, quotes, dashes, escapes and the width of spaces don't count."""
    if "&" in text:
        text = html.unescape(text)
    folded = text.lower().replace("`", "'")
    if not text.isascii():
        folded = _fold_letters(text)
    return _SPACE.sub(" ", folded)


def _fold_letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.translate(_ALIKE).casefold().translate(_ALIKE))
    return unicodedata.normalize("NFC", _accents().sub("", plain))


@cache
def _accents() -> re.Pattern[str]:
    """Return what finds accents, made when it is first needed: looking at every sign in Python is slow."""
    signs = []
    for code in range(*_MARKS):
        kind = unicodedata.combining(chr(code))
        if kind in _POINTS or kind in _ACCENTS:
            signs.append(chr(code))
    return re.compile(f"[{re.escape(''.join(signs))}]+")
