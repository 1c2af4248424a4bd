"""Searching texts: parts of words in any script, by an index of runs of three characters."""

from __future__ import annotations

import re
from typing import Any

from peewee import SQL, Case, NodeList

from cms.db.statements import Bound, QueryPlan

MOST_TERMS = 9


def split_terms(text: str) -> tuple[list[str], list[str]]:
    """Return the terms that must occur and those that must not: words, or phrases in double quotes."""
    found = [
        (sign, phrase or word) for sign, phrase, word in re.findall(r'(-?)(?:"([^"]+)"|([^\s"]+))', text)
    ]
    if len(found) > MOST_TERMS:
        return [text.strip()], []
    wanted = [term for sign, term in found if not sign]
    barred = [term for sign, term in found if sign]
    return wanted, barred


def add_search(plan: QueryPlan, model: Any, text: str) -> None:
    """Narrow a list of content to rows whose title, excerpt or content hold all terms."""
    wanted, barred = split_terms(text)
    for index, term in enumerate(wanted + barred):
        name, barring = f"search_{index}", index >= len(wanted)
        indexed = len(term) >= 3
        value = '"' + term.replace('"', '""') + '"' if indexed else like(term)
        plan.where((name, indexed, barring), _condition(model, name, indexed, barring), **{name: value})


def like(term: str) -> str:
    """Return a LIKE pattern (escaped by a backslash) that finds a term anywhere."""
    return "%" + re.sub(r"([\\%_])", r"\\\1", term) + "%"


def contains(column: Any, place: Bound) -> Any:
    """Build the condition that a column holds the bound pattern."""
    return NodeList((column, SQL("LIKE"), place, SQL("ESCAPE '\\'")), parens=True)


def relevance(model: Any, plan: QueryPlan, text: str) -> Any:
    """Return what to order by so that matches in the title come first, then those in the excerpt."""
    plan.values["phrase"] = like(" ".join(split_terms(text)[0]))
    phrase = Bound("phrase")
    return lambda: Case(
        None,
        [
            (contains(model.title, phrase), 0),
            (contains(model.excerpt, phrase), 1),
            (contains(model.content, phrase), 2),
        ],
        3,
    )


def _condition(model: Any, name: str, indexed: bool, barring: bool) -> Any:
    def build() -> Any:
        place = Bound(name)
        if indexed:
            select = SQL("SELECT rowid FROM content_search WHERE content_search MATCH")
            matching = NodeList((select, place), parens=True)
            return model.id.not_in(matching) if barring else model.id.in_(matching)
        found = contains(model.title, place) | contains(model.excerpt, place) | contains(model.content, place)
        return ~found if barring else found

    return build
