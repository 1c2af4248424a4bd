"""Terms, and which items they are given to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.models import TermRow
from cms.db.sqlite.words import JOIN_IN_ORDER, LISTED, json_list_of
from cms.db.stores.items import ItemStore
from cms.rendering.folding import fold

SELECT_OF_ITEMS = f"""
SELECT c.content_id, t.taxonomy, t.id FROM content_terms c {JOIN_IN_ORDER} terms t ON t.id = c.term_id
WHERE c.content_id IN {LISTED} ORDER BY t.sort_name, t.id
"""  # noqa: S608
SELECT_LINKS = f"""
SELECT c.content_id, c.term_id FROM content_terms c {JOIN_IN_ORDER} terms t ON t.id = c.term_id
WHERE c.content_id IN {LISTED} AND t.taxonomy = ? ORDER BY t.sort_name, t.id
"""  # noqa: S608
SELECT_OF_ITEM = f"""
SELECT t.id FROM content_terms c {JOIN_IN_ORDER} terms t ON t.id = c.term_id WHERE c.content_id = ? AND t.taxonomy = ?
"""  # noqa: S608
SELECT_KNOWN = f"SELECT id FROM terms WHERE taxonomy = ? AND id IN {LISTED}"  # noqa: S608
SELECT_ALL_OF_ITEM = f"SELECT {json_list_of('term_id')} FROM content_terms WHERE content_id = ?"  # noqa: S608
SELECT_CHILDREN = "SELECT id FROM terms WHERE parent_id = ? AND taxonomy = ?"
INSERT_LINKS = f"INSERT INTO content_terms (content_id, term_id) SELECT ?, id FROM terms WHERE id IN {LISTED}"  # noqa: S608
DELETE_LINK = "DELETE FROM content_terms WHERE content_id = ? AND term_id = ?"
INSERT_DEFAULT = f"""
INSERT INTO content_terms (content_id, term_id)
SELECT id, ? FROM content WHERE id IN {LISTED} AND id NOT IN (
    SELECT content_id FROM content_terms JOIN terms ON terms.id = term_id WHERE taxonomy = ?)
"""  # noqa: S608


class TermStore:
    """Read and write rows of the tables of terms and of the terms of items."""

    def __init__(self, database: Database, items: ItemStore) -> None:
        self._database, self._items = database, items

    def find(self, id: int) -> TermRow | None:
        """Return a term by its id."""
        return cast(TermRow | None, self._database.row("SELECT * FROM terms WHERE id = ?", (id,)))

    def exists(self, id: int, taxonomy: str) -> bool:
        """Tell whether there is a term of a taxonomy with an id."""
        return self._database.exists("SELECT 1 FROM terms WHERE id = ? AND taxonomy = ?", (id, taxonomy))

    def known(self, taxonomy: str, ids: Iterable[int]) -> list[int]:
        """Return which ids are those of terms of a taxonomy."""
        return self._database.column(SELECT_KNOWN, (taxonomy, json_list(ids)))

    def find_namesake(self, taxonomy: str, name: str, parent: int | None, slug: str) -> int | None:
        """Return the oldest term with a name, folded: below a parent and with a slug if these are given."""
        sql = "SELECT id FROM terms WHERE taxonomy = :taxonomy AND sort_name = :name"
        if parent is not None:
            sql += " AND parent_id = :parent"
        if slug:
            sql += " AND slug = :slug"
        values = {"taxonomy": taxonomy, "name": fold(name), "parent": parent, "slug": slug}
        found: int | None = self._database.scalar(f"{sql} ORDER BY id", values)
        return found

    def of_items(self, ids: Iterable[int]) -> list[tuple[int, str, int]]:
        """Return item, taxonomy and term for all terms of items, the terms by name."""
        return cast(list[tuple[int, str, int]], self._database.tuples(SELECT_OF_ITEMS, (json_list(ids),)))

    def links(self, ids: Iterable[int], taxonomy: str) -> list[tuple[int, int]]:
        """Return item and term for the terms of items of one taxonomy, the terms by name."""
        return cast(list[tuple[int, int]], self._database.tuples(SELECT_LINKS, (json_list(ids), taxonomy)))

    def of_item(self, id: int, taxonomy: str) -> set[int]:
        """Return the ids of an item's terms of one taxonomy."""
        return set(self._database.column(SELECT_OF_ITEM, (id, taxonomy)))

    def all_of_item(self, id: int) -> str:
        """Return the ids of all terms of an item as a JSON list."""
        return str(self._database.scalar(SELECT_ALL_OF_ITEM, (id,)))

    def set_for_item(self, id: int, terms: Mapping[str, Iterable[int]]) -> None:
        """Make these the item's terms of each taxonomy that is named."""
        added: set[int] = set()
        for taxonomy, ids in terms.items():
            wanted, present = set(ids), self.of_item(id, taxonomy)
            for term in present - wanted:
                self._database.execute(DELETE_LINK, (id, term))
            added |= wanted - present
        self.add_to_item(id, added)

    def add_to_item(self, id: int, terms: Iterable[int]) -> None:
        """Give an item terms that it doesn't have."""
        listed = json_list(terms)
        if listed != "[]":
            self._database.execute(INSERT_LINKS, (id, listed))

    def lift_children(self, term: TermRow) -> None:
        """Put what is right below a term below the term's own parent."""
        for child in self._database.column(SELECT_CHILDREN, (term["id"], term["taxonomy"])):
            self._items.update("terms", child, {"parent_id": term["parent_id"]})

    def take_from_items(self, term: TermRow, default: int | None) -> None:
        """Take a term from all items, which get the default term where they are left without any of the taxonomy."""
        items = self._database.column("SELECT content_id FROM content_terms WHERE term_id = ?", (term["id"],))
        self._database.execute("DELETE FROM content_terms WHERE term_id = ?", (term["id"],))
        if default is not None and items:
            self._database.execute(INSERT_DEFAULT, (default, json_list(items), term["taxonomy"]))
        self._items.touch("content", items)
