"""How lists of content are found and counted without reading what they don't show, whatever else there is."""

from __future__ import annotations

from collections.abc import Sequence

from cms.access.capabilities import Principal
from cms.db import QueryPlan
from cms.db.expressions import stored_status
from cms.db.leads import AUTHOR, TERM, TYPE, kept_total, pinned, with_any_term, with_slugs, with_term
from cms.operations.query import ARGUMENT
from cms.operations.services import Services
from cms.schema.content_types import ContentType
from cms.schema.resource import Arguments

#: What the key of the condition of visibility begins with.
VISIBLE = "visible"


def find_by_index(
    services: Services, type: ContentType, plan: QueryPlan, args: Arguments, statuses: Sequence[str]
) -> None:
    """Have a list look among the items with its slugs or terms alone; those of one term lie in the order of dates."""
    if args.get("slug"):
        number = len(set(args["slug"]))
        plan.look_in(("slug", number == 1), with_slugs(ARGUMENT + "slug", number))
    if args.get("sticky") and "sticky" in type.filters:
        plan.look_in("sticky", pinned(type.name))
    for name in services.site.content_registry.taxonomy_fields_of(type.name):
        terms = args.get(name)
        if not terms:
            continue
        stored = {stored_status(status) for status in statuses}
        if len(terms) > 1 or len(stored) > 1 or args["orderby"] != "date":
            plan.look_in((name, "any"), with_any_term(ARGUMENT + name))
        else:
            is_descending, status = args["order"] == "desc", stored.pop()
            key = (name, type.name, status, is_descending)
            plan.look_in(key, with_term(ARGUMENT + name, type.name, status, is_descending))


def count_by_kept_numbers(
    services: Services,
    type: ContentType,
    plan: QueryPlan,
    args: Arguments,
    statuses: Sequence[str],
    principal: Principal,
) -> None:
    """Give a list the total that is kept: of all items that are shown with some statuses, of one author or term."""
    if args.get("search") or not services.visibility.is_readable_in_full(type, principal, statuses):
        return
    if not any(key[0] == VISIBLE for key in plan.shape if isinstance(key, tuple)):
        return  # rules of a plugin's own
    taxonomies = services.site.content_registry.taxonomy_fields_of(type.name)
    narrowed = [name for name in ("author", *taxonomies) if args.get(name)]
    # Two conditions tell type and visibility; any other one than those of these arguments needs counting.
    if len(plan.conditions) != 2 + len(narrowed) or len(narrowed) > 1:
        return
    if not narrowed:
        plan.kept_total = kept_total(TYPE, "", type.name, statuses)
    elif len(args[narrowed[0]]) == 1:
        name = narrowed[0]
        holder = AUTHOR if name == "author" else TERM
        plan.kept_total = kept_total(holder, ARGUMENT + name, type.name, statuses, taxonomies.get(name))
