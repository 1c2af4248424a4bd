"""What plugins keep beside an item, as an export of this system tells it: held against what they declare here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import orjson
from marshmallow import ValidationError

from cms.schema.fields import Field
from cms.schema.schemas import fields_of
from cms.site import Site
from cms.transfer.wxr.extension import More


def kept_meta(site: Site, resource: str, more: More, tell: Callable[[str], None]) -> str:
    """Return the column `meta` of an item of a resource.

    Values that the plugin here couldn't have written are left out and told; those of plugins that this site doesn't
    have stay, for the day when it has them.
    """
    meta = more.get("meta")
    if not isinstance(meta, dict) or not meta:
        return "{}"
    known = site.registry.resources.get(resource)
    declared = fields_of(known.schema) if known else {}
    unfit = [
        name
        for name, value in meta.items()
        if name in declared and declared[name].in_meta and not _fits(declared[name], value)
    ]
    for name in unfit:
        tell(f"the value of {name} isn't one that the field takes; it was left out")
    return orjson.dumps({name: value for name, value in meta.items() if name not in unfit}).decode()


def _fits(field: Field, value: Any) -> bool:
    try:
        read = field.deserialize(value)
    except ValidationError:
        return False
    return bool(read == value) or (isinstance(read, datetime) and isinstance(value, str))
