"""The arguments of lists of content, and of reading one item."""

from __future__ import annotations

from cms.db.expressions import has_slug
from cms.db.models import Content
from cms.db.peewee_types import Expression
from cms.errors import ApiError
from cms.i18n import Text, _
from cms.rendering.slugs import searched_slugs
from cms.schema.content_types import INTERNAL, WRITABLE
from cms.schema.fields import DateTime, Field, Ids, Integer, List, SearchText, String
from cms.schema.resource import Arguments
from cms.schema.schemas import PAGING, ContextArgs, fields_of

#: What a list's filter by status takes.
LISTED = (*WRITABLE, *INTERNAL, "any")


class Slugs(List):
    """Slugs to look for, each in the forms that it may be stored in."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> list[str]:
        forms: list[str] = []
        for sent in super()._deserialize(value, attr, data, **kwargs):
            forms += searched_slugs(sent)
        return forms


def slug_filter(where: Expression) -> List:
    """Return a list's filter by slugs."""
    return Slugs(_("Only items with one of these slugs."), where=where)


def status_filter(allowed: tuple[str, ...], default: str) -> List:
    """Return a list's filter by statuses."""
    return List(
        _("Only items in these states; others than published ones need the right to edit."),
        items=String(Text(""), enum=allowed),
        default=default,
    )


ORDERS = (
    "author",
    "date",
    "id",
    "include",
    "modified",
    "parent",
    "relevance",
    "slug",
    "include_slugs",
    "title",
)


def list_fields(statuses: tuple[str, ...] = LISTED, orders: tuple[str, ...] = ()) -> dict[str, Field]:
    """Return the arguments that lists of every kind of content take; `orders` are those of the kind besides."""
    return {
        "context": fields_of(ContextArgs)["context"],
        **PAGING,
        "search": SearchText(_("Only items whose title, excerpt or text hold all these words.")),
        "after": DateTime(_("Only items published after this moment.")),
        "author": Ids(_("Only items by these accounts."), default=[], where=Content.author_id.in_),
        "author_exclude": Ids(_("No items by these accounts."), default=[], where=Content.author_id.not_in),
        "before": DateTime(_("Only items published before this moment.")),
        "exclude": Ids(_("All items but these."), default=[], where=Content.id.not_in),
        "include": Ids(_("Only these items."), default=[], where=Content.id.in_),
        "offset": Integer(_("How many items of the whole list to skip."), minimum=0),
        "order": String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="desc"),
        "orderby": String(_("What the list is ordered by."), enum=(*ORDERS, *orders), default="date"),
        "slug": slug_filter(has_slug),
        "status": status_filter(statuses, "publish"),
    }


class PasswordArgs(ContextArgs):
    """The arguments of reading one item that a password may protect."""

    password = String(_("The item's password, if it has one."))


def check_order(args: Arguments) -> None:
    """Raise ApiError for an order by ids or relevance where there is nothing to order by."""
    by = args["orderby"]
    if by == "relevance" and not args.get("search"):
        message = _("Order by relevance needs something to search for.")
        raise ApiError("rest_no_search_term_defined", message)
    if by == "include" and not args.get("include"):
        message = _("Order by include needs ids in include.")
        raise ApiError("rest_orderby_include_missing_include", message)
