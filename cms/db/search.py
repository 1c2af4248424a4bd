"""Searching texts by their indexes: for parts of words in any script, or for the beginnings of words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import reduce
from operator import and_

from peewee import SQL, Case, NodeList, fn

from cms.db.connection import Database
from cms.db.models import Comment, Content
from cms.db.peewee_types import Expression
from cms.db.search_index import COMMENTS, CONTENT, PARTS, WORDS, SearchIndex
from cms.db.statements import Bound, QueryPlan
from cms.rendering.folding import fold

MAX_TERMS = 9
#: A sign in front of what must not occur, and a phrase or a word.
TERM = re.compile(r'(-?)(?:"([^"]+)"|([^\s"]+))')
#: The index of parts knows texts by so many characters in a row, of which it is asked for some at most.
RUN, MOST_RUNS = 3, 12
#: Behind all texts that begin alike.
LAST_SIGN = "\U0010ffff"
#: How many of the newest items that are found are ordered by the weights of title, excerpt and content.
MOST_RANKED = 1_000
RANKED = f"""
SELECT rowid FROM content_search WHERE content_search MATCH :match AND rowid >= (
    SELECT MIN(rowid) FROM (
        SELECT rowid FROM content_search WHERE content_search MATCH :match ORDER BY rowid DESC LIMIT {MOST_RANKED}))
ORDER BY bm25(content_search, 10.0, 4.0, 1.0), rowid DESC
"""  # noqa: S608 (our own number)


@dataclass(frozen=True)
class Term:
    """A folded term, as the index is asked for it: by an expression, or by what begins its runs.

    `check` is the function that tells of a row's texts whether they hold it, where the index alone can't.
    """

    text: str
    match: str = ""
    begins: bool = False
    check: str = ""


@dataclass(frozen=True)
class Searched:
    """The index that is asked, its rows' ids, and the columns that may be looked at."""

    index: SearchIndex
    id: Expression
    columns: tuple[Expression, ...]


ITEMS = Searched(CONTENT, Content.id, (Content.title, Content.excerpt, Content.content))
_PUBLIC = (Comment.content, Comment.author_name, Comment.author_url)
#: Of comments all see those of the first, moderators those of the second.
SEEN_COMMENTS = Searched(COMMENTS, Comment.id, _PUBLIC)
ALL_OF_COMMENTS = Searched(COMMENTS, Comment.id, (*_PUBLIC, Comment.author_email, Comment.author_ip))


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


def add_search(plan: QueryPlan, text: str, mode: str) -> None:
    """Narrow a list of content to rows whose title, excerpt or content hold all terms."""
    wanted, barred = split_terms(text)
    terms = _terms(wanted, mode)
    together = Term(_all_of(terms), _all_of(terms))
    if together.match:
        _add_term(plan, ITEMS, "search", together)
    elif mode == WORDS and wanted:
        plan.where("no word to search for", lambda: SQL("0"))
    for number, term in enumerate(terms):
        if term.begins or term.check:
            _add_term(plan, ITEMS, f"search_{number}", Term(term.text, "", term.begins, term.check))
    for number, term in enumerate(_terms(barred, mode)):
        _add_term(plan, ITEMS, f"barred_{number}", term, is_barred=True)


def add_comment_search(plan: QueryPlan, text: str, *, full: bool) -> None:
    """Narrow a list of comments to those that hold a text; addresses of authors are looked at where `full`."""
    searched = ALL_OF_COMMENTS if full else SEEN_COMMENTS
    for term in _terms([text], PARTS):
        # What was found may stand in a column that isn't looked at.
        _add_term(plan, searched, "search", Term(term.text, term.match, term.begins, "holds"))


def order_by_relevance(plan: QueryPlan, text: str, mode: str, database: Database) -> None:
    """Order what was searched for: in the mode of parts by where the whole phrase stands, else by weights of words."""
    wanted = split_terms(text)[0]
    if mode == WORDS:
        match = _all_of(_terms(wanted, WORDS))
        ranked = database.column(RANKED, {"match": match}) if match else []
        plan.bind({"ranked": ranked})
        plan.order_by_list("relevance", "id", "ranked")
        return
    phrase = Bound("phrase")
    plan.order("relevance", lambda: _place_of(phrase), phrase=" ".join(fold(term) for term in wanted))


def _place_of(phrase: Bound) -> Expression:
    cases = [(fn.holds(phrase, column), place) for place, column in enumerate(ITEMS.columns)]
    return Case(None, cases, len(cases))


def _terms(texts: list[str], mode: str) -> list[Term]:
    """Return the terms that there is something to look for of."""
    make = _words if mode == WORDS else _parts
    found = (make(fold(text)) for text in texts)
    return [term for term in found if term.match or term.begins]


def _parts(text: str) -> Term:
    """Return a term that may stand anywhere: each of its runs of characters must."""
    if len(text) < RUN:
        return Term(text, begins=bool(text))
    runs = list(dict.fromkeys(text[place : place + RUN] for place in range(len(text) - RUN + 1)))
    step = -(-len(runs) // MOST_RUNS)
    asked = [_quoted(run) for run in runs[::step]]
    return Term(text, " AND ".join(asked), check="holds" if len(text) > RUN else "")


def _words(text: str) -> Term:
    """Return a term whose words each begin a word; where there are several they must stand together too."""
    words = "".join(sign if _is_of_word(sign) else " " for sign in text).split()
    if not words:
        return Term("")
    between = text[text.index(words[0]) : text.rindex(words[-1]) + len(words[-1])]
    check = "holds_word" if len(words) > 1 else ""
    return Term(between, " AND ".join(f"{_quoted(word)}*" for word in words), check=check)


def _is_of_word(sign: str) -> bool:
    """Tell whether the index of words takes a character for a part of one: letters, marks and digits."""
    return unicodedata.category(sign)[0] in "LMN"


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _all_of(terms: list[Term]) -> str:
    return " AND ".join(term.match for term in terms if term.match)


def _add_term(plan: QueryPlan, searched: Searched, name: str, term: Term, *, is_barred: bool = False) -> None:
    values = {name: term.text}
    if term.match:
        values[f"{name}_match"] = term.match
    if term.begins:
        values[f"{name}_end"] = term.text + LAST_SIGN
    key = (name, bool(term.match), term.begins, term.check, len(searched.columns))

    def build() -> Expression:
        found = reduce(and_, _conditions(searched, name, term))
        return ~found if is_barred else found

    plan.where(key, build, **values)


def _conditions(searched: Searched, name: str, term: Term) -> list[Expression]:
    found, index = [], searched.index
    if term.match:
        select = SQL(f"SELECT rowid FROM {index.name} WHERE {index.name} MATCH")  # noqa: S608 (names of our tables)
        found.append(searched.id.in_(NodeList((select, Bound(f"{name}_match")), parens=True)))
    if term.begins:
        select = SQL(f"SELECT doc FROM {index.parts} WHERE term >=")  # noqa: S608
        between = (select, Bound(name), SQL("AND term <"), Bound(f"{name}_end"))
        found.append(searched.id.in_(NodeList(between, parens=True)))
    if term.check:
        found.append(getattr(fn, term.check)(Bound(name), *searched.columns))
    return found
