"""Searching texts by their indexes: for parts of words in any script, or for the beginnings of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import and_

from peewee import SQL, Case, NodeList, fn

from cms.db.expressions import like
from cms.db.models import Comment, Content
from cms.db.peewee_types import Build, Expression
from cms.db.plans import QueryPlan, Source
from cms.db.search_terms import Term, make_terms, match_all, split_terms
from cms.db.sqlite.search_index import COMMENTS, CONTENT, PARTS, WORDS, SearchIndex
from cms.db.statements import Bound
from cms.db.stores.search import SearchStore
from cms.rendering.folding import fold

#: Behind all texts that begin alike.
LAST_SIGN = "\U0010ffff"


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


def add_search(plan: QueryPlan, text: str, mode: str, store: SearchStore) -> None:
    """Narrow a list of content to rows whose title, excerpt or content hold all terms."""
    wanted, barred = split_terms(text)
    if store.is_on_server:
        add = _add_words if mode == WORDS else _add_parts
        add(plan, wanted, barred)
        return
    terms = make_terms(wanted, mode, CONTENT, store)
    match = match_all(terms)
    if match:
        _add_match(plan, ITEMS, match, store)
    elif mode == WORDS and wanted:
        plan.where("no word to search for", lambda: SQL("FALSE"))
    for number, term in enumerate(terms):
        if term.begins or term.check:
            _add_term(plan, ITEMS, f"search_{number}", Term(term.text, "", term.begins, term.check))
    for number, term in enumerate(make_terms(barred, mode, CONTENT, store)):
        _add_term(plan, ITEMS, f"barred_{number}", term, is_barred=True)


def add_comment_search(plan: QueryPlan, text: str, store: SearchStore, *, full: bool) -> None:
    """Narrow a list of comments to those that hold a text; addresses of authors are looked at where `full`."""
    if store.is_on_server:
        columns = COMMENTS.columns if full else COMMENTS.columns[:3]
        _add_part(plan, COMMENTS, Comment.id, columns, "search_text", text)
        return
    searched = ALL_OF_COMMENTS if full else SEEN_COMMENTS
    for term in make_terms([text], PARTS, COMMENTS, store):
        if term.match:
            _add_match(plan, searched, term.match, store)
        # What was found may stand in a column that isn't looked at.
        _add_term(plan, searched, "search_text", Term(term.text, "", term.begins, "holds"))


def order_by_relevance(plan: QueryPlan, text: str, mode: str, store: SearchStore) -> None:
    """Order what was searched for: in the mode of parts by where the whole phrase stands, else by weights of words."""
    wanted = split_terms(text)[0]
    if mode == WORDS:
        plan.bind({"ranked": _ranked(wanted, store)})
        plan.order_by_list("relevance", "id", "ranked")
        return
    if store.is_on_server:
        from cms.db.postgres.searching import place_of

        folded = " ".join(fold(term) for term in wanted)
        plan.order("relevance", lambda: place_of(Content.id, "phrase"), phrase=folded)
        return
    phrase = Bound("phrase")
    plan.order("relevance", lambda: _place_of(phrase), phrase=" ".join(fold(term) for term in wanted))


def _ranked(wanted: Sequence[str], store: SearchStore) -> list[int]:
    """Return the ids of what has all words, those first that these say most of."""
    if store.is_on_server:
        from cms.db.postgres.searching import WordQuery

        query = WordQuery.of(wanted)
        return store.ranked_on_server(query.match) if query.match else []
    match = match_all(make_terms(wanted, WORDS, CONTENT, store))
    return store.ranked(match) if match else []


def _add_words(plan: QueryPlan, wanted: Sequence[str], barred: Sequence[str]) -> None:
    """Narrow a list of content on a server to what has words that begin so, those of a term together."""
    from cms.db.postgres.searching import WordQuery

    query = WordQuery.of(wanted)
    if query.match:
        plan.where(
            ("search", len(query.phrases)), query.condition(Content.id, "search"), **query.values("search")
        )
    elif wanted:
        plan.where("no word to search for", lambda: SQL("FALSE"))
    for number, term in enumerate(barred):
        name, query = f"barred_{number}", WordQuery.of([term])
        if query.match:
            found = query.condition(Content.id, name)
            plan.where((name, len(query.phrases)), partial(_none_of, found), **query.values(name))


def _none_of(build: Build) -> Expression:
    return ~build()


def _add_parts(plan: QueryPlan, wanted: Sequence[str], barred: Sequence[str]) -> None:
    """Narrow a list of content on a server to what has parts of words."""
    for number, term in enumerate(wanted):
        _add_part(plan, CONTENT, Content.id, CONTENT.columns, f"search_{number}", term)
    for number, term in enumerate(barred):
        _add_part(plan, CONTENT, Content.id, CONTENT.columns, f"barred_{number}", term, is_barred=True)


def _add_part(
    plan: QueryPlan,
    index: SearchIndex,
    id: Expression,
    columns: tuple[str, ...],
    name: str,
    text: str,
    *,
    is_barred: bool = False,
) -> None:
    from cms.db.postgres.searching import holds

    folded = fold(text)
    if not folded:
        return

    def build() -> Expression:
        found = holds(index.table, id, columns, name)
        return ~found if is_barred else found

    plan.where((name, len(columns)), build, **{name: like(folded)})


def _place_of(phrase: Bound) -> Expression:
    cases = [(fn.holds(phrase, column), place) for place, column in enumerate(ITEMS.columns)]
    return Case(None, cases, len(cases))


def _add_match(plan: QueryPlan, searched: Searched, match: str, store: SearchStore) -> None:
    """Narrow a list to what the index finds: a few rows lead to the list's, many are looked up in its order."""
    if plan.source is None and store.is_rare(searched.index, match):
        plan.look_in("search", partial(_source, searched.index), search=match)
        return
    matching = partial(_matching, searched.index, "search")
    plan.where(
        "search", lambda: NodeList((SQL("+"), searched.id, SQL("IN"), matching()), parens=True), search=match
    )


def _add_term(plan: QueryPlan, searched: Searched, name: str, term: Term, *, is_barred: bool = False) -> None:
    values = {}
    if term.begins or term.check:
        values[name] = term.text
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
        found.append(searched.id.in_(_matching(index, f"{name}_match")))
    if term.begins:
        select = SQL(f"SELECT doc FROM {index.parts} WHERE term >=")  # noqa: S608
        between = (select, Bound(name), SQL("AND term <"), Bound(f"{name}_end"))
        found.append(searched.id.in_(NodeList(between, parens=True)))
    if term.check:
        found.append(getattr(fn, term.check)(Bound(name), *searched.columns))
    return found


def _matching(index: SearchIndex, name: str) -> Expression:
    return NodeList((SQL(index.matching("")), Bound(name)), parens=True)


def _source(index: SearchIndex) -> Source:
    return Source(NodeList((_matching(index, "search"), SQL("AS found"))), SQL("found.id"))
