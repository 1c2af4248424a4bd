"""Values that lay under a field's key before it was declared as HTML or an address: made harmless once, at a start.

Imports bring values that nothing here declares yet, and a field may have been of another kind: what its own kind would
never have taken isn't served as HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from cms.plugin import Field, Resource, Site, fields_of, sanitize_post

from .parts import GroupField, changed
from .store import TABLES, StoredValues, remember_markup, remembered_markup
from .values import ADDRESS, HTML, Several, TextValue

_SCHEME = re.compile(r"[\x00-\x20]*([a-z][a-z0-9+.-]*):", re.IGNORECASE)


def make_harmless(site: Site) -> None:
    """Look through the stored values of the fields that have come to hold markup or addresses since the last start."""
    wanted = _find_fields(site)
    known = remembered_markup(site.database)
    if wanted == known:
        return
    for (name, key), parts in wanted.items():
        if known.get((name, key)) != parts:
            resource = site.registry.resources[name]
            _look_through(site, resource, key, _field_of(resource, key))
    remember_markup(site.database, wanted)


def _find_fields(site: Site) -> dict[tuple[str, str], str]:
    """Return what of each field is markup or an address, by resource and key."""
    found = {}
    for name, resource in site.registry.resources.items():
        for field in fields_of(resource.schema).values() if resource.table in TABLES else ():
            parts = _parts_of(field)
            if parts and field.stored_as:
                found[name, field.stored_as] = " ".join(sorted(parts))
    return found


def _parts_of(field: Field, path: str = "") -> list[str]:
    inner = field.items if isinstance(field, Several) else field
    if isinstance(inner, GroupField):
        found = []
        for part in inner.parts:
            found += _parts_of(part.field, f"{path}.{part.key}")
        return found
    if isinstance(inner, TextValue) and inner.format in CLEANERS:
        return [f"{path}:{inner.format}"]
    return []


def _field_of(resource: Resource, key: str) -> Field:
    return next(field for field in fields_of(resource.schema).values() if field.stored_as == key)


def _look_through(site: Site, resource: Resource, key: str, field: Field) -> None:
    values = StoredValues(site.database, resource.table, resource.name)
    for table, id, column in values.having(key):
        meta = orjson.loads(site.own_files.show(column))
        found = changed(field, meta[key], _clean)
        if found != meta[key]:
            meta[key] = found
            with site.database.write():
                values.replace(table, id, site.own_files.store(orjson.dumps(meta).decode()), column)


def _clean(field: Field, value: Any) -> Any:
    clean = CLEANERS.get(field.format) if isinstance(field, TextValue) else None
    return clean(value) if clean is not None and isinstance(value, str) else value


def _clean_address(text: str) -> str | None:
    """Return an address of the web or a path, None for one that a browser would do something else with."""
    scheme = _SCHEME.match(text)
    return text if scheme is None or scheme[1].lower() in ("http", "https") else None


CLEANERS: Mapping[str, Callable[[str], str | None]] = {HTML: sanitize_post, ADDRESS: _clean_address}
