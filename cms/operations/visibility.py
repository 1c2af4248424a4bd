"""Who may read an item of content, as a function of its row and as a condition of a query.

An item in the state `inherit`, as uploaded files are, is seen by those who see what it is attached to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any

import orjson
from peewee import SQL

from cms.access.capabilities import Principal
from cms.db import Bound
from cms.db.models import Content
from cms.schema.content_types import ContentType

INHERIT = "inherit"
PARENT = """(SELECT json_object('type', p.type, 'status', p.status, 'author_id', p.author_id, 'date_gmt', p.date_gmt,
    'trashed_status', p.trashed_status) FROM content p WHERE p.id = {row}.parent_id AND {row}.status = 'inherit')"""
#: Items by id, each with what it inherits from as the column `parent`.
ITEMS = f"SELECT *, {PARENT.format(row='c')} AS parent FROM content c WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 (our own texts)


def parent_column() -> Any:
    """Return the expression that gives a row, selected by peewee as its first table, the column `parent`."""
    return SQL(PARENT.format(row="t1")).alias("parent")


def may_read(types: Mapping[str, ContentType], principal: Principal, row: Any, now: str) -> bool:
    """Tell whether the principal may read an item, its password apart; a row that inherits has the column `parent`."""
    if row["type"] not in types:  # of a plugin that is gone
        return False
    policy = types[row["type"]].policy
    if row["status"] != INHERIT or policy.may_edit(principal, row):
        return policy.may_read(principal, row, now)
    if row["parent"] is None:
        return True
    parent = orjson.loads(row["parent"])
    return may_read(types, principal, parent, now)


def may_edit(types: Mapping[str, ContentType], principal: Principal, row: Any) -> bool:
    """Tell whether the principal may change an item; nobody may where its type is that of a plugin that is gone."""
    return row["type"] in types and types[row["type"]].policy.may_edit(principal, row)


def readable(
    types: Mapping[str, ContentType], kind: ContentType, principal: Principal, states: Iterable[str]
) -> Any:
    """Build the condition under which items of a kind in these states may be read; `now` and `principal` are bound."""
    return reduce(
        or_,
        [
            _inherited(types, kind, principal) if state == INHERIT else kind.policy.readable(principal, state)
            for state in states
        ],
    )


def _inherited(types: Mapping[str, ContentType], kind: ContentType, principal: Principal) -> Any:
    inherits = Content.status == INHERIT
    if kind.policy.may_edit_others(principal):
        return inherits
    parents = reduce(
        or_,
        [
            (Content.type == other.name) & readable(types, other, principal, (*other.states, "trash"))
            for other in types.values()
            if other.public and other.name != kind.name
        ],
    )
    seen = (Content.parent_id == 0) | Content.parent_id.in_(Content.select(Content.id).where(parents))
    return inherits & (seen | (Content.author_id == Bound("principal")) if principal.id else seen)


def visibility_key(types: Mapping[str, ContentType], principal: Principal) -> tuple[Any, ...]:
    """Return what of a principal the conditions depend on; it is part of a statement's shape."""
    return tuple((kind.name, kind.policy.key(principal)) for kind in types.values() if kind.public)
