"""Searching texts: parts of words in any script, by an index of runs of three characters."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from peewee import SQL, Case, NodeList

from cms.db.expressions import contains, contains_folded, like
from cms.db.models import Content
from cms.db.plans import QueryPlan, Source
from cms.db.statements import Bound
from cms.rendering.folding import fold

MAX_TERMS = 9
#: A sign in front of what must not occur, and a phrase or a word.
TERM = re.compile(r'(-?)(?:"([^"]+)"|([^\s"]+))')
#: The index knows texts by three characters in a row.
SHORTEST_INDEXED = 3


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


def add_search(plan: QueryPlan, text: str) -> None:
    """Narrow a list of content to rows whose title, excerpt or content hold all terms."""
    wanted, barred = split_terms(text)
    for index, term in enumerate(wanted + barred):
        name, is_barred = f"search_{index}", index >= len(wanted)
        term = fold(term)
        is_indexed = len(term) >= SHORTEST_INDEXED
        value = like(term)
        if is_indexed:
            value = _quote(term)
        if is_indexed and not is_barred and plan.source is None:
            plan.look_in((name, "search"), partial(_source, name), **{name: value})
        else:
            plan.where(
                (name, is_indexed, is_barred), _condition(name, is_indexed, is_barred), **{name: value}
            )


def relevance(plan: QueryPlan, text: str) -> Any:
    """Return what to order by so that matches in the title come first, then those in the excerpt.

    Whether the index is asked follows from the terms, which the statement's shape has already.
    """
    wanted = [fold(term) for term in split_terms(text)[0]]
    phrase = " ".join(wanted)
    plan.values["phrase"] = like(phrase)
    in_title = contains(Content.sort_title, Bound("phrase"))
    in_excerpt = contains_folded(Content.excerpt, Bound("phrase"))
    in_content = contains_folded(Content.content, Bound("phrase"))
    if any(len(term) >= SHORTEST_INDEXED for term in wanted):
        plan.values["in_excerpt"] = f"excerpt : {_quote(phrase)}"
        plan.values["in_content"] = f"content : {_quote(phrase)}"
        in_excerpt = Content.id.in_(_matching(Bound("in_excerpt")))
        in_content = Content.id.in_(_matching(Bound("in_content")))
    return lambda: Case(None, [(in_title, 0), (in_excerpt, 1), (in_content, 2)], 3)


def _quote(phrase: str) -> str:
    """Return a folded phrase as the index is asked for it."""
    doubled = phrase.replace('"', '""')
    return f'"{doubled}"'


def _matching(place: Bound) -> Any:
    select = SQL("SELECT rowid FROM content_search WHERE content_search MATCH")
    return NodeList((select, place), parens=True)


def _source(name: str) -> Source:
    select = SQL("(SELECT rowid AS id FROM content_search WHERE content_search MATCH")
    return Source(NodeList((select, Bound(name), SQL(") AS found"))), SQL("found.id"))


def _condition(name: str, is_indexed: bool, is_barred: bool) -> Any:
    def build() -> Any:
        place = Bound(name)
        if is_indexed:
            matching = _matching(place)
            return Content.id.not_in(matching) if is_barred else Content.id.in_(matching)
        found = (
            contains(Content.sort_title, place)
            | contains_folded(Content.excerpt, place)
            | contains_folded(Content.content, place)
        )
        return ~found if is_barred else found

    return build
