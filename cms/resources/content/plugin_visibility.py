"""What plugins hide of content, for items and for queries: what inherits its visibility hides with its parent."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TypeVar

from cms.access.capabilities import Principal
from cms.context import SiteContext
from cms.db import QueryPlan
from cms.db.expressions import INHERIT, of_type
from cms.db.models import Content
from cms.db.peewee_types import Build, Expression
from cms.errors import ApiError
from cms.hooks import Hooks
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.operations.services import Services
from cms.operations.visibility import ContentVisibility
from cms.schema.content_types import ContentType
from cms.schema.resource import Arguments

R = TypeVar("R", bound=Row)


def hidden_items(services: Services, rows: Sequence[Row], principal: Principal) -> dict[int, ApiError]:
    """Return which of these items of content plugins hide, with the reason, by id."""
    return hidden_by_hooks(services.hooks, services.site, rows, principal)


def hidden_by_hooks(
    hooks: Hooks, site: SiteContext, rows: Sequence[Row], principal: Principal
) -> dict[int, ApiError]:
    """Return which of these items of content the hooks of plugins hide, with the reason, by id."""
    if not hooks.checks_permissions:
        return {}
    parents = site.stores.content.many(row["parent_id"] for row in rows if _inherits(row))
    found = {}
    for row in rows:
        parent = parents.get(row["parent_id"]) if _inherits(row) else None
        try:
            hooks.check_permission(principal, "read", row["type"], row)
            if parent is not None:
                hooks.check_permission(principal, "read", parent["type"], parent)
        except ApiError as error:
            found[row["id"]] = error
    return found


def readable_rows(rows: Iterable[R], page: SerializationContext) -> list[R]:
    """Return those of these items of content that who reads a page may read, passwords and plugins apart."""
    visibility, found = ContentVisibility(page.site.content_registry), []
    for row in rows:
        if visibility.may_read(page.principal, row, page.now):
            found.append(row)
    return found


def visible_rows(rows: Iterable[R], page: SerializationContext) -> list[R]:
    """Return those that no plugin hides either; passwords apart."""
    seen = readable_rows(rows, page)
    hidden = hidden_by_hooks(page.renderer.hooks, page.site, seen, page.principal)
    return [row for row in seen if row["id"] not in hidden]


def visible_items(
    services: Services, types: Iterable[ContentType], plan: QueryPlan, principal: Principal
) -> tuple[Hashable, Build]:
    """Return the condition that an item of one of these types may be read, its password apart, and isn't hidden.

    It comes as its key and what builds it, for queries of other things that depend on content; what plugins bind is
    bound in `plan`, where `now` and `principal` must be.
    """
    readable = []
    for type in types:
        condition = services.visibility.readable(type, principal)
        readable.append((type, condition.key, condition.sql))
    return any_visible(services, readable, plan, principal)


def any_visible(
    services: Services,
    readable: Iterable[tuple[ContentType, Hashable, Build]],
    plan: QueryPlan,
    principal: Principal,
) -> tuple[Hashable, Build]:
    """Return the condition that an item fulfils that of its type and that no plugin hides it.

    `readable` has types with the key of a condition and what builds it. The result is such a pair for all of them.
    """
    parts = [_not_hidden(services, *each, plan, principal) for each in readable]

    def build() -> Expression:
        return reduce(or_, [build_part() for _key, build_part in parts])

    return tuple(key for key, _build in parts), build


def _not_hidden(
    services: Services,
    type: ContentType,
    key: Hashable,
    build_readable: Build,
    plan: QueryPlan,
    principal: Principal,
) -> tuple[Hashable, Build]:
    by_plugins = QueryPlan()
    filter_items(services, type, by_plugins, {}, principal)
    plan.bind(by_plugins.values)

    def build() -> Expression:
        condition = of_type(type.name) & build_readable()
        narrowed = by_plugins.condition()
        return condition if narrowed is None else condition & narrowed

    return (type.name, key, tuple(by_plugins.shape)), build


def filter_items(
    services: Services, type: ContentType, plan: QueryPlan, args: Arguments, principal: Principal
) -> None:
    """Narrow a query of one type's items to what plugins don't hide."""
    if not services.hooks.filters_queries:
        return
    services.hooks.filter_query(type.name, plan, args, principal)
    if type.inherits:
        _filter_parents(services, plan, principal)


def _filter_parents(services: Services, plan: QueryPlan, principal: Principal) -> None:
    plans = {}
    for other in services.visibility.public_types:
        if not other.inherits:
            plans[other.name] = QueryPlan()
            services.hooks.filter_query(other.name, plans[other.name], {}, principal)
            plan.bind(plans[other.name].values)
    if not any(each.conditions for each in plans.values()):
        return

    def build() -> Expression:
        visible = Content.select(Content.id).where(_any_type(plans))
        return (Content.status != INHERIT) | (Content.parent_id == 0) | Content.parent_id.in_(visible)

    keys = [key for each in plans.values() for key in each.shape]
    plan.where(("parents", *keys), build)


def _any_type(plans: Mapping[str, QueryPlan]) -> Expression:
    """Build the condition that a row fulfils what its type's plan asks."""
    parts = []
    for name, plan in plans.items():
        condition = plan.condition()
        is_of_type = of_type(name)
        parts.append(is_of_type if condition is None else is_of_type & condition)
    return reduce(or_, parts)


def _inherits(row: Row) -> bool:
    return bool(row["status"] == INHERIT and row["parent_id"])
