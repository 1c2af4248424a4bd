"""The tables of relations, which triggers fill from the values beside the items, and look-ups of what they lead to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import orjson
from peewee import IntegerField, Model, TextField

from cms.plugin import Content, Database

SELECT_CONTENT = """
SELECT id, type FROM content WHERE id IN (SELECT value FROM json_each(?)) AND status <> 'trash'
"""
SELECT_TERMS = "SELECT id, taxonomy AS type FROM terms WHERE id IN (SELECT value FROM json_each(?))"
SELECT_RELATIONS = "SELECT type, field FROM declared_relations ORDER BY type, field"
INSERT_RELATION = "INSERT INTO declared_relations (type, field) VALUES (?, ?)"
DELETE_LINKS = """
DELETE FROM declared_links WHERE field = ? AND source_id IN (SELECT id FROM content WHERE type = ?)
"""
FILL_LINKS = """
INSERT OR REPLACE INTO declared_links (source_id, field, position, target_id)
SELECT c.id, ?1, COALESCE(j.key, 0), j.value FROM content c, json_each(c.meta, '$.' || ?1) j
WHERE c.type = ?2 AND j.type = 'integer'
"""


class DeclaredLink(Model):
    """An item that leads to another thing by a field, which is named by its key."""

    source_id = IntegerField()
    field = TextField()
    target_id = IntegerField()

    class Meta:
        table_name = "declared_links"
        primary_key = False


def leads_to(key: str) -> Callable[[Any], Any]:
    """Return what builds the condition that an item leads to one of some ids by a field."""

    def where(place: Any) -> Any:
        links = DeclaredLink.select(DeclaredLink.source_id)
        return Content.id.in_(links.where((DeclaredLink.field == key) & DeclaredLink.target_id.in_(place)))

    return where


def find_targets(database: Database, wanted: Collection[tuple[bool, int]]) -> dict[tuple[bool, int], str]:
    """Return the type of each item, and the taxonomy of each term, of those that are there.

    Ids stand with whether they are those of terms. Items in the trash aren't there.
    """
    found = {}
    for is_term, statement in ((False, SELECT_CONTENT), (True, SELECT_TERMS)):
        ids = sorted(id for kind, id in wanted if kind is is_term)
        if ids:
            for row in database.rows(statement, (orjson.dumps(ids).decode(),)):
                found[is_term, row["id"]] = row["type"]
    return found


def relate(database: Database, wanted: Mapping[str, Collection[str]]) -> bool:
    """Have the table of links hold these fields of these types, and tell whether that is new."""
    present = {(row["type"], row["field"]) for row in database.rows(SELECT_RELATIONS)}
    declared = {(type, field) for type, fields in wanted.items() for field in fields}
    if present == declared:
        return False
    with database.write():
        database.execute("DELETE FROM declared_relations")
        for type, field in sorted(declared):
            database.execute(INSERT_RELATION, (type, field))
        for type, field in sorted(present - declared):
            database.execute(DELETE_LINKS, (field, type))
        for type, field in sorted(declared - present):
            database.execute(FILL_LINKS, (field, type))
    return True
