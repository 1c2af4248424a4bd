"""What is looked for in a search, and how the index of either mode is asked for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from cms.db.sqlite.search_index import WORDS, SearchIndex
from cms.db.stores.search import COMMON, SearchStore
from cms.rendering.folding import fold

MAX_TERMS = 9
#: A sign in front of what must not occur, and a phrase or a word.
TERM = re.compile(r'(-?)(?:"([^"]+)"|([^\s"]+))')
#: The index of parts knows texts by so many characters in a row.
RUN = 3
#: Of how many runs of a term it is found out how rare they are, and how many rare ones the index is asked for.
MOST_RUNS, MOST_RARE = 12, 3
#: A run that more than so many times the rows of the rarest one have hardly narrows a search.
NARROWS = 4


@dataclass(frozen=True)
class Term:
    """A folded term, as the index is asked for it: by an expression, or by what begins its runs.

    `check` is the function that tells of a row's texts whether they hold it, where the index alone can't.
    """

    text: str
    match: str = ""
    begins: bool = False
    check: str = ""
    is_rare: bool = False


def split_terms(text: str) -> tuple[list[str], list[str]]:
    """Return the terms that must occur and those that must not: words, or phrases in double quotes."""
    found = TERM.findall(text)
    if len(found) > MAX_TERMS:
        return [text.strip()], []
    wanted, barred = [], []
    for sign, phrase, word in found:
        if sign:
            barred.append(phrase or word)
        else:
            wanted.append(phrase or word)
    return wanted, barred


def make_terms(texts: Iterable[str], mode: str, index: SearchIndex, store: SearchStore) -> list[Term]:
    """Return the terms that there is something to look for of, as an index in a mode is asked for them."""
    if mode == WORDS:
        found = [_words(fold(text)) for text in texts]
    else:
        found = [_parts(fold(text), index, store) for text in texts]
    return [term for term in found if term.match or term.begins]


def match_all(terms: list[Term]) -> str:
    """Return the expression that narrows a search to what may have all terms; those with a check may be left to it."""
    rare = any(term.is_rare for term in terms)
    asked = [term for term in terms if term.match and (term.is_rare or not rare or not term.check)]
    return " AND ".join(term.match for term in asked)


def _parts(text: str, index: SearchIndex, store: SearchStore) -> Term:
    """Return a term that may stand anywhere: each of its runs of characters must."""
    if len(text) < RUN:
        return Term(text, begins=bool(text))
    runs = list(dict.fromkeys(text[place : place + RUN] for place in range(len(text) - RUN + 1)))
    counts = store.counts(index, runs[:: -(-len(runs) // MOST_RUNS)])
    asked = sorted(counts, key=lambda run: counts[run])
    rarest = counts[asked[0]]
    if rarest < COMMON:
        asked = [run for run in asked if counts[run] <= NARROWS * rarest][:MOST_RARE]
    match = " AND ".join(map(_quoted, asked))
    return Term(text, match, check="holds" if len(text) > RUN else "", is_rare=rarest < COMMON)


def _words(text: str) -> Term:
    """Return a term whose words each begin a word; where there are several they must stand together too."""
    words, between = cut_words(text)
    check = "holds_word" if len(words) > 1 else ""
    return Term(between, " AND ".join(f"{_quoted(word)}*" for word in words), check=check)


def cut_words(text: str) -> tuple[list[str], str]:
    """Return the words of a folded text, and the text from the first one's beginning to the last one's end."""
    words = "".join(sign if _is_of_word(sign) else " " for sign in text).split()
    if not words:
        return [], ""
    return words, text[text.index(words[0]) : text.rindex(words[-1]) + len(words[-1])]


def _is_of_word(sign: str) -> bool:
    """Tell whether the index of words takes a character for a part of one: letters, marks and digits."""
    return unicodedata.category(sign)[0] in "LMN"


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
