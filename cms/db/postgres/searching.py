"""Conditions and orders of searches, over the tables of folded texts."""

from __future__ import annotations

from typing import Any

from peewee import SQL, NodeList

from cms.db.peewee_types import Expression
from cms.db.postgres.folded_texts import COLUMNS, NAMES
from cms.db.statements import Bound


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
