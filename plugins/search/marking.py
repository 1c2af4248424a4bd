"""What of a text is shown of a search: the part around the first word that was found, with all of them marked."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from cms.plugin import sort_key, strip_tags

#: How many characters of a text are looked at, how many of them an excerpt has, and how many before what was found.
MOST, LENGTH, BEFORE = 50_000, 200, 60
ELLIPSIS = "…"
Span = tuple[int, int]

_fold_sign = lru_cache(maxsize=4_000)(sort_key)


def plain(markup: str) -> str:
    """Return what HTML says, as one line of text."""
    spaced = strip_tags(markup[: 4 * MOST].replace("<", " <"))
    return " ".join(html.unescape(spaced).split())[:MOST]


def marked(text: str, terms: Sequence[str], *, words: bool = False) -> str:
    """Return a text as HTML whose terms are in `<mark>`, all else escaped; `words` marks beginnings of words alone."""
    return _with_marks(text, list(_spans(text, terms, words)))


def excerpt(text: str, terms: Sequence[str], *, words: bool = False) -> str:
    """Return the part of a text around the first term that it has, marked as `marked` does."""
    spans = list(_spans(text, terms, words))
    start = 0
    if spans:
        start = _word_boundary(text, max(0, spans[0][0] - BEFORE), spans[0][0])
    end = _word_end(text, start + LENGTH)
    inside = [(begin - start, stop - start) for begin, stop in spans if begin >= start and stop <= end]
    body = _with_marks(text[start:end].rstrip(), inside)
    return ELLIPSIS * (start > 0) + body + ELLIPSIS * (end < len(text))


def _word_boundary(text: str, start: int, before: int) -> int:
    """Return where a word begins at or after a place, if there is a space before another place."""
    if start == 0:
        return 0
    space = text.find(" ", start - 1, before)
    return start if space < 0 else space + 1


def _word_end(text: str, end: int) -> int:
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", end - BEFORE, end)
    return end if space < 0 else space


def _spans(text: str, terms: Sequence[str], words: bool) -> Iterator[Span]:
    """Yield where terms stand in a text, from left to right, none over another."""
    wanted = sorted({term for term in map(sort_key, terms) if term.strip()}, key=len, reverse=True)
    if not wanted:
        return
    folded, places = _folded(text)
    begin = r"(?<!\w)" * words
    for match in re.finditer(begin + "(?:" + "|".join(map(re.escape, wanted)) + ")", folded):
        yield places[match.start()], places[match.end() - 1] + 1


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """Return a text as searches compare it, and the place in the text of each of its characters."""
    if text.isascii():
        return text.lower(), range(len(text))
    parts, places = [], []
    for place, sign in enumerate(text):
        folded = _fold_sign(sign)
        parts.append(folded)
        places += [place] * len(folded)
    return "".join(parts), places


def _with_marks(text: str, spans: Sequence[Span]) -> str:
    parts, last = [], 0
    for begin, end in spans:
        if begin >= last:
            parts += [html.escape(text[last:begin]), "<mark>", html.escape(text[begin:end]), "</mark>"]
            last = end
    return "".join([*parts, html.escape(text[last:])])
