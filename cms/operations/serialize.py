"""How the items of a resource are shown: written by context, linked, embedded in others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cms.access.capabilities import Viewer
from cms.db import Each
from cms.errors import ApiError
from cms.operations.query import Queries
from cms.schema.fields import EMBED, VIEW
from cms.schema.resource import Given, Item, Page, Resource, Shown
from cms.schema.schemas import Writer, compile_writer

if TYPE_CHECKING:
    from cms.site import Site


class Presentation(Queries):
    """Items of a resource as viewers see them, and who may not."""

    def __init__(self, site: Site, resource: Resource) -> None:
        super().__init__(site, resource)
        self.address = f"{site.api_url}/{resource.namespace}/{resource.base}"
        self._writers: dict[tuple[str, frozenset[str] | None], Writer] = {}

    def check_read(self, row: Any, args: Given, viewer: Viewer) -> None:
        """Refuse an item, or its editable form, that the viewer may not read."""

    def hidden(self, rows: Sequence[Any], viewer: Viewer) -> dict[int, ApiError]:
        """Return which of these rows a plugin hides, with the reason, by id."""
        admit, name = self.site.hooks.admit, self.resource.name
        return _refusals(rows, lambda row: admit(viewer, "read", name, row))

    def refused(self, rows: Sequence[Any], viewer: Viewer) -> dict[int, ApiError]:
        """Return which of these rows the viewer may not read, with the reason, by id."""
        return _refusals(rows, lambda row: self.check_read(row, {"context": EMBED}, viewer))

    def page_address(self, row: Any, viewer: Viewer) -> str:
        """Return where a front end shows an item, or nothing."""
        if self.resource.address is None:
            return ""
        return self.resource.address(row, Page(self.site, viewer, VIEW, [row], self.site.now()))

    def unlocks(self, row: Any, args: Given) -> bool:
        """Tell whether the arguments open what a password protects."""
        return False

    def status_of(self, row: Any) -> str | None:
        """Return an item's state as it is shown, for resources whose items have one."""
        return None

    def many(self, ids: Sequence[int], viewer: Viewer) -> dict[int, dict[str, Any] | ApiError]:
        """Return items in their embedded form by id, or why the viewer may not read them; all in one query."""
        scope = self.scope()

        def build() -> Any:
            return self._select(self._all_columns).where(
                self._within(scope[1], self.model.id.in_(Each("ids")))
            )

        now = self.site.now()
        rows = self.site.statements.rows(
            (self.resource.name, "many", scope[0]), build, ids=list(ids), now=now
        )
        refused = self.refused(rows, viewer)
        if self.site.hooks.check_permission is not None:
            refused |= self.hidden([row for row in rows if row["id"] not in refused], viewer)
        page = Page(self.site, viewer, EMBED, [row for row in rows if row["id"] not in refused], now)
        found: dict[int, dict[str, Any] | ApiError] = {id: ApiError(*self.not_found, 404) for id in ids}
        found |= dict(zip(page.ids, self.show(page, self.writer(EMBED)), strict=True))
        return found | refused

    def grouped(self, argument: str, ids: Sequence[int], viewer: Viewer) -> dict[int, Shown]:
        """Return lists in their embedded form, one for each value of a filter; none where that isn't offered."""
        return {}

    def shown(
        self, row: Any, context: str, viewer: Viewer, *, unlocked: bool = False, wanted: Any = None
    ) -> Item:
        """Return one row as it is shown in a context."""
        page = Page(self.site, viewer, context, [row], self.site.now(), unlocked, wanted)
        return Item(self.show(page, self.writer(context, wanted))[0], row)

    def show(self, page: Page, writer: Writer) -> Shown:
        """Write all items of a page, their links included."""
        for load in writer.loads:
            page.loaded[load] = load(page)
        items = [writer.write(row, page) for row in page.rows]
        if writer.linked:
            for row, item in zip(page.rows, items, strict=True):
                item["_links"] = self.link(row, page)
        return self.site.hooks.prepare(self.resource.name, items, page)

    def link(self, row: Any, page: Page) -> dict[str, Shown]:
        """Return an item's links by relation."""
        links: dict[str, Shown] = {
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

    def writer(self, context: str, wanted: frozenset[str] | None = None) -> Writer:
        """Return the output function of a context, made when first asked for."""
        key = (context, wanted)
        if key not in self._writers:
            linked = wanted is None or "_links" in wanted
            columns = [column for link in self.resource.links for column in link.columns] if linked else []
            always = (*self.always, *columns)
            self._writers[key] = compile_writer(self.resource.schema, context, wanted, always, linked)
        return self._writers[key]


def _refusals(rows: Sequence[Any], check: Callable[[Any], None]) -> dict[int, ApiError]:
    found = {}
    for row in rows:
        try:
            check(row)
        except ApiError as error:
            found[row["id"]] = error
    return found
