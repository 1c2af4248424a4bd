"""How the items of a resource are shown: written by context, linked, embedded in others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cms.access.capabilities import Principal
from cms.db import Each
from cms.errors import ApiError
from cms.operations.query import Queries
from cms.schema.fields import EMBED, VIEW
from cms.schema.resource import Arguments, Item, Resource, SerializationContext, SerializedItems
from cms.schema.schemas import Serializer, compile_serializer

if TYPE_CHECKING:
    from cms.site import Site


class Presentation(Queries):
    """Items of a resource as principals see them, and who may not."""

    def __init__(self, site: Site, resource: Resource) -> None:
        super().__init__(site, resource)
        self.address = f"{site.api_url}/{resource.namespace}/{resource.base}"
        self._serializers: dict[tuple[str, frozenset[str] | None], Serializer] = {}

    def check_read(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse an item, or its editable form, that the principal may not read."""

    def hidden(self, rows: Sequence[Any], principal: Principal) -> dict[int, ApiError]:
        """Return which of these rows a plugin hides, with the reason, by id."""
        admit, name = self.site.hooks.admit, self.resource.name
        return _refusals(rows, lambda row: admit(principal, "read", name, row))

    def refused(self, rows: Sequence[Any], principal: Principal) -> dict[int, ApiError]:
        """Return which of these rows the principal may not read, with the reason, by id."""
        return _refusals(rows, lambda row: self.check_read(row, {"context": EMBED}, principal))

    def page_url(self, row: Any, principal: Principal) -> str:
        """Return where a front end shows an item, or nothing."""
        if self.resource.address is None:
            return ""
        return self.resource.address(
            row, SerializationContext(self.site, principal, VIEW, [row], self.site.now())
        )

    def unlocks(self, row: Any, args: Arguments) -> bool:
        """Tell whether the arguments open what a password protects."""
        return False

    def status_of(self, row: Any) -> str | None:
        """Return an item's state as it is shown, for resources whose items have one."""
        return None

    def many(self, ids: Sequence[int], principal: Principal) -> dict[int, dict[str, Any] | ApiError]:
        """Return items in their embedded form by id, or why the principal may not read them; all in one query."""
        scope = self.scope()

        def build() -> Any:
            return self._select(self._all_columns).where(
                self._within(scope[1], self.model.id.in_(Each("ids")))
            )

        now = self.site.now()
        rows = self.site.statements.rows(
            (self.resource.name, "many", scope[0]), build, ids=list(ids), now=now
        )
        refused = self.refused(rows, principal)
        if self.site.hooks.check_permission is not None:
            refused |= self.hidden([row for row in rows if row["id"] not in refused], principal)
        page = SerializationContext(
            self.site, principal, EMBED, [row for row in rows if row["id"] not in refused], now
        )
        found: dict[int, dict[str, Any] | ApiError] = {id: ApiError(*self.not_found, 404) for id in ids}
        found |= dict(zip(page.ids, self.show(page, self.serializer(EMBED)), strict=True))
        return found | refused

    def grouped(self, argument: str, ids: Sequence[int], principal: Principal) -> dict[int, SerializedItems]:
        """Return lists in their embedded form, one for each value of a filter; none where that isn't offered."""
        return {}

    def shown(
        self, row: Any, context: str, principal: Principal, *, unlocked: bool = False, wanted: Any = None
    ) -> Item:
        """Return one row as it is shown in a context."""
        page = SerializationContext(self.site, principal, context, [row], self.site.now(), unlocked, wanted)
        return Item(self.show(page, self.serializer(context, wanted))[0], row)

    def show(self, page: SerializationContext, serializer: Serializer) -> SerializedItems:
        """Write all items of a page, their links included."""
        for load in serializer.loads:
            page.loaded[load] = load(page)
        items = [serializer.write(row, page) for row in page.rows]
        if serializer.linked:
            for row, item in zip(page.rows, items, strict=True):
                item["_links"] = self.link(row, page)
        return self.site.hooks.prepare(self.resource.name, items, page)

    def link(self, row: Any, page: SerializationContext) -> dict[str, SerializedItems]:
        """Return an item's links by relation."""
        links: dict[str, SerializedItems] = {
            "self": [{"href": f"{self.address}/{row['id']}"}],
            "collection": [{"href": self.address}],
        }
        for declared in self.resource.links:
            target = declared.href(row, page)
            if isinstance(target, str):
                embeddable = {"embeddable": True} if declared.embeddable else {}
                links[declared.rel] = [{**embeddable, "href": target}]
            elif target:
                links[declared.rel] = target
        return links

    def serializer(self, context: str, wanted: frozenset[str] | None = None) -> Serializer:
        """Return the output function of a context, made when first asked for."""
        key = (context, wanted)
        if key not in self._serializers:
            linked = wanted is None or "_links" in wanted
            columns = [column for link in self.resource.links for column in link.columns] if linked else []
            always = (*self.always, *columns)
            self._serializers[key] = compile_serializer(self.resource.schema, context, wanted, always, linked)
        return self._serializers[key]


def _refusals(rows: Sequence[Any], check: Callable[[Any], None]) -> dict[int, ApiError]:
    found = {}
    for row in rows:
        try:
            check(row)
        except ApiError as error:
            found[row["id"]] = error
    return found
