"""The item that a route is about, for those who may change it."""

from __future__ import annotations

from cms.plugin import Call, ContentRow, ContentType


def find_editable(call: Call, content_type: ContentType, id: int) -> ContentRow:
    """Return an item's row; raises ApiError where there is none or the principal may not change it."""
    operations = call.site.operations[content_type.name]
    row: ContentRow = operations.find_permitted(id, "update", {}, call.principal)
    return row
