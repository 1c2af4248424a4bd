"""A resource: what is declared about one kind of thing, and what its answers are made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from peewee import Model

from cms.access.capabilities import Principal
from cms.i18n import Text, _
from cms.schema.content_types import NAMESPACE
from cms.schema.fields import Field
from cms.schema.schemas import ArgumentSchema, ContextArgs, ForceArgs, ItemSchema, extend, fields_of

if TYPE_CHECKING:
    from cms.operations.crud import Operations
    from cms.site import Site

T = TypeVar("T")
Arguments = Mapping[str, Any]
SerializedItems = list[dict[str, Any]]


@dataclass(frozen=True)
class Link:
    """A relation of an item to an address; `href` returns one, several, or None where it doesn't apply."""

    rel: str
    href: Callable[[Any, SerializationContext], str | list[dict[str, Any]] | None]
    embeddable: bool = False
    columns: tuple[str, ...] = ("id",)


@dataclass(frozen=True)
class Resource:
    """Everything that is declared about one kind of thing.

    `name` is its identifier (`post`), `base` its segment of the address (`posts`), `label` its name for people.
    """

    name: str
    base: str
    model: type[Model]
    schema: type[ItemSchema]
    list_args: type[ArgumentSchema]
    operations: type[Operations]
    label: Text
    get_args: type[ArgumentSchema] = ContextArgs
    delete_args: type[ArgumentSchema] = ForceArgs
    links: tuple[Link, ...] = ()
    id_help: Text = field(default_factory=lambda: _("The item's id."))
    namespace: str = NAMESPACE
    #: Where a front end shows an item, for resources whose items have pages of their own.
    address: Callable[[Any, SerializationContext], str] | None = None
    #: The capability of those who create items by sending files; empty where items are made of fields alone.
    upload_capability: str = ""
    #: What plugins' fields add to order lists by, and the names that serve those alone who see the editable form.
    orders: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    edit_only_arguments: frozenset[str] = frozenset()

    def extend(
        self,
        fields: Mapping[str, Field],
        filters: Mapping[str, Field],
        orders: Mapping[str, Callable[[], Any]] | None = None,
        edit_only_arguments: Collection[str] = (),
    ) -> Resource:
        """Return a copy with more fields, list filters and orders; the original stays as it is."""
        added = dict(filters)
        if orders:
            by: Any = fields_of(self.list_args)["orderby"]
            added["orderby"] = by.copy(enum=(*by.enum, *orders))
        return replace(
            self,
            schema=extend(self.schema, fields),
            list_args=extend(self.list_args, added),
            orders={**self.orders, **(orders or {})},
            edit_only_arguments=self.edit_only_arguments | set(edit_only_arguments),
        )


class FieldTaken(Exception):
    """Say that a resource has a field or filter of this name already; `taxonomy` names one that brings it again."""

    def __init__(self, resource: str, field: str, taxonomy: str = "") -> None:
        super().__init__(f"{resource}.{field}")
        self.resource, self.field, self.taxonomy = resource, field, taxonomy


class TypeFault(Exception):
    """Say which field of a type can't be added to its items, and why."""

    def __init__(self, type: str, why: str) -> None:
        super().__init__(why)
        self.type, self.why = type, why


@dataclass
class SerializationContext:
    """Items of one answer while it is written: their rows, and what their fields loaded for all of them at once."""

    site: Site
    principal: Principal
    context: str
    rows: Sequence[Any]
    now: str
    unlocked: bool = False
    #: Names of the fields that were asked for; None for all of them.
    wanted: frozenset[str] | None = None
    loaded: dict[Callable[[SerializationContext], Any], Any] = field(default_factory=dict)

    @cached_property
    def zone(self) -> tzinfo:
        """The site's time zone."""
        return self.site.settings.zone

    def wants(self, field: str) -> bool:
        """Tell whether a field will be shown."""
        return self.wanted is None or field in self.wanted

    def get(self, load: Callable[[SerializationContext], T]) -> T:
        """Return what a loader finds for the whole page, asked for once."""
        if load not in self.loaded:
            self.loaded[load] = load(self)
        found: T = self.loaded[load]
        return found

    @cached_property
    def rules(self) -> str:
        """The mark of HTML that the site's present rules make."""
        return self.site.renderer.mark

    @cached_property
    def ids(self) -> list[int]:
        """The ids of all items on the page."""
        return [row["id"] for row in self.rows]


@dataclass(frozen=True)
class Item:
    """An item as it is shown, with the row that it was made from."""

    data: dict[str, Any]
    row: Any
    #: Whether a plugin opened it for this request alone.
    opened: bool = False


@dataclass(frozen=True)
class Listing:
    """One page of a list: the items as they are shown, how many there are in all, on how many pages.

    `page` is the number of this one; where an offset decides what is shown, no `next` page follows it.
    """

    items: list[dict[str, Any]]
    total: int
    pages: int
    page: int
    has_next: bool
