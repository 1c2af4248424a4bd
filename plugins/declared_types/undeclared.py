"""Values beside items that no field declares any more, and values that their fields wouldn't take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson
from marshmallow import ValidationError

from cms.plugin import ApiError, DateTime, Field, Resource, Site, fields_of

#: How many rows are read at once.
BATCH = 1_000
#: Whose items have values that files declare, with the condition of a resource's own rows.
TABLES = {"content": "type = ?", "terms": "taxonomy = ?", "users": "? <> ''", "comments": "? <> ''"}
COUNT_KEYS = """
SELECT j.key AS key, COUNT(*) AS number
FROM (SELECT meta FROM {table} WHERE {scope}) c, json_each(c.meta) j GROUP BY j.key
"""
SELECT_META = "SELECT id, meta FROM {table} WHERE {scope} AND meta <> '{{}}' AND id > ? ORDER BY id LIMIT ?"
COUNT_ROWS = "SELECT COUNT(*) FROM {table} WHERE {scope} AND meta <> '{{}}'"
DELETE_KEY = """
UPDATE {table} SET meta = json_remove(meta, '$.' || ?), version = version + 1
WHERE {scope} AND json_type(meta, '$.' || ?) IS NOT NULL
"""
DELETE_FROM_REVISIONS = """
UPDATE revisions SET meta = json_remove(meta, '$.' || ?)
WHERE parent_id IN (SELECT id FROM content WHERE type = ?) AND json_type(meta, '$.' || ?) IS NOT NULL
"""

Progress = Callable[[str, int, int | None], None]


def stored_fields(resource: Resource) -> dict[str, Field]:
    """Return the fields of a resource whose values lie beside its items, by what they are stored as."""
    found = {}
    for name, field in fields_of(resource.schema).items():
        if field.in_meta:
            found[field.stored_as or name] = field
    return found


def find_undeclared(site: Site, resources: Iterable[str]) -> dict[tuple[str, str], int]:
    """Return how many items have a value that no field of their resource declares, by resource and key."""
    found = {}
    for name in resources:
        resource = site.registry.resources[name]
        statement = COUNT_KEYS.format(table=resource.table, scope=TABLES[resource.table])
        known = stored_fields(resource)
        for row in site.database.rows(statement, (name,)):
            if row["key"] not in known and not row["key"].startswith("_"):
                found[name, row["key"]] = row["number"]
    return found


def delete_values(site: Site, resource: str, key: str) -> None:
    """Delete a value from all items of a resource and from their revisions; call it inside a write."""
    table = site.registry.resources[resource].table
    statement = DELETE_KEY.format(table=table, scope=TABLES[table])
    site.database.execute(statement, (key, resource, key))
    if table == "content":
        site.database.execute(DELETE_FROM_REVISIONS, (key, resource, key))


def count_misfits(site: Site, resource: str, progress: Progress | None = None) -> dict[str, int]:
    """Return how many stored values their fields wouldn't take, by the names that they are stored as."""
    declared = site.registry.resources[resource]
    table, known = declared.table, stored_fields(declared)
    scope, database = TABLES[table], site.database
    total, done, last = (
        int(database.scalar(COUNT_ROWS.format(table=table, scope=scope), (resource,)) or 0),
        0,
        0,
    )
    found: Counter[str] = Counter()
    while True:
        rows = database.rows(SELECT_META.format(table=table, scope=scope), (resource, last, BATCH))
        if not rows:
            return dict(found)
        for row in rows:
            found.update(_misfits(known, orjson.loads(row["meta"])))
        done, last = done + len(rows), rows[-1]["id"]
        if progress is not None:
            progress(resource, done, total)


def _misfits(fields: Mapping[str, Field], meta: Mapping[str, Any]) -> list[str]:
    return [key for key, value in meta.items() if key in fields and not fits(fields[key], value)]


def fits(field: Field, value: Any) -> bool:
    """Tell whether a field would take a stored value as it is."""
    try:
        read = field.deserialize(value)
    except (ValidationError, ApiError):
        return False
    return bool(read == value) or isinstance(field, DateTime)
