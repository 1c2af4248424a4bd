"""Items and lists as they are embedded in the items that link to them, several at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cms.access.capabilities import Principal
from cms.errors import ApiError
from cms.operations.query import ARGUMENT, ListQuery
from cms.operations.results import EmbeddedItem
from cms.operations.rules import AnyRules
from cms.operations.serialize import ItemSerializer
from cms.operations.services import Services
from cms.schema.fields import EMBED
from cms.schema.resource import SerializedItem, SerializedItems

#: How many items of a list are embedded at most for each item that links to it.
MAX_EMBEDDED = 100


class LinkedItems:
    """Reads the items of one resource for others that link to them."""

    def __init__(
        self,
        services: Services,
        rules: AnyRules,
        query: ListQuery,
        serializer: ItemSerializer,
    ) -> None:
        self._site, self._hooks = services.site, services.hooks
        self._rules, self._query, self._serializer = rules, query, serializer

    def get_many(self, ids: Sequence[int], principal: Principal) -> dict[int, SerializedItem | ApiError]:
        """Return items in their embedded form by id, or why the principal may not read them; all in one query."""
        rows = self._query.reader.many(ids, self._site.now())
        refused = self._rules.unreadable(rows, principal)
        readable = [row for row in rows if row["id"] not in refused]
        if self._hooks.checks_permissions:
            refused |= self._rules.hidden_by_plugins(readable, principal)
            readable = [row for row in readable if row["id"] not in refused]
        page = self._serializer.page(readable, EMBED, principal)
        items = map(EmbeddedItem, self._serializer.serialize_page(page, self._serializer.compiled(EMBED)))
        missing = ApiError(*self._rules.not_found, 404)
        found: dict[int, SerializedItem | ApiError] = dict.fromkeys(ids, missing)
        found |= dict(zip(page.ids, items, strict=True))
        return found | refused

    def get_lists(
        self, argument: str, ids: Sequence[int], principal: Principal
    ) -> Mapping[int, SerializedItems]:
        """Return lists in their embedded form, one for each value of a filter; none where that isn't offered."""
        if argument in self._rules.grouping_columns:
            return self._group_by_column(argument, ids, principal)
        links = self._rules.linked(argument, ids)
        return {} if links is None else self._group_linked(links, principal)

    def _group_by_column(
        self, argument: str, ids: Sequence[int], principal: Principal
    ) -> dict[int, SerializedItems]:
        args = self._query.loader.load({argument: list(ids), "context": EMBED})
        plan = self._query.plan(args, principal, self._site.now())
        serializer = self._serializer.compiled(EMBED)
        column = self._rules.grouping_columns[argument]
        columns = tuple(dict.fromkeys((*serializer.columns, column)))
        rows = self._query.reader.page_per_group(plan, columns, column, ARGUMENT + argument, MAX_EMBEDDED)
        page = self._serializer.page(rows, EMBED, principal)
        found: dict[int, SerializedItems] = {}
        for row, item in zip(rows, self._serializer.serialize_page(page, serializer), strict=True):
            found.setdefault(row[column], []).append(EmbeddedItem(item))
        return found

    def _group_linked(
        self, links: Sequence[tuple[int, int]], principal: Principal
    ) -> dict[int, SerializedItems]:
        items = self.get_many([item for _owner, item in links], principal)
        found: dict[int, SerializedItems] = {}
        for owner, id in links:
            item = items[id]
            if not isinstance(item, ApiError):
                found.setdefault(owner, []).append(item)
        return found
