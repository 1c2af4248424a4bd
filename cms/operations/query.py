"""Building the query of a list from its arguments, and running it for one page."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime
from functools import partial
from typing import Any

from peewee import SQL, ColumnBase

from cms.access.capabilities import Principal
from cms.dates import to_gmt
from cms.db import Bound, Each, QueryPlan
from cms.db.leads import listed
from cms.db.lists import TableReader
from cms.db.peewee_types import Build, Expression
from cms.db.statements import only, place_of_list
from cms.operations.rules import AnyRules
from cms.operations.services import Services
from cms.schema.comparing import Comparisons
from cms.schema.field import Where
from cms.schema.resource import Arguments, Resource
from cms.schema.schemas import loader_of

#: What the names of values begin with that arguments bind in a statement, so that none is that of another value.
ARGUMENT = "argument "
#: By how many values a list is split at most, to be put together in its order.
MOST_BRANCHES = 10
#: What `orderby` calls an order by a list that the request sends, with the argument that has the list.
ORDERS_BY_LIST = {"include": ("id", "include"), "include_slugs": ("slug", "slug")}


class ListQuery:
    """The queries of the items of one resource."""

    def __init__(self, services: Services, resource: Resource, rules: AnyRules) -> None:
        site = services.site
        self._settings, self._rules, self._own_files = site.settings, rules, site.own_files
        self.loader = loader_of(resource.list_args)
        self._filters: list[tuple[str, Where]] = []
        for name, field in self.loader.fields.items():
            if field.where is not None:
                self._filters.append((name, field.where))
        self._orders = {**rules.orders, **resource.orders}
        self.reader = TableReader(
            site.statements, site.cache, resource.model, resource.name, rules.scope(), rules.computed_columns
        )

    def plan(self, args: Arguments, principal: Principal, now: str) -> QueryPlan:
        """Return what a list asks the database, from its arguments and what the principal may see."""
        plan = self.reader.plan()
        plan.values.update(now=now, principal=principal.id)
        self._rules.filter_list(plan, args, principal)
        for name, where in self._filters:
            value = args.get(name)
            if value is not None and value != []:
                self._add_filter(plan, name, where, value)
        self._rules.filter_by_plugins(plan, args, principal)
        self._rules.total_by_numbers(plan, args, principal)
        if not self._rules.order(plan, args):
            self._order(plan, args)
        return plan

    def _stored(self, name: str, value: Any) -> Any:
        """Return a filter's value as it is stored."""
        if isinstance(value, datetime):
            return to_gmt(value, self._settings.zone)
        if isinstance(value, str) and self.loader.fields[name].in_meta:
            return self._own_files.store(value)
        return value

    def _add_comparisons(self, plan: QueryPlan, name: str, where: Expression, value: Comparisons) -> None:
        for operator, sent in value.items():
            bound, key = f"{ARGUMENT}{name} {operator}", (name, operator)
            if isinstance(sent, list):
                values: Any = [self._stored(name, each) for each in sent]
                plan.where(key, partial(where, Each(bound), operator), **{bound: values})
            else:
                place = _place(bound, sent)
                form = (*key, _form(sent))
                plan.where(form, partial(where, place, operator), **{bound: self._stored(name, sent)})

    def _add_filter(self, plan: QueryPlan, name: str, where: Expression, value: Any) -> None:
        if isinstance(value, Comparisons):
            self._add_comparisons(plan, name, where, value)
            return
        value = self._stored(name, value)
        if isinstance(value, list):
            value = list(dict.fromkeys(value))
        bound, key = ARGUMENT + name, (name, _form(value))
        builds: list[Build] = []
        if isinstance(value, list) and _is_membership(where) and len(value) <= MOST_BRANCHES:
            builds = [partial(where, only(bound, place)) for place in range(len(value))]
            key = (name, str(len(value)))
        plan.where_one_of(key, builds, partial(where, _place(bound, value)), **{bound: value})
        if name == "include":
            plan.look_in(name, listed(bound))

    def _order(self, plan: QueryPlan, args: Arguments) -> None:
        """Add the order that the arguments ask for, with the id as the last word."""
        by, is_descending = args["orderby"], args["order"] == "desc"
        if by in ORDERS_BY_LIST:
            column, argument = ORDERS_BY_LIST[by]
            if args.get(argument):
                plan.order_by_list(by, column, ARGUMENT + argument)
                self._order_by(plan, ("then by id", is_descending), "id", is_descending)
                return
            by = "id"
        self._order_by(plan, (by, is_descending), by, is_descending)
        if by != "id":
            self._order_by(plan, "then by id", "id", is_descending)

    def _order_by(self, plan: QueryPlan, key: Hashable, name: str, is_descending: bool) -> None:
        expression = self._orders[name]
        if is_descending:
            plan.order(key, expression.desc)
        else:
            plan.order(key, expression.asc)


def _is_membership(where: Where) -> bool:
    """Tell whether a filter asks which of some values a column has: it has one of them, so a list splits by them."""
    return getattr(where, "__func__", None) is ColumnBase.in_


def _form(value: Any) -> str:
    """Return what a filter's part of the statement depends on besides its name."""
    if isinstance(value, list):
        return "one" if len(value) == 1 else "each"
    return str(value) if isinstance(value, bool) else "bound"


def _place(name: str, value: Any) -> Expression:
    """Build the place of a filter's value: written out where it is yes or no, for indexes that hold either."""
    if isinstance(value, list):
        return place_of_list(name, len(value))
    return SQL(str(int(value))) if isinstance(value, bool) else Bound(name)
