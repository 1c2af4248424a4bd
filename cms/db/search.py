"""Searching texts: parts of words in any script, by an index of runs of three characters."""

from __future__ import annotations

import re
from typing import Any

from peewee import SQL, Case, NodeList

from cms.db.expressions import contains, contains_folded, folded_like, like
from cms.db.models import Content
from cms.db.statements import Bound, QueryPlan
from cms.rendering.folding import fold

MAX_TERMS = 9


def split_terms(text: str) -> tuple[list[str], list[str]]:
    """Return the terms that must occur and those that must not: words, or phrases in double quotes."""
    found = [
        (sign, phrase or word) for sign, phrase, word in re.findall(r'(-?)(?:"([^"]+)"|([^\s"]+))', text)
    ]
    if len(found) > MAX_TERMS:
        return [text.strip()], []
    wanted = [term for sign, term in found if not sign]
    barred = [term for sign, term in found if sign]
    return wanted, barred


def add_search(plan: QueryPlan, text: str) -> None:
    """Narrow a list of content to rows whose title, excerpt or content hold all terms."""
    wanted, barred = split_terms(text)
    for index, term in enumerate(wanted + barred):
        name, is_barred = f"search_{index}", index >= len(wanted)
        term = fold(term)
        is_indexed = len(term) >= 3
        value = '"' + term.replace('"', '""') + '"' if is_indexed else like(term)
        plan.where((name, is_indexed, is_barred), _condition(name, is_indexed, is_barred), **{name: value})


def relevance(plan: QueryPlan, text: str) -> Any:
    """Return what to order by so that matches in the title come first, then those in the excerpt."""
    plan.values["phrase"] = folded_like(" ".join(split_terms(text)[0]))
    phrase = Bound("phrase")
    return lambda: Case(
        None,
        [
            (contains(Content.sort_title, phrase), 0),
            (contains(Content.excerpt, phrase), 1),
            (contains(Content.content, phrase), 2),
        ],
        3,
    )


def _condition(name: str, is_indexed: bool, is_barred: bool) -> Any:
    def build() -> Any:
        place = Bound(name)
        if is_indexed:
            select = SQL("SELECT rowid FROM content_search WHERE content_search MATCH")
            matching = NodeList((select, place), parens=True)
            return Content.id.not_in(matching) if is_barred else Content.id.in_(matching)
        found = (
            contains(Content.sort_title, place)
            | contains_folded(Content.excerpt, place)
            | contains_folded(Content.content, place)
        )
        return ~found if is_barred else found

    return build
