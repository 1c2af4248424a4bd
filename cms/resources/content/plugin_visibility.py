"""What plugins hide of content, for items and for conditions: what inherits its visibility hides with its parent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import orjson

from cms.access.capabilities import Principal
from cms.db import QueryPlan
from cms.db.models import Content
from cms.errors import ApiError
from cms.operations.visibility import INHERIT
from cms.schema.content_types import ContentType
from cms.schema.resource import Arguments

if TYPE_CHECKING:
    from cms.site import Site

BY_ID = "SELECT * FROM content WHERE id IN (SELECT value FROM json_each(?))"


def hidden_items(site: Site, rows: Sequence[Any], principal: Principal) -> dict[int, ApiError]:
    """Return which of these items of content plugins hide, with the reason, by id."""
    if site.hooks.check_permission is None:
        return {}
    wanted = [row["parent_id"] for row in rows if row["status"] == INHERIT and row["parent_id"]]
    parents = (
        {row["id"]: row for row in site.database.rows(BY_ID, (orjson.dumps(wanted).decode(),))}
        if wanted
        else {}
    )
    found = {}
    for row in rows:
        above = parents.get(row["parent_id"]) if row["status"] == INHERIT else None
        try:
            for each in (row, above):
                if each is not None:
                    site.hooks.admit(principal, "read", each["type"], each)
        except ApiError as error:
            found[row["id"]] = error
    return found


def narrow_items(
    site: Site, kind: ContentType, plan: QueryPlan, args: Arguments, principal: Principal
) -> None:
    """Narrow a query of one type's items to what plugins don't hide."""
    if site.hooks.filter_query is None:
        return
    site.hooks.narrow(kind.name, plan, args, principal)
    if kind.inherits:
        _narrow_parents(site, kind, plan, principal)


def _narrow_parents(site: Site, kind: ContentType, plan: QueryPlan, principal: Principal) -> None:
    others = [other for other in site.content_registry.types.values() if other.public and not other.inherits]
    seen = {other.name: QueryPlan() for other in others}
    for other in others:
        site.hooks.narrow(other.name, seen[other.name], {}, principal)
        plan.bind(seen[other.name].values)
    if not any(each.conditions for each in seen.values()):
        return

    def build() -> Any:
        parents = reduce(or_, [_of_type(name, each) for name, each in seen.items()])
        return (
            (Content.status != INHERIT)
            | (Content.parent_id == 0)
            | Content.parent_id.in_(Content.select(Content.id).where(parents))
        )

    plan.where(("parents", *(key for each in seen.values() for key in each.shape)), build)


def _of_type(name: str, plan: QueryPlan) -> Any:
    condition = plan.condition()
    own = Content.type == name
    return own if condition is None else own & condition
