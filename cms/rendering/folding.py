"""The one folding of texts: how what is stored and what is looked for are compared."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import cache, lru_cache

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
#: Signs beyond ASCII in a row; the other one with what they may combine with, which is slower to find.
_RUN, _RUN_WITH_BASE = re.compile("([^\x00-\x7f]+)"), re.compile("(.?[^\x00-\x7f]+)", re.DOTALL)
#: Longer ones, of scripts without spaces, hardly come again.
_LONGEST_CACHED = 24
_FAR = re.compile("[\U00010000-\U0010ffff]")
#: Classes of marks that are accents or vowel points; others (of Devanagari, of kana) make another letter.
_POINTS, _ACCENTS = range(10, 36), range(200, 241)
#: Before the first and behind the last sign that combines with the one before it.
_MARKS = 0x300, 0x1E950


def fold(text: str) -> str:
    """Return a text as it is compared: case, accents, quotes, dashes, escapes and the width of spaces don't count."""
    folded = _fold_signs(text)
    words = folded.split()
    if not words:
        return folded and " "
    before, after = " " * folded[0].isspace(), " " * folded[-1].isspace()
    return f"{before}{' '.join(words)}{after}"


def holds(term: str, *texts: str) -> bool:
    """Tell whether one of these texts, folded, holds a folded term."""
    # Where a term has no space, the width of spaces needn't be looked at, which is most of the work.
    folding = fold if " " in term else _fold_signs
    return any(term in folding(text) for text in texts)


def holds_word(term: str, *texts: str) -> bool:
    """Tell whether a word of one of these texts, folded, begins with a folded term; it may have several words."""
    begins = re.compile(rf"(?<!\w){re.escape(term)}")
    return any(begins.search(fold(text)) for text in texts)


def _fold_signs(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    if text.isascii():
        return text.lower().replace("`", "'")
    return _fold_mixed(text)


def _fold_mixed(text: str) -> str:
    """Fold what is beyond ASCII run by run, since the same runs come again and again."""
    pieces = _RUN.split(text)
    if any(unicodedata.combining(run[0]) for run in pieces[1::2]):
        pieces = _RUN_WITH_BASE.split(text)
    pieces[0::2] = [piece.lower().replace("`", "'") for piece in pieces[0::2]]
    pieces[1::2] = map(_fold_run, pieces[1::2])
    return "".join(pieces)


def _fold_run(run: str) -> str:
    return _fold_letters(run) if len(run) > _LONGEST_CACHED else _fold_short_run(run)


@lru_cache(maxsize=2_000)
def _fold_short_run(run: str) -> str:
    return _fold_letters(run)


def _fold_letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.translate(_ALIKE).casefold().translate(_ALIKE))
    near, far = _accents()
    plain = near.sub("", plain)
    if _FAR.search(plain):
        plain = far.sub("", plain)
    return unicodedata.normalize("NFC", plain)


@cache
def _accents() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds accents, made when it is first needed: looking at every sign in Python is slow.

    Those of the first 65,536 signs are apart: a class that has others too is gone through one by one.
    """
    signs = []
    for code in range(*_MARKS):
        kind = unicodedata.combining(chr(code))
        if kind in _POINTS or kind in _ACCENTS:
            signs.append(chr(code))
    near = [sign for sign in signs if not _FAR.match(sign)]
    far = [sign for sign in signs if _FAR.match(sign)]
    return re.compile(f"[{re.escape(''.join(near))}]+"), re.compile(f"[{re.escape(''.join(far))}]+")
