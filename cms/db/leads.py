"""What leads to the rows of a list without reading others: sources for `QueryPlan.look_in`, and kept totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from peewee import SQL, Case, NodeList, Select, fn

from cms.db.expressions import FUTURE, PUBLISH, of_type, scheduled, slug_owners, type_literal
from cms.db.models import Content, ContentCount, Term, TermItem
from cms.db.peewee_types import Build, Expression
from cms.db.plans import Source
from cms.db.sqlite.words import by_index
from cms.db.statements import Bound, Each, Nth, place_of_list

FOUND = TermItem.alias("found")
ID = SQL("found.id")
#: Of whom numbers of items are kept.
TYPE, AUTHOR, TERM = "type", "author", "term"


def _found(*parts: Expression) -> Source:
    """Make a source of a query that selects ids as the column `id`."""
    return Source(NodeList((SQL("("), *parts, SQL(") AS found"))), ID)


def listed(name: str) -> Build:
    """Make the source of the rows whose ids are bound as a list."""
    return lambda: _found(
        SQL("SELECT DISTINCT CAST(value AS INTEGER) AS id FROM"), Each(name), SQL("AS listed")
    )


def with_slugs(name: str, number: int) -> Build:
    """Make the source of items that have one of so many bound slugs, or had it and nothing else of their type has.

    One is an equation: a server keeps the plan of one value, and makes that of a list of any length again each time.
    """
    return lambda: _found(
        SQL("SELECT DISTINCT id FROM ("), slug_owners(place_of_list(name, number)), SQL(") AS listed")
    )


def pinned(type: str) -> Build:
    """Make the source of the pinned items of a type."""
    pins = SQL(f"SELECT id FROM {by_index('content', 'content_sticky')} WHERE is_sticky = 1 AND type =")  # noqa: S608
    return lambda: _found(pins, type_literal(type))


def with_any_term(name: str) -> Build:
    """Make the source of items of content that have one of the bound terms."""
    items = f"SELECT DISTINCT content_id AS id FROM {by_index('content_terms', 'content_terms_term')} WHERE term_id IN"  # noqa: S608
    return lambda: _found(SQL(items), Each(name))


def with_term(name: str, type: str, status: str, is_descending: bool) -> Build:
    """Make the source of items that have the one bound term, by their date."""

    def build() -> Source:
        condition = (FOUND.term_id == Nth(name)) & (FOUND.type == type) & (FOUND.status == status)
        order = (FOUND.date_gmt.asc(), FOUND.content_id.asc())
        if is_descending:
            order = (FOUND.date_gmt.desc(), FOUND.content_id.desc())
        return Source(FOUND, FOUND.content_id, condition, order)

    return build


def terms_of_item(name: str) -> Build:
    """Make the source of the terms of the bound item."""
    return lambda: _found(SQL("SELECT term_id AS id FROM content_terms WHERE content_id ="), Bound(name))


def authors() -> Source:
    """Build the source of the accounts that have ever written an item of content."""
    return _found(SQL("SELECT DISTINCT holder_id AS id FROM content_counts WHERE holder = 'author'"))


# Totals.


def kept_total(
    holder: str, name: str, type: str, statuses: Sequence[str], taxonomy: str | None = None
) -> Build:
    """Make the total of a type's items that are shown with these statuses, of the holder that is bound under a name.

    A term must be of the taxonomy that is named.
    """

    def build() -> Expression:
        holder_id: Any = Nth(name) if name else 0
        stored = sorted(set(statuses) - {FUTURE})
        total = _kept(holder, holder_id, type, stored) if stored else SQL("0")
        if PUBLISH in stored and FUTURE not in statuses:
            total = total - _ahead(holder, holder_id, type)
        elif FUTURE in statuses and PUBLISH not in stored:
            total = total + _ahead(holder, holder_id, type)
        if taxonomy is not None:
            found = Term.select(SQL("1")).where(Term.id == holder_id, Term.taxonomy == taxonomy)
            total = Case(None, [(fn.EXISTS(found), total)], 0)
        return Select(columns=[total.alias("total")])

    return build


def _kept(holder: str, holder_id: Any, type: str, statuses: Sequence[str]) -> Expression:
    kept = ContentCount.select(fn.SUM(ContentCount.number)).where(
        ContentCount.holder == holder,
        ContentCount.holder_id == holder_id,
        ContentCount.type == type,
        ContentCount.status.in_(statuses),
    )
    return fn.COALESCE(kept, 0)


def _ahead(holder: str, holder_id: Any, type: str) -> Expression:
    """Build the number of scheduled items, which an index has at its end."""
    table: Any = TermItem if holder == TERM else Content
    ahead = table.select(fn.COUNT(SQL("*"))).where(of_type(type, table), scheduled(table))
    if holder == TERM:
        ahead = ahead.where(TermItem.term_id == holder_id)
    elif holder == AUTHOR:
        ahead = ahead.where(Content.author_id == holder_id)
    return fn.COALESCE(ahead, 0)  # a query minus a query would be another query
