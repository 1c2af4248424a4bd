"""What a resource asks the database: which rows are its own, which of them match a list, in which order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from peewee import SQL, fn

from cms.access.capabilities import Principal
from cms.dates import to_gmt
from cms.db import Bound, Each, Position, QueryPlan
from cms.errors import ApiError
from cms.i18n import _
from cms.schema.resource import Arguments, Resource
from cms.schema.schemas import Serializer, loader_of

if TYPE_CHECKING:
    from cms.site import Site

#: What the names of values begin with that arguments bind in a statement, so that none is that of another value.
GIVEN = "given "


class Queries:
    """The queries of the items of a resource, for one site; each shape of them is written once."""

    #: Columns that permissions depend on, read with every row.
    always: tuple[str, ...] = ("id",)
    #: Attributes to order by, as functions that build an expression.
    orders: Mapping[str, Callable[[], Any]] = {}
    not_found = ("rest_post_invalid_id", _("There is nothing with this id."))

    def __init__(self, site: Site, resource: Resource) -> None:
        self.site = site
        self.resource = resource
        self.model: Any = resource.model
        self.list_loader = loader_of(resource.list_args)
        if resource.orders:
            self.orders = {**self.orders, **resource.orders}

    def scope(self) -> tuple[Hashable, Any]:
        """Return which rows of the table are this resource's: a key and a condition, or None for all."""
        return self.resource.name, None

    def restrict(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Narrow a list to what the principal may see and to filters that aren't declared with `where`."""

    def narrow(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Narrow a list to what plugins don't hide."""
        self.site.hooks.narrow(self.resource.name, plan, args, principal)

    def plan(self, args: Arguments, principal: Principal, now: str) -> QueryPlan:
        """Return what a list asks the database, from its arguments and what the principal may see."""
        plan = QueryPlan()
        key, condition = self.scope()
        plan.shape.append((self.resource.name, key))
        if condition is not None:
            plan.conditions.append(lambda: condition)
        plan.values.update(now=now, principal=principal.id)
        self.restrict(plan, args, principal)
        for name, declared in self.list_loader.fields.items():
            value = args.get(name)
            if declared.where is None or value is None or value == []:
                continue
            if isinstance(value, datetime):
                value = to_gmt(value, self.site.settings.zone)
            given = GIVEN + name
            place = Each(given) if isinstance(value, list) else Bound(given)
            plan.where(name, partial(declared.where, place), **{given: value})
        self.narrow(plan, args, principal)
        self.order(plan, args)
        return plan

    def order(self, plan: QueryPlan, args: Arguments) -> None:
        """Add the order that the arguments ask for, with the id as the last word."""
        by, descending = args["orderby"], args["order"] == "desc"
        if by in ("include", "include_slugs"):
            if args.get("include" if by == "include" else "slug"):
                plan.order(by, lambda: self._position(by))
                return
            by = "id"
        build = self.orders[by]
        plan.order((by, descending), lambda: build().desc() if descending else build().asc())
        if by != "id":
            plan.ordering.append(lambda: self.model.id.desc() if descending else self.model.id.asc())

    def _position(self, by: str) -> Any:
        column = self.model.id if by == "include" else self.model.slug
        return Position(GIVEN + ("include" if by == "include" else "slug"), column)

    def column(self, name: str) -> Any:
        """Return a column, or the expression that stands for it."""
        return getattr(self.model, name)

    @cached_property
    def _all_columns(self) -> tuple[str, ...]:
        return tuple(self.model._meta.sorted_field_names)

    def _select(self, columns: Sequence[str]) -> Any:
        return self.model.select(*(self.column(name) for name in columns))

    def _within(self, scope: Any, condition: Any) -> Any:
        return condition if scope is None else scope & condition

    def _narrowed(self, query: Any, plan: QueryPlan) -> Any:
        condition = plan.condition()
        return query if condition is None else query.where(condition)

    def _rows(self, plan: QueryPlan, serializer: Serializer, limit: int, offset: int) -> Sequence[Any]:
        """Find the ids first, which an index alone can do, then read the rows of this page."""

        def build() -> Any:
            ids = self._narrowed(self.model.select(self.model.id), plan).order_by(*plan.order_terms())
            ids = ids.limit(Bound("limit")).offset(Bound("offset"))
            return (
                self._select(serializer.columns).where(self.model.id.in_(ids)).order_by(*plan.order_terms())
            )

        shape = ("list", serializer.columns, *plan.shape)
        return self.site.statements.rows(shape, build, **plan.values, limit=limit, offset=offset)

    def _total(self, plan: QueryPlan, now: str) -> int:
        """Count all that matches; the number is remembered until the data changes."""

        def build() -> Any:
            return self._narrowed(self.model.select(fn.COUNT(SQL("*")).alias("total")), plan)

        def count() -> int:
            row = self.site.statements.row(("count", *plan.shape), build, **plan.values)
            return int(row["total"]) if row else 0

        key = ("total", *plan.shape, *(repr(v) for k, v in sorted(plan.values.items()) if k != "now"))
        return self.site.cache.get_or_load(key, now, count)

    def find(self, id: int) -> Any:
        """Return an item's whole row; raises when there is none."""
        scope = self.scope()

        def build() -> Any:
            return self._select(self._all_columns).where(self._within(scope[1], self.model.id == Bound("id")))

        row = self.site.statements.row(
            (self.resource.name, "find", scope[0]), build, id=id, now=self.site.now()
        )
        if row is None:
            raise ApiError(self.not_found[0], self.not_found[1], 404)
        return row
