"""Values of plugins that an export of this system has with an item, checked against the fields that are declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import orjson
from marshmallow import ValidationError

from cms.db.meta_values import has_value
from cms.errors import ApiError
from cms.schema.fields import Field
from cms.schema.resource import Resource
from cms.schema.schemas import fields_of
from cms.site import Site
from cms.transfer.importing.context import ImportContext
from cms.transfer.wxr.extension import More
from cms.transfer.wxr.records import ItemRecord, TermRecord


def imported_meta(
    importing: ImportContext, resource: str, record: ItemRecord | TermRecord, warn: Callable[[str], None]
) -> str:
    """Return the column `meta` of an item or a term, with the values that plugins make of what the export has."""
    meta = _values(record.more)
    site = importing.site
    for found in site.hooks.import_values(resource, record, meta, importing):
        meta |= found
    present = {
        name: value for name, value in meta.items() if value is not None or name in _values(record.more)
    }
    return _column(importing, resource, present, warn)


def meta_column(importing: ImportContext, resource: str, extension: More, warn: Callable[[str], None]) -> str:
    """Return the column `meta` of an item of a resource.

    Values that the plugin here couldn't have written are left out with a warning; those of plugins that this site
    doesn't have stay, for the day when it has them.
    """
    return _column(importing, resource, _values(extension), warn)


def _values(extension: More) -> dict[str, Any]:
    meta = extension.get("meta")
    return dict(meta) if isinstance(meta, dict) else {}


def _column(
    importing: ImportContext, resource: str, meta: Mapping[str, Any], warn: Callable[[str], None]
) -> str:
    if not meta:
        return "{}"
    site, resources = importing.site, importing.site.registry.resources
    declared = stored_fields(resources[resource]) if resource in resources else {}
    accepted = {}
    for name, found in meta.items():
        field, value = declared.get(name), rewrite_texts(found, importing.links.rewrite_value)
        if field is not None and field.unique and _is_taken(site, resources[resource], name, value):
            warn(f"another item has the value of {name} already, which is unique; it was left out")
        elif is_accepted(field, value):
            accepted[name] = value
        else:
            warn(f"the value of {name} isn't one that the field takes; it was left out")
    return site.own_files.store(orjson.dumps(accepted).decode())


def rewrite_column(site: Site, column: str, rewrite: Callable[[str], str]) -> str:
    """Return a column `meta` with all texts in it rewritten, the very one where none changes."""
    meta = orjson.loads(column)
    found = rewrite_texts(meta, rewrite)
    return column if found == meta else site.own_files.store(orjson.dumps(found).decode())


def rewrite_texts(value: Any, rewrite: Callable[[str], str]) -> Any:
    """Return a value of JSON with all texts in it rewritten; names stay."""
    if isinstance(value, str):
        return rewrite(value)
    if isinstance(value, list):
        return [rewrite_texts(each, rewrite) for each in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for name, each in value.items():
        found[name] = rewrite_texts(each, rewrite)
    return found


def stored_fields(resource: Resource) -> dict[str, Field]:
    """Return the fields of a resource by the names that their values are stored under."""
    return {field.stored_as or name: field for name, field in fields_of(resource.schema).items()}


def _is_taken(site: Site, resource: Resource, name: str, value: object) -> bool:
    type = resource.name if resource.table == "content" else ""
    return value is not None and has_value(site.database, resource.table, name, value, type)


def is_accepted(field: Field | None, value: object) -> bool:
    """Tell whether a field would store a value as it is; what no field declares is accepted."""
    if field is None or not field.in_meta:
        return True
    try:
        read = field.deserialize(value)
    except (ValidationError, ApiError):
        return False
    return bool(read == value) or (isinstance(read, datetime) and isinstance(value, str))
