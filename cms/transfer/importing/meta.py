"""Values of plugins that an export of this system has with an item, checked against the fields that are declared."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import orjson
from marshmallow import ValidationError

from cms.db.meta_values import has_value
from cms.errors import ApiError
from cms.schema.fields import Field
from cms.schema.resource import Resource
from cms.schema.schemas import fields_of
from cms.site import Site
from cms.transfer.wxr.extension import More


def meta_column(site: Site, resource: str, extension: More, warn: Callable[[str], None]) -> str:
    """Return the column `meta` of an item of a resource.

    Values that the plugin here couldn't have written are left out with a warning; those of plugins that this site
    doesn't have stay, for the day when it has them.
    """
    meta = extension.get("meta")
    if not isinstance(meta, dict) or not meta:
        return "{}"
    resources = site.registry.resources
    declared = _stored_fields(resources[resource]) if resource in resources else {}
    accepted = {}
    for name, value in meta.items():
        field = declared.get(name)
        if field is not None and field.unique and _is_taken(site, resources[resource], name, value):
            warn(f"another item has the value of {name} already, which is unique; it was left out")
        elif _is_accepted(field, value):
            accepted[name] = value
        else:
            warn(f"the value of {name} isn't one that the field takes; it was left out")
    return site.own_files.store(orjson.dumps(accepted).decode())


def _stored_fields(resource: Resource) -> dict[str, Field]:
    """Return the fields of a resource by the names that their values are stored under."""
    return {field.stored_as or name: field for name, field in fields_of(resource.schema).items()}


def _is_taken(site: Site, resource: Resource, name: str, value: object) -> bool:
    type = resource.name if resource.table == "content" else ""
    return value is not None and has_value(site.database, resource.table, name, value, type)


def _is_accepted(field: Field | None, value: object) -> bool:
    if field is None or not field.in_meta:
        return True
    try:
        read = field.deserialize(value)
    except (ValidationError, ApiError):
        return False
    return bool(read == value) or (isinstance(read, datetime) and isinstance(value, str))
