"""A resource: everything that is declared about one kind of thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from peewee import Model

from cms.db.peewee_types import Expression
from cms.i18n import Text
from cms.schema.fields import EDIT, Field
from cms.schema.schemas import ArgumentSchema, ContextArgs, ForceArgs, ItemSchema, extend, fields_of

#: The namespace of the core's own routes, and of what doesn't name another.
NAMESPACE = "cms/v2"

#: Checked arguments by name.
Arguments = Mapping[str, Any]
#: An item as it is in an answer.
SerializedItem = dict[str, Any]
SerializedItems = list[SerializedItem]
#: Makes the rules of a resource (`cms.operations.rules.ResourceRules`) from the services of a site and the resource.
RulesFactory = Callable[[Any, Any], Any]
#: What a link leads to, from a row and its page: an address, whole links, or None where it doesn't apply.
LinkTarget = Callable[[Any, Any], str | SerializedItems | None]
#: The same, from a row of a page that it was made for.
RowTarget = Callable[[Any], str | SerializedItems | None]
#: Makes that from a page.
PrepareTarget = Callable[[Any], RowTarget]


@dataclass(frozen=True)
class Link:
    """A relation of an item to an address; `columns` are what `href(row, page)` reads.

    `prepare` stands in place of `href` where lists must be fast: it is called with the page and returns what makes
    the address from a row.
    """

    rel: str
    href: LinkTarget | None = None
    embeddable: bool = False
    columns: tuple[str, ...] = ("id",)
    prepare: PrepareTarget | None = None

    def __post_init__(self) -> None:
        if (self.href is None) == (self.prepare is None):
            raise TypeError(f"the link {self.rel!r} needs either href or prepare")

    def targets(self, page: object) -> RowTarget:
        """Return what tells where the link of each row of a page leads to."""
        if self.prepare is not None:
            return self.prepare(page)
        href = cast(LinkTarget, self.href)
        return lambda row: href(row, page)


@dataclass(frozen=True)
class Resource:
    """Everything that is declared about one kind of thing.

    `name` is its identifier (`post`), `base` its segment of the address (`posts`), `label` its name for people.
    `rules` makes what answers who may do what with it, and what a write stores.
    """

    name: str
    base: str
    model: type[Model]
    schema: type[ItemSchema]
    list_args: type[ArgumentSchema]
    rules: RulesFactory
    label: Text
    get_args: type[ArgumentSchema] = ContextArgs
    delete_args: type[ArgumentSchema] = ForceArgs
    links: tuple[Link, ...] = ()
    namespace: str = NAMESPACE
    #: Where a front end shows an item, for resources whose items have pages of their own.
    address: Callable[[Any, Any], str] | None = None
    #: The capability of those who create items by sending files; empty where items are made of fields alone.
    upload_capability: str = ""
    #: What plugins' fields add to order lists by, and the names that serve those alone who see the editable form.
    orders: Mapping[str, Expression] = field(default_factory=dict)
    edit_only_arguments: frozenset[str] = frozenset()
    #: Filters by what passwords protect.
    protected_arguments: frozenset[str] = frozenset()
    #: Whether deleting an item moves it to the trash, unless `force` is sent.
    has_trash: bool = False
    #: Names of fields that the answer to a creation alone shows.
    once: tuple[str, ...] = ()
    #: The contexts in which a new item may be answered.
    created_contexts: tuple[str, ...] = (EDIT,)
    #: The codes of its own that it refuses with, by status: with 404 where an item isn't there, else in writes.
    codes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def table(self) -> str:
        """The name of the table that holds the items."""
        return str(self.model._meta.table_name)

    @cached_property
    def own_columns(self) -> frozenset[str]:
        """The names of those fields that are columns of the table and weren't added by a plugin."""
        columns = self.model._meta.fields
        fields = fields_of(self.schema)
        return frozenset(name for name in columns if not (name in fields and fields[name].added))

    def extend(
        self,
        fields: Mapping[str, Field],
        filters: Mapping[str, Field],
        orders: Mapping[str, Expression] | None = None,
    ) -> Resource:
        """Return a copy with more fields, list filters and orders; the original stays as it is.

        Filters and orders tell the value of the field of their name, so they serve those alone who see that.
        """
        added = dict(filters)
        if orders:
            by: Any = fields_of(self.list_args)["orderby"]
            added["orderby"] = by.copy(enum=(*by.enum, *orders))
        schema = extend(self.schema, fields)
        telling = {
            name: field for name, field in fields_of(schema).items() if name in {*filters, *(orders or {})}
        }
        edit_only = {name for name, field in telling.items() if set(field.contexts) <= {EDIT}}
        protected = {name for name, field in telling.items() if field.protected and name in filters}
        return replace(
            self,
            schema=schema,
            list_args=extend(self.list_args, added),
            orders={**self.orders, **(orders or {})},
            edit_only_arguments=self.edit_only_arguments | edit_only,
            protected_arguments=self.protected_arguments | protected,
        )


class FieldTaken(Exception):
    """A resource has a field or filter of this name already; `taxonomy` names one that brings it again."""

    def __init__(self, resource: str, field: str, taxonomy: str = "") -> None:
        super().__init__(f"{resource}.{field}")
        self.resource, self.field, self.taxonomy = resource, field, taxonomy


class TypeFault(Exception):
    """A field of a type can't be added to its items."""

    def __init__(self, type: str, reason: str) -> None:
        super().__init__(reason)
        self.type, self.reason = type, reason
