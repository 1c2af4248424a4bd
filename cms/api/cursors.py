"""The arguments `cursor` and `cursor_total`, which lists take besides what discovery says of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cms.errors import ApiError
from cms.i18n import _
from cms.operations.walking import Cursor, cursor_of
from cms.schema.endpoint import Endpoint
from cms.schema.field import Field
from cms.schema.fields import Boolean, String
from cms.schema.schemas import arguments, loader_of

#: What these arguments are, for whatever describes the interface; of endpoints with `takes_cursor`.
CURSOR_ARGUMENTS: Mapping[str, Field] = {
    "cursor": String(
        _("Begins behind the item that X-CMS-Cursor was answered with; an asterisk begins at the first."),
    ),
    "cursor_total": Boolean(
        _("Whether a list with a cursor has the number of all its items in its headers.")
    ),
}
_LOADER = loader_of(arguments("CursorArgs", CURSOR_ARGUMENTS))


def read_cursor(endpoint: Endpoint, sent: Mapping[str, Any]) -> Cursor | None:
    """Return the cursor that a request sends to a list, None where there is none.

    Raises InvalidParams for one that is no text, or with another place to begin at, ApiError where the list takes none.
    """
    declared = endpoint.loader.fields
    if "cursor" not in sent or "cursor" in declared:
        return None
    if not endpoint.takes_cursor:
        if "page" not in declared or "per_page" not in declared:
            return None
        raise ApiError("rest_cursor_order", _("This list takes no cursor. Use page."))
    found, others = _LOADER.load(sent), set(sent)
    if sent.get("page") in ("1", 1):
        others.discard("page")  # generated clients send defaults, and no cursor contradicts the first page
    return cursor_of(found["cursor"], bool(found.get("cursor_total")), others)
