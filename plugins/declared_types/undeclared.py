"""Values beside items that no field declares any more, and values that their fields wouldn't take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson
from marshmallow import ValidationError

from cms.plugin import ApiError, DateTime, Field, Resource, Site, fields_of

from .store import StoredValues

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
        known = stored_fields(resource)
        for key, number in StoredValues(site.database, resource.table, name).count().items():
            if key not in known and not key.startswith("_"):
                found[name, key] = number
    return found


def delete_values(site: Site, resource: str, key: str) -> None:
    """Delete a value from all items of a resource and from their revisions; call it inside a write."""
    StoredValues(site.database, site.registry.resources[resource].table, resource).delete(key)


def count_misfits(site: Site, resource: str, progress: Progress | None = None) -> dict[str, int]:
    """Return how many stored values their fields wouldn't take, by the names that they are stored as."""
    declared = site.registry.resources[resource]
    known, values = stored_fields(declared), StoredValues(site.database, declared.table, resource)
    total = values.number_of_items()
    found: Counter[str] = Counter()
    for done, meta in enumerate(values.each(), 1):
        found.update(_misfits(known, orjson.loads(meta)))
        if progress is not None:
            progress(resource, done, total)
    return dict(found)


def _misfits(fields: Mapping[str, Field], meta: Mapping[str, Any]) -> list[str]:
    found = []
    for key, value in meta.items():
        if key in fields and not fits(fields[key], value):
            found.append(key)
    return found


def fits(field: Field, value: Any) -> bool:
    """Tell whether a field would take a stored value as it is."""
    try:
        read = field.deserialize(value)
    except (ValidationError, ApiError):
        return False
    return bool(read == value) or isinstance(field, DateTime)
