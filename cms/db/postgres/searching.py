"""Conditions and orders of searches, over the tables of folded texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from peewee import SQL, NodeList

from cms.db.peewee_types import Build, Expression
from cms.db.postgres.folded_texts import COLUMNS, NAMES
from cms.db.postgres.word_index import LONGEST
from cms.db.search_terms import cut_words
from cms.db.statements import Bound
from cms.rendering.folding import fold

#: What regular expressions take for more than itself.
SPECIAL = re.compile(r"[!-/:-@\[-`{-~]")


@dataclass(frozen=True)
class WordQuery:
    """Beginnings of words, as the index is asked for them, and phrases that begin with a word, as expressions."""

    words: tuple[str, ...]
    phrases: tuple[str, ...]

    @classmethod
    def of(cls, terms: Iterable[str]) -> WordQuery:
        """Return what is asked for terms; words that the index has not to their ends are looked for in texts too."""
        found: list[str] = []
        phrases = []
        for term in terms:
            words, between = cut_words(fold(term))
            found += ["".join(map(str.lower, word)).replace("ς", "σ") for word in words]
            if len(words) > 1 or len(between) > LONGEST:
                phrases.append(SPECIAL.sub(r"\\\g<0>", between))
        return cls(tuple(dict.fromkeys(word[:LONGEST] for word in found)), tuple(phrases))

    @property
    def match(self) -> str:
        """The words as the index takes them, empty where there is none."""
        return " & ".join(f"'{word}':*" for word in self.words)

    def values(self, name: str) -> dict[str, str]:
        """Return what is bound, under names that begin alike."""
        values = {name: self.match, f"{name}_words": " ".join(self.words)}
        for number, phrase in enumerate(self.phrases):
            values[f"{name}_{number}"] = phrase
        return values

    def condition(self, id: Expression, name: str) -> Build:
        """Return what builds the condition that an item has all words and phrases, whatever these are."""
        return partial(_has_words, id, name, len(self.phrases))


def _has_words(id: Expression, name: str, phrases: int) -> Expression:
    texts = " || ' ' || ".join(COLUMNS["content"])
    parts: list[Any] = [
        *(
            id,
            SQL("IN (SELECT id FROM content_search WHERE (words @@ CAST("),
            Bound(name),
            SQL("AS tsquery)"),
        ),
        *(SQL(f"OR words IS NULL AND search_has({texts},"), Bound(f"{name}_words"), SQL("))")),
    ]
    for number in range(phrases):
        for place, column in enumerate(COLUMNS["content"]):
            parts += [SQL(f"{'OR' if place else 'AND ('} {column} ~ (search_before() ||")]
            parts += [Bound(f"{name}_{number}"), SQL(")")]
        parts.append(SQL(")"))
    return NodeList((*parts, SQL(")")), parens=True)


def holds(table: str, id: Expression, columns: tuple[str, ...], name: str) -> Expression:
    """Build the condition that one of the folded texts of a row holds the bound pattern."""
    parts: list[Any] = [id, SQL(f"IN (SELECT id FROM {NAMES[table]} WHERE")]  # noqa: S608 (names of our tables)
    for place, column in enumerate(columns):
        parts += [SQL(f"{'OR ' if place else ''}{column} ~~"), Bound(name)]
    return NodeList((*parts, SQL(")")), parens=True)


def place_of(id: Expression, name: str) -> Expression:
    """Build which of an item's folded texts holds the bound text first: 0 for its title, 3 for none."""
    cases: list[Any] = [SQL("(SELECT CASE")]
    for place, column in enumerate(COLUMNS["content"]):
        cases += [SQL("WHEN strpos("), SQL(f"s.{column},"), Bound(name), SQL(f") > 0 THEN {place}")]
    return NodeList((*cases, SQL("ELSE 3 END FROM content_search s WHERE s.id ="), id, SQL(")")))
