"""Slugs in use: which of them a wanted one could collide with, where it has to be unique."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.sqlite.words import LISTED, elements
from cms.rendering.slugs import MAX_LENGTH, cut_slug, numbered_slug

#: From here on numbers aren't tried one by one: a write mustn't take longer with each item of the same name.
MANY = 50
MAX_ACCOUNT_LENGTH = 50

NOT_TRASHED = "status <> 'trash' AND slug <> ''"
#: The type of content as something other than a bound value: see `of_type`.
IS_OF_TYPE = "type = CAST(? AS TEXT)"
#: Conditions of the rows that an item of content may not share a slug with.
AMONG_ALL = NOT_TRASHED
AMONG_TYPE = f"{IS_OF_TYPE} AND {NOT_TRASHED}"
AMONG_CHILDREN = f"{IS_OF_TYPE} AND parent_id = ? AND {NOT_TRASHED}"
AMONG_SIBLINGS = f"({IS_OF_TYPE} AND parent_id = ? OR type = 'attachment') AND {NOT_TRASHED}"
SELECT_OLD = f"""
SELECT content_id, slug FROM old_slugs WHERE content_id IN {LISTED} ORDER BY content_id, slug
"""  # noqa: S608
ADD_OLD = f"""
INSERT INTO old_slugs (content_id, slug) SELECT ?, value FROM {elements("?")} WHERE true ON CONFLICT DO NOTHING
"""  # noqa: S608


class SlugStore:
    """Find slugs that nothing else has."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def free_among_content(self, wanted: str, id: int) -> str:
        """Return a free slug of an item that may share one with no other item."""
        return self._free("content", wanted, AMONG_ALL, (), id)

    def free_among_type(self, wanted: str, type: str, id: int) -> str:
        """Return a free slug of an item that may share one with no other item of its type."""
        return self._free("content", wanted, AMONG_TYPE, (type,), id)

    def free_among_siblings(self, wanted: str, type: str, parent: int, id: int) -> str:
        """Return a free slug of an item that may share one with no sibling of its type, and with no file."""
        return self._free("content", wanted, AMONG_SIBLINGS, (type, parent), id)

    def free_among_children(self, wanted: str, type: str, parent: int, id: int) -> str:
        """Return a free slug of an item that may share one with no other item of its type below its parent."""
        return self._free("content", wanted, AMONG_CHILDREN, (type, parent), id)

    def free_account(self, wanted: str) -> str:
        """Return a free slug of a new account."""
        return self._free("users", wanted, "TRUE", (), 0, MAX_ACCOUNT_LENGTH)

    def free_term(self, wanted: str, taxonomy: str, id: int = 0) -> str:
        """Return a free slug of a term."""
        return self._free("terms", wanted, "taxonomy = ?", (taxonomy,), id)

    def has_term(self, slug: str, taxonomy: str, id: int = 0) -> bool:
        """Tell whether another term of a taxonomy has a slug."""
        sql = "SELECT 1 FROM terms WHERE taxonomy = ? AND slug = ? AND id <> ?"
        return self._database.exists(sql, (taxonomy, slug, id))

    def old_of(self, ids: Iterable[int]) -> dict[int, list[str]]:
        """Return the slugs that items of content had before, by their ids."""
        found: dict[int, list[str]] = {}
        for id, slug in self._database.tuples(SELECT_OLD, (json_list(ids),)):
            found.setdefault(id, []).append(slug)
        return found

    def keep_old(self, id: int, slugs: Iterable[str]) -> None:
        """Note slugs that an item of content had before it came here."""
        self._database.execute(ADD_OLD, (id, json_list(slugs)))

    def _free(
        self, table: str, sent: str, where: str, values: tuple[object, ...], id: int, most: int = MAX_LENGTH
    ) -> str:
        wanted = cut_slug(sent, most)
        same = f"SELECT 1 FROM {table} WHERE slug = ? AND {where} AND id <> ?"  # noqa: S608 (our own texts)

        def is_free(slug: str) -> bool:
            return not self._database.exists(same, (slug, *values, id))

        if is_free(wanted):
            return wanted
        return numbered_slug(
            wanted, find_number(lambda number: is_free(numbered_slug(wanted, number, most))), most
        )


def find_number(is_free: Callable[[int], bool]) -> int:
    """Return the first free number from 2 on; beyond the first few one whose predecessor is taken, by few looks."""
    for number in range(2, MANY):
        if is_free(number):
            return number
    taken, free = MANY - 1, MANY
    while not is_free(free):
        taken, free = free, 2 * free
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (taken, middle) if is_free(middle) else (middle, free)
    return free
