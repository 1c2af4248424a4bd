"""Walking through a list by cursors: pages that begin behind the last item seen, whatever is written meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from cms.access.capabilities import Principal
from cms.access.sealing import BrokenSeal, seal, unseal
from cms.context import SiteContext
from cms.db import QueryPlan
from cms.db.lists import TableReader
from cms.db.reader import Row
from cms.db.segments import Segment, can_be_walked, segments
from cms.errors import ApiError, InvalidParams
from cms.i18n import _
from cms.operations.results import Listing
from cms.operations.serialize import ItemSerializer
from cms.schema.resource import Arguments

#: The name under which a list's arguments have its cursor.
CURSOR = "_cursor"
#: The setting with the key that cursors are sealed with.
KEY = "cursor_key"
#: Arguments that may change on the way: they choose neither the items nor their order.
FREE = ("context", "page", "per_page", "offset")
#: The longest cursor in letters: it has to fit into an address, and into a header.
LONGEST = 3_000
#: What begins a list.
BEGINNING = ("", "*")
#: Other ways to say where a page begins.
OTHER_PLACES = ("page", "offset")


@dataclass(frozen=True)
class Cursor:
    """Where a page begins: behind an item, at the beginning if there is no text; `total` asks for the number of all."""

    text: str
    total: bool = False


def cursor_of(text: str, total: bool, others: Iterable[str]) -> Cursor:
    """Return the cursor that a text names; raises InvalidParams for a text that none is.

    `others` are the other arguments that were sent, some of which say too where a page begins.
    """
    places = [name for name in OTHER_PLACES if name in others]
    if places:
        raise InvalidParams(dict.fromkeys(places, _("This doesn't go together with cursor.")))
    if len(text) > LONGEST:
        raise InvalidParams({"cursor": _("This is longer than any cursor.")})
    return Cursor("" if text in BEGINNING else text, total)


class ListWalk:
    """The pages of the lists of one resource, each beginning where a cursor says."""

    def __init__(self, site: SiteContext, name: str, reader: TableReader, serializer: ItemSerializer) -> None:
        """Prepare for the resource of a name."""
        self._site, self._name, self._reader, self._serializer = site, name, reader, serializer

    def listing(self, plan: QueryPlan, args: Arguments, principal: Principal) -> Listing:
        """Return the page that begins where the arguments' cursor says, with the total if they ask for it.

        Raises ApiError for an order that can't be walked through, and for a cursor that isn't one of this list.
        """
        wanted, context, is_counted = args.get("_fields"), args["context"], args[CURSOR].total
        serializer = self._serializer.compiled(context, wanted)
        rows, cursor = self._page(plan, args, serializer.columns)
        page = self._serializer.page(rows, context, principal, wanted=wanted)
        items, total = self._serializer.serialize_page(page, serializer), 0
        if is_counted:
            total = self._reader.total(plan, plan.values["now"])
        return Listing(items, total, -(-total // args["per_page"]), 1, False, cursor, is_counted)

    def _page(self, plan: QueryPlan, args: Arguments, columns: Sequence[str]) -> tuple[list[Row], str]:
        """Return the rows of a page and the cursor of the next one, empty where none follows."""
        if not can_be_walked(plan):
            message = _("There is no cursor in this order. Choose another orderby, or use page.")
            raise ApiError("rest_cursor_order", message)
        cursors, size = CursorSeal(self._site, self._purpose(args)), len(plan.ordering)
        values = cursors.open(args[CURSOR].text, size)
        rows = self._rows(plan, columns, values, args["per_page"] + 1)
        has_next = len(rows) > args["per_page"]
        rows = rows[: args["per_page"]]
        keys = [[row.pop(f"key_{place}") for place in range(size)] for row in rows[-1:]]
        return rows, cursors.close(keys[0]) if has_next else ""

    def _rows(self, plan: QueryPlan, columns: Sequence[str], values: list[Any], limit: int) -> list[Row]:
        rest: list[Segment | None] = [None]
        if values:
            rest = [*segments(plan, values)]
        rows: list[Row] = []
        for segment in rest:
            if len(rows) < limit:
                rows += self._reader.segment(plan, columns, segment, limit - len(rows), values)
        return rows

    def _purpose(self, args: Arguments) -> bytes:
        """Return what a cursor belongs to: the resource, and what chooses its items and their order."""
        chosen = []
        for name, value in sorted(args.items()):
            if name not in FREE and not name.startswith("_"):
                chosen.append((name, value))
        return repr((self._name, chosen)).encode(errors="surrogatepass")


class CursorSeal:
    """Makes cursors that one list alone takes back."""

    def __init__(self, site: SiteContext, purpose: bytes) -> None:
        """Prepare for a list; `purpose` says all that chooses its items and their order."""
        self._key, self._purpose = bytes.fromhex(site.settings[KEY]), purpose

    def close(self, keys: list[Any]) -> str:
        """Return the cursor behind a row, by what the list is ordered by; raises ApiError for one that is too long."""
        text = seal(self._key, orjson.dumps(keys), self._purpose)
        if len(text) > LONGEST:
            message = _("What this list is ordered by is too long for a cursor. Choose another orderby.")
            raise ApiError("rest_cursor_order", message)
        return text

    def open(self, text: str, size: int) -> list[Any]:
        """Return what a cursor was made of, empty for the beginning; raises ApiError for one of another list."""
        if not text:
            return []
        try:
            values: list[Any] = orjson.loads(unseal(self._key, text, self._purpose))
        except BrokenSeal:
            values = []
        if len(values) != size:
            message = _(
                "This isn't a cursor of this list: its order or filters were others. Begin with cursor=*."
            )
            raise ApiError("rest_invalid_cursor", message)
        return values
