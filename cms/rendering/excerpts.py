"""Excerpts of texts that have none of their own."""

from __future__ import annotations

import re
import unicodedata

from cms.rendering.markup import strip_tags
from cms.rendering.shortcodes import Shortcodes, drop_shortcodes

MAX_WORDS = 55
#: How many characters count as a word where words have no space between them.
CHARACTERS_PER_WORD = 2
_MORE_MARK = re.compile(r"<!--(?:more(?:\s[^<>]*)?|nextpage)-->")
#: Scripts without spaces between words: Thai, Lao, Tibetan, Burmese, Khmer, Japanese and Chinese.
_UNSPACED = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3000-\u312f\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f"
)
_UNSPACED += "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
#: One character of such a script, or what stands between two of them.
_PART = re.compile(f"[{_UNSPACED}]|(?:&#?\\w+;|[^{_UNSPACED}])+")
_ANY_UNSPACED = re.compile(f"[{_UNSPACED}]")
_WORD = re.compile(r"\S+")


def make_excerpt(content: str, shortcodes: Shortcodes) -> str:
    """Return the first words of a text before its `more` mark, without tags.

    In scripts that don't set words apart it is the first characters.
    """
    beginning = _MORE_MARK.split(content, maxsplit=1)[0]
    text = strip_tags(drop_shortcodes(beginning, shortcodes), " ")
    room, pieces = MAX_WORDS * CHARACTERS_PER_WORD, []
    for match in _WORD.finditer(text):
        word = match[0]
        piece, room = _take(word, room)
        if piece:
            pieces.append(piece)
        if piece != word:
            return f"{' '.join(pieces)} [&hellip;]"
    return " ".join(pieces)


def _take(word: str, room: int) -> tuple[str, int]:
    """Return what of a word fits into the room, counted in characters of unspaced scripts, and the room behind it."""
    if word.isascii() or not _ANY_UNSPACED.search(word):
        if room < CHARACTERS_PER_WORD:
            return ("", 0)
        return (word, room - CHARACTERS_PER_WORD)
    end = 0
    for part in _PART.finditer(word):
        cost = CHARACTERS_PER_WORD
        if _ANY_UNSPACED.match(part[0]):
            # A mark belongs to the letter before it.
            cost = 0 if unicodedata.category(part[0])[0] == "M" else 1
        if cost > room:
            break
        room, end = room - cost, part.end()
    return word[:end], room
