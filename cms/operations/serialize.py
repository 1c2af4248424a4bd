"""Serializing items: compiled per context, loaded for a whole page at once, linked to others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import cached_property
from typing import Any, TypeVar

from cms.access.capabilities import Principal
from cms.context import SiteContext
from cms.operations.renderer import Renderer
from cms.operations.results import Item, Row
from cms.operations.rules import AnyRules
from cms.operations.services import Services
from cms.schema.fields import VIEW
from cms.schema.resource import Resource, RowTarget, SerializedItems
from cms.schema.schemas import Serializer, compile_serializer, fields_of

T = TypeVar("T")


@dataclass
class SerializationContext:
    """The items of one answer while they are serialized: their rows, and what was loaded for all of them at once."""

    site: SiteContext
    renderer: Renderer
    principal: Principal
    context: str
    rows: Sequence[Row]
    now: str
    is_unlocked: bool = False
    #: Names of the fields that were asked for; None for all of them.
    wanted: frozenset[str] | None = None
    _loaded: dict[Callable[[SerializationContext], Any], Any] = field(default_factory=dict)

    @cached_property
    def zone(self) -> tzinfo:
        """The site's time zone."""
        return self.site.settings.zone

    @cached_property
    def rendering_version(self) -> str:
        """The version of the rules that make HTML now."""
        return self.renderer.version

    @cached_property
    def ids(self) -> list[int]:
        """The ids of all items."""
        return [row["id"] for row in self.rows]

    def wants(self, field: str) -> bool:
        """Tell whether a field will be in the answer."""
        return self.wanted is None or field in self.wanted

    def load(self, loader: Callable[[SerializationContext], T]) -> T:
        """Return what a loader finds for all items, asked once."""
        if loader not in self._loaded:
            self._loaded[loader] = loader(self)
        found: T = self._loaded[loader]
        return found

    def preload(self, loader: Callable[[SerializationContext], T], value: T) -> None:
        """Give what a loader would find."""
        self._loaded[loader] = value


class ItemSerializer:
    """Serializes the items of one resource."""

    def __init__(self, services: Services, resource: Resource, rules: AnyRules) -> None:
        self._services, self._resource, self._rules = services, resource, rules
        self.url = f"{services.site.api_url}/{resource.namespace}/{resource.base}"
        self._names = frozenset((*fields_of(resource.schema), "_links"))
        self._compiled = services.serializers

    def item_url(self, id: int) -> str:
        """Return the address of an item in the API."""
        return f"{self.url}/{id}"

    def front_url(self, row: Row, principal: Principal) -> str:
        """Return where a front end shows an item, empty for resources whose items have no pages of their own."""
        if self._resource.address is None:
            return ""
        return self._resource.address(row, self.page([row], VIEW, principal))

    def page(
        self,
        rows: Sequence[Row],
        context: str,
        principal: Principal,
        *,
        is_unlocked: bool = False,
        wanted: frozenset[str] | None = None,
    ) -> SerializationContext:
        """Return what rows are serialized with."""
        site = self._services.site
        return SerializationContext(
            site, self._services.renderer, principal, context, rows, site.now(), is_unlocked, wanted
        )

    def serialize(
        self,
        row: Row,
        context: str,
        principal: Principal,
        *,
        is_unlocked: bool = False,
        wanted: frozenset[str] | None = None,
    ) -> Item:
        """Return one row as an item."""
        page = self.page([row], context, principal, is_unlocked=is_unlocked, wanted=wanted)
        return Item(self.serialize_page(page, self.compiled(context, wanted))[0], row)

    def serialize_page(self, page: SerializationContext, serializer: Serializer) -> SerializedItems:
        """Return all items of a page, their links included, as plugins change them."""
        for load in serializer.loads:
            page.load(load)
        items = serializer.serialize_rows(page.rows, page)
        if serializer.has_links:
            targets = [(link.rel, link.embeddable, link.targets(page)) for link in self._resource.links]
            for row, item in zip(page.rows, items, strict=True):
                item["_links"] = self._links(row, targets)
        return self._services.hooks.prepare_items(self._resource.name, items, page)

    def _links(self, row: Row, targets: Iterable[tuple[str, bool, RowTarget]]) -> dict[str, SerializedItems]:
        """Return an item's links by relation, of those the relation, whether it can be embedded and the target."""
        links: dict[str, SerializedItems] = {
            "self": [{"href": f"{self.url}/{row['id']}"}],
            "collection": [{"href": self.url}],
        }
        for rel, is_embeddable, target_of in targets:
            target = target_of(row)
            if not isinstance(target, str):
                if target:
                    links[rel] = target
            elif is_embeddable:
                links[rel] = [{"embeddable": True, "href": target}]
            else:
                links[rel] = [{"href": target}]
        return links

    def compiled(self, context: str, wanted: frozenset[str] | None = None) -> Serializer:
        """Return the serializer of a context, for all fields or the wanted ones; compiled when first asked for."""
        if wanted is not None:
            wanted &= self._names
        key = (self._resource.name, context, wanted)
        serializer = self._compiled.get(key)
        if serializer is None:
            serializer = self._compile(context, wanted)
            size = 200 * len(serializer.readers) + 50 * len(serializer.columns) + 1_000
            self._compiled.put(key, serializer, size)
        return serializer

    def _compile(self, context: str, wanted: frozenset[str] | None) -> Serializer:
        has_links = wanted is None or "_links" in wanted
        columns = list(self._rules.permission_columns)
        if has_links:
            for link in self._resource.links:
                columns += link.columns
        return compile_serializer(self._resource.schema, context, wanted, columns, has_links)
