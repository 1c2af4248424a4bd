"""The item that a route is about, for those who may change it."""

from __future__ import annotations

from typing import Any

from cms.resources.content.operations import ContentOperations

from cms.call import Call
from cms.schema.content_types import ContentType


def operations_of(call: Call, kind: ContentType) -> ContentOperations:
    """Return the operations on a type's items."""
    found = call.site.operations[kind.name]
    assert isinstance(found, ContentOperations)
    return found


def editable(call: Call, kind: ContentType, id: int) -> Any:
    """Return an item's row; raises where there is none, or where the principal may not change it."""
    operations = operations_of(call, kind)
    row = operations.find(id)
    operations.check_update(row, {}, call.principal)
    operations.admit("update", call.principal, row)
    return row
