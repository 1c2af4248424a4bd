"""The tables of relations, which triggers fill from the values beside the items, and look-ups of what they lead to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import orjson
from peewee import IntegerField, Model, TextField

from cms.plugin import Content, Database, words

SELECT_CONTENT = f"""
SELECT id, type FROM content WHERE id IN {words.LISTED} AND status <> 'trash'
"""  # noqa: S608
SELECT_TERMS = f"SELECT id, taxonomy AS type FROM terms WHERE id IN {words.LISTED}"  # noqa: S608
SELECT_RELATIONS = "SELECT type, field FROM declared_relations ORDER BY type, field"
INSERT_RELATION = "INSERT INTO declared_relations (type, field) VALUES (?, ?)"
DELETE_LINKS = """
DELETE FROM declared_links WHERE field = ? AND source_id IN (SELECT id FROM content WHERE type = ?)
"""
FILL_LINKS = f"""
INSERT INTO declared_links (source_id, field, position, target_id)
SELECT c.id, :field, COALESCE(j.key, 0), CAST(j.value AS INTEGER)
FROM content c, {words.elements("c.meta, '$.' || :field")} j
WHERE c.type = :type AND j.type = 'integer'
ON CONFLICT (source_id, field, position) DO UPDATE SET target_id = excluded.target_id
"""  # noqa: S608
#: What moves the entries of menus that lead to items or terms of a type or taxonomy that has another name.
_KIND, _OBJECT = words.json_value("meta", "_menu_item_type"), words.json_value("meta", "_menu_item_object")
RENAME_ENTRIES = f"""
UPDATE content SET meta = {words.json_with("meta", "'$._menu_item_object'", ":new")}, version = version + 1
WHERE type = 'nav_menu_item' AND {_KIND} = :kind AND {_OBJECT} = :old
"""  # noqa: S608
#: What moves the items of a type that has another name.
RENAME_TYPE = (
    f"{words.UPDATE_IF_ALLOWED} content SET type = :new, version = version + 1 WHERE type = :old",
    RENAME_ENTRIES,
)
#: The same for the terms of a taxonomy, and for what awaits them at imports.
RENAME_TAXONOMY = (
    f"{words.UPDATE_IF_ALLOWED} terms SET taxonomy = :new, version = version + 1 WHERE taxonomy = :old",
    RENAME_ENTRIES,
    f"{words.UPDATE_IF_ALLOWED} awaited SET kind = 'term:' || :new WHERE kind = 'term:' || :old",
    f"{words.UPDATE_IF_ALLOWED} awaited SET kind = 'slug:' || :new WHERE kind = 'slug:' || :old",
)
RENAME_MARKUP = (
    """
DELETE FROM declared_markup WHERE resource = :new AND field IN (SELECT field FROM declared_markup WHERE resource = :old)
""",
    "UPDATE declared_markup SET resource = :new WHERE resource = :old",
)
HAS_ROWS = {
    False: "SELECT 1 FROM content WHERE type = ? LIMIT 1",
    True: "SELECT 1 FROM terms WHERE taxonomy = ? LIMIT 1",
}
SELECT_FILES = "SELECT name, text FROM declared_files ORDER BY name"
INSERT_FILE = "INSERT INTO declared_files (name, text) VALUES (?, ?)"

#: How many rows are read at once.
BATCH = 1_000
#: Whose items have values that files declare, with the condition of a resource's own rows.
TABLES = {"content": "type = ?", "terms": "taxonomy = ?", "users": "? <> ''", "comments": "? <> ''"}
COUNT_KEYS = f"""
SELECT j.key AS key, COUNT(*) AS number
FROM (SELECT meta FROM {{table}} WHERE {{scope}}) c, {words.members("c.meta")} j GROUP BY j.key
"""  # noqa: S608
SELECT_META = "SELECT id, meta FROM {table} WHERE {scope} AND meta <> '{{}}' AND id > ? ORDER BY id LIMIT ?"
COUNT_ROWS = "SELECT COUNT(*) FROM {table} WHERE {scope} AND meta <> '{{}}'"
WITHOUT_KEY, HAS_KEY = words.json_without("meta", "'$.' || ?"), words.json_has("meta", "'$.' || ?")
DELETE_KEY = f"""
UPDATE {{table}} SET meta = {WITHOUT_KEY}, version = version + 1 WHERE {{scope}} AND {HAS_KEY}
"""  # noqa: S608
SELECT_HAVING = f"""
SELECT id, meta FROM {{table}} WHERE {{scope}} AND {HAS_KEY} AND id > ? ORDER BY id LIMIT ?
"""  # noqa: S608
#: What replaces a value, unless somebody has changed the row meanwhile; revisions have no version.
REPLACE = "UPDATE {table} SET meta = ?, version = version + 1 WHERE id = ? AND meta = ?"
REPLACE_IN_REVISION = "UPDATE revisions SET meta = ? WHERE id = ? AND meta = ?"
OF_REVISIONS = "parent_id IN (SELECT id FROM content WHERE type = ?)"
SELECT_MARKUP = "SELECT resource, field, parts FROM declared_markup"
INSERT_MARKUP = "INSERT INTO declared_markup (resource, field, parts) VALUES (?, ?, ?)"
DELETE_FROM_REVISIONS = f"""
UPDATE revisions SET meta = {WITHOUT_KEY} WHERE parent_id IN (SELECT id FROM content WHERE type = ?) AND {HAS_KEY}
"""  # noqa: S608


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
            database.execute(FILL_LINKS, {"field": field, "type": type})
    return True


def rename_rows(database: Database, is_taxonomy: bool, old: str, new: str) -> bool:
    """Have the items of a type, or the terms of a taxonomy, be of that name; tell whether all are.

    Those whose slug an item of the new name has stay as they are.
    """
    statements: tuple[str, ...] = RENAME_TYPE
    kind = "post_type"
    if is_taxonomy:
        statements, kind = RENAME_TAXONOMY, "taxonomy"
    values = {"old": old, "new": new, "kind": kind}
    with database.write():
        for statement in (*statements, *RENAME_MARKUP):
            database.execute(statement, values)
        return not has_rows(database, is_taxonomy, old)


def has_rows(database: Database, is_taxonomy: bool, name: str) -> bool:
    """Tell whether a type has items, or a taxonomy terms."""
    return database.exists(HAS_ROWS[is_taxonomy], (name,))


def remembered_files(database: Database) -> dict[str, str]:
    """Return the texts that the site was served with last, by the names of their files."""
    return dict(map(itemgetter("name", "text"), database.rows(SELECT_FILES)))


def remember_files(database: Database, texts: Mapping[str, str]) -> None:
    """Have the database remember these texts and no others."""
    if remembered_files(database) == texts:
        return
    with database.write():
        database.execute("DELETE FROM declared_files")
        for name, text in texts.items():
            database.execute(INSERT_FILE, (name, text))


def remembered_markup(database: Database) -> dict[tuple[str, str], str]:
    """Return what of each field was markup or an address at the last start, by resource and key."""
    found = {}
    for row in database.rows(SELECT_MARKUP):
        found[row["resource"], row["field"]] = row["parts"]
    return found


def remember_markup(database: Database, fields: Mapping[tuple[str, str], str]) -> None:
    """Have the database remember these and no others."""
    with database.write():
        database.execute("DELETE FROM declared_markup")
        for (resource, field), parts in sorted(fields.items()):
            database.execute(INSERT_MARKUP, (resource, field, parts))


@dataclass(frozen=True)
class StoredValues:
    """The values beside the items of one resource, which lie in a table with others."""

    database: Database
    table: str
    resource: str

    def count(self) -> dict[str, int]:
        """Return how many items have a value, by its name."""
        rows = self.database.rows(self._text(COUNT_KEYS), (self.resource,))
        return dict(map(itemgetter("key", "number"), rows))

    def number_of_items(self) -> int:
        """Return how many items have any value."""
        return int(self.database.scalar(self._text(COUNT_ROWS), (self.resource,)) or 0)

    def each(self) -> Iterator[str]:
        """Yield the values of each item that has any, as JSON."""
        last = 0
        while True:
            rows = self.database.rows(self._text(SELECT_META), (self.resource, last, BATCH))
            for row in rows:
                yield row["meta"]
            if not rows:
                return
            last = rows[-1]["id"]

    def having(self, key: str) -> Iterator[tuple[str, int, str]]:
        """Yield the rows that have a value, revisions too: table, id and all values as JSON."""
        yield from self._having(key, self.table, TABLES[self.table])
        if self.table == "content":
            yield from self._having(key, "revisions", OF_REVISIONS)

    def _having(self, key: str, table: str, scope: str) -> Iterator[tuple[str, int, str]]:
        last, statement = 0, SELECT_HAVING.format(table=table, scope=scope)
        while rows := self.database.rows(statement, (self.resource, key, last, BATCH)):
            for row in rows:
                yield table, row["id"], row["meta"]
            last = rows[-1]["id"]

    def replace(self, table: str, id: int, meta: str, present: str) -> None:
        """Replace the values of a row of `having` where they are what they were; to be called inside a write."""
        statement = REPLACE_IN_REVISION if table == "revisions" else REPLACE.format(table=table)
        self.database.execute(statement, (meta, id, present))

    def delete(self, key: str) -> None:
        """Delete a value of all items and of their revisions; to be called inside a write."""
        self.database.execute(self._text(DELETE_KEY), (key, self.resource, key))
        if self.table == "content":
            self.database.execute(DELETE_FROM_REVISIONS, (key, self.resource, key))

    def _text(self, statement: str) -> str:
        return statement.format(table=self.table, scope=TABLES[self.table])
