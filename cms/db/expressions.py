"""Expressions on the site's tables that more than one part builds queries with; values are bound by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from peewee import SQL, Case, NodeList, fn

from cms.db.models import Content, ContentCount, ContentTerm, Term, TermItem, User
from cms.db.peewee_types import Expression
from cms.db.sqlite.words import (
    by_no_index,
    elements_node,
    has_sign_but,
    ignoring_case_node,
    json_object,
    mostly,
    place_of,
)
from cms.db.statements import Bound, Each
from cms.rendering.folding import fold

POST = "post"
PUBLISH = "publish"
#: The status of an item that is given none.
DRAFT = "draft"
#: The status that is shown of a published item whose date lies ahead; it is never stored.
FUTURE = "future"
#: The status of items that are seen by those who see what they are attached to.
INHERIT = "inherit"
TRASH = "trash"
#: The parent of an item that is attached to something that isn't here yet: no item has this id, so that nobody sees
#: what inherits from it.
UNKNOWN_PARENT = -1

_INHERITED = json_object(
    "'type'",
    "p.type",
    "'status'",
    "p.status",
    "'author_id'",
    "p.author_id",
    "'date_gmt'",
    "p.date_gmt",
    "'trashed_status'",
    "p.trashed_status",
)
PARENT = f"""
(SELECT {_INHERITED} FROM content p WHERE p.id = {{row}}.parent_id AND {{row}}.status = 'inherit')
"""  # noqa: S608 (our own texts)


def of_type(type: str, content: Any = Content) -> Expression:
    """Build the condition that a row of the table, or of an alias of it, has a type.

    The type is written out. Where it were bound SQLite would plan the statement anew for each value, as soon as there
    is an index of the rows of one type. Places and kinds of files are indexed of all types but posts, which have
    neither; no database concludes by itself that another type is among these.
    """
    is_of_type: Expression = content.type == type_literal(type)
    if type == POST:
        return is_of_type
    return is_of_type & (content.type != type_literal(POST))


def type_literal(type: str) -> SQL:
    """Write a type out, for the reason of `of_type`, in a statement that is partly text."""
    return SQL("'" + type.replace("'", "''") + "'")


# Scheduled: published at a date that lies ahead.


def is_scheduled(row: Mapping[str, Any], now: str) -> bool:
    """Tell whether a row of content is published at a date that lies ahead."""
    return bool(row["status"] == PUBLISH and row["date_gmt"] > now)


def scheduled(content: Any = Content) -> Expression:
    """Build the condition that a row of the table, or of an alias of it, is scheduled; `now` is bound."""
    return (content.status == PUBLISH) & (content.date_gmt > Bound("now"))


def published() -> Expression:
    """Build the condition that a row of content is published and its date has come; `now` is bound."""
    # Nearly all of them: else SQLite takes the range of dates for narrow, and sorts all by what has an index.
    return (Content.status == PUBLISH) & mostly(Content.date_gmt <= Bound("now"))


def effective_status(row: Mapping[str, Any], now: str) -> str:
    """Return the status that is shown of a row: one that is published at a date ahead is scheduled."""
    return FUTURE if is_scheduled(row, now) else str(row["status"])


def stored_status(status: str) -> str:
    """Return the status that a row is stored with when this one is shown."""
    return PUBLISH if status == FUTURE else status


def with_status(status: str) -> Expression:
    """Build the condition that a row of content is shown with a status; `now` is bound."""
    if status == PUBLISH:
        return published()
    if status == FUTURE:
        return scheduled()
    return Content.status == status


def parent_column() -> Expression:
    """Build the column `parent` of a row that peewee selects as its first table: JSON of what the row inherits from."""
    return SQL(PARENT.format(row="t1"))


# Texts.


def like(term: str) -> str:
    """Return a LIKE pattern (escaped by a backslash) that finds a term anywhere."""
    return "%" + re.sub(r"([\\%_])", r"\\\1", term) + "%"


def contains(column: Expression, place: Bound) -> Expression:
    """Build the condition that a column holds the bound pattern."""
    return NodeList((column, SQL("LIKE"), place, SQL("ESCAPE '\\'")), parens=True)


def folded_like(term: str) -> str:
    """Return a LIKE pattern that finds a term anywhere in a folded text."""
    return like(fold(term))


#: The signs of texts whose folding is no more than LIKE does by itself, which slugs and logins of plain letters have.
FOLDED_BY_LIKE = "!-%''-_a-~"


def contains_folded(column: Expression, place: Bound) -> Expression:
    """Build the condition that a column, which isn't stored folded, holds the bound pattern of a folded text."""
    folded = Case(None, [(has_sign_but(column, FOLDED_BY_LIKE), fn.fold(column))], column)
    return contains(folded, place)


def ignoring_case(column: Expression) -> Expression:
    """Build what a column is ordered by where case doesn't count."""
    return ignoring_case_node(column)


#: What stands before the slash of a MIME type, as an index has it.
MEDIA_KIND = fn.lower(fn.substr(Content.mime_type, SQL("1"), place_of(Content.mime_type, "/") - SQL("1")))


def is_of_media_type(place: Bound) -> Expression:
    """Build the condition that a file's MIME type is of a kind, such as `image`."""
    return (Content.mime_type != SQL("''")) & (MEDIA_KIND == place)  # noqa: SIM300 (a query's text)


#: No other index keeps SQLite to those of slugs, however many items there are.
FORMER_SLUG = f"""
AND NOT EXISTS (
    SELECT 1 FROM content n WHERE n.slug = o.slug AND n.slug <> ''
    AND {by_no_index("n.type")} = i.type AND {by_no_index("n.status")} IN ('publish', 'inherit'))
"""  # noqa: S608 (our own texts)


def slug_owners(bound: Expression) -> Expression:
    """Build the query of the ids of items that have one of the slugs, or had it and nothing else of their type has."""
    parts = (
        SQL("SELECT id FROM content WHERE slug <> '' AND slug IN"),
        bound,
        SQL(
            "UNION ALL SELECT o.content_id FROM old_slugs o JOIN content i ON i.id = o.content_id WHERE o.slug IN"
        ),
        bound,
        SQL(FORMER_SLUG),
    )
    return NodeList(parts)


def has_slug(bound: Expression) -> Expression:
    """Build the condition that an item has one of the bound slugs, or had it and nothing else of its type has."""
    return NodeList((Content.id, SQL("IN"), NodeList((slug_owners(bound),), parens=True)), parens=True)


# Terms and accounts.


def has_term(taxonomy: str) -> Callable[[Expression], Expression]:
    """Make the condition that an item has one of the bound terms."""
    return lambda bound: fn.EXISTS(_links(taxonomy, bound))


def lacks_term(taxonomy: str) -> Callable[[Expression], Expression]:
    """Make the condition that an item has none of the bound terms."""
    return lambda bound: ~fn.EXISTS(_links(taxonomy, bound))


def _links(taxonomy: str, bound: Expression) -> Expression:
    """Build the query of what gives one of the terms to the present row: looked up for each, never listed for all."""
    terms = Term.select(Term.id).where(Term.taxonomy == taxonomy, Term.id.in_(bound))
    links = ContentTerm.select(SQL("1")).where(ContentTerm.content_id == Content.id)
    return links.where(ContentTerm.term_id.in_(terms))


def published_count() -> Expression:
    """Build the number of a term's published items: the stored count less the few whose date lies ahead."""
    types = ContentCount.select(ContentCount.type).where(ContentCount.holder == "type").distinct()
    is_ahead = Content.type.in_(types) & scheduled()
    terms = ContentTerm.select(ContentTerm.term_id).join(Content, on=(Content.id == ContentTerm.content_id))
    ahead = TermItem.select(fn.COUNT(SQL("*"))).where(
        TermItem.term_id == Term.id, TermItem.type.in_(types), scheduled(TermItem)
    )
    return Term.count - Case(None, [(Term.id.in_(terms.where(is_ahead)), ahead)], 0)


def has_written(condition: Expression) -> Expression:
    """Build the condition that an account has written an item of content that fulfils a condition."""
    return fn.EXISTS(Content.select(SQL("1")).where((Content.author_id == User.id) & condition))


def has_role() -> Expression:
    """Build the condition that an account has one of the bound `roles`."""
    members = (
        SQL("SELECT 1 FROM"),
        elements_node(User.roles),
        SQL("WHERE value IN"),
        Each("roles"),
    )
    return fn.EXISTS(NodeList(members))
