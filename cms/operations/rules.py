"""The questions that a resource answers about its items: who may do what, what a list has, what a write stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cms.access.capabilities import Principal
from cms.db import QueryPlan
from cms.db.peewee_types import Build, Expression
from cms.errors import ApiError, NotAllowed
from cms.i18n import Text, _
from cms.media.uploads import OpenUpload
from cms.operations.results import Item, Row
from cms.operations.services import Services
from cms.schema.fields import EDIT, EMBED
from cms.schema.resource import Arguments, Resource

R = TypeVar("R", bound=Row)


@dataclass
class Draft:
    """What a write stores: the row's columns, and under `related` what goes to other tables.

    `ignored` has sent values that are dropped, by the name of their field: ids of things that there aren't.
    """

    columns: dict[str, Any]
    related: dict[str, Any] = field(default_factory=dict)
    ignored: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def dropped(self) -> tuple[str, ...]:
        """What is dropped, each value as `categories=9999`."""
        return tuple(f"{name}={value}" for name, values in self.ignored.items() for value in values)


class ResourceRules(Generic[R]):
    """What is special about one resource; whatever isn't overridden is the usual answer.

    A class per resource overrides what it needs; none is made from another resource's, it may hold one instead.
    `args` are checked arguments by name, `row` is the item's row.
    """

    #: Columns that permissions depend on, read with every row.
    permission_columns: tuple[str, ...] = ("id",)
    #: What lists can be ordered by.
    orders: Mapping[str, Expression] = {}
    #: Columns that stand for expressions.
    computed_columns: Mapping[str, Build] = {}
    #: Filters by which lists are embedded in other items, with the column that each compares.
    grouping_columns: Mapping[str, str] = {}
    #: Code and message where there is no item with an id.
    not_found: tuple[str, Text] = ("rest_post_invalid_id", _("There is nothing with this id."))
    #: Code of the refusal of an id on creation; empty where it is passed over.
    exists_code = ""
    #: Code of the refusal of a page past the end; empty where that is an empty page.
    page_limit_code = ""
    #: Whether an offset tells on which page of the list one is, as it does for terms and accounts.
    offset_counts_pages = True
    #: Whether a list whose offset lies past its end still has its total.
    counts_past_offset = True
    #: The capability of those who may list items in their editable form; empty where `check_list` tells.
    list_capability = ""
    #: Code and message where the principal lacks the capability to create, update or delete.
    refusals: Mapping[str, tuple[str, Text]] = {
        "create": ("rest_cannot_create", _("You may not create this.")),
        "update": ("rest_cannot_edit", _("You may not edit this.")),
        "delete": ("rest_cannot_delete", _("You may not delete this.")),
    }

    def __init__(self, services: Services, resource: Resource) -> None:
        self.services = services
        self.site = services.site
        self.resource = resource

    def scope(self) -> Build | None:
        """Return what builds the condition of this resource's rows; None where all rows of the table are its own."""
        return None

    # Permissions.

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may create items."""
        return False

    def may_update(self, principal: Principal, row: R) -> bool:
        """Tell whether the principal may change this item."""
        return False

    def may_delete(self, principal: Principal, row: R) -> bool:
        """Tell whether the principal may delete this item."""
        return False

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not create what the arguments ask for."""
        if not self.may_create(principal):
            raise NotAllowed(principal, *self.refusals["create"])

    def check_update(self, row: R, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not change the item as the arguments ask for."""
        if not self.may_update(principal, row):
            raise NotAllowed(principal, *self.refusals["update"])

    def check_delete(self, row: R, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not delete the item."""
        if not self.may_delete(principal, row):
            raise NotAllowed(principal, *self.refusals["delete"])

    # Visibility.

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not ask for such a list."""

    def check_read(self, row: R, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not read the item, or its editable form."""

    def may_read_editable(self, principal: Principal, row: R) -> bool:
        """Tell whether the principal, who may read the item, may read its editable form too."""
        return True

    def filter_list(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Narrow a list to what the principal may see, and by filters that aren't declared with `where`."""

    def filter_by_plugins(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Narrow a list to what plugins don't hide."""
        self.services.hooks.filter_query(self.resource.name, plan, args, principal)

    def unreadable(self, rows: Sequence[R], principal: Principal) -> dict[int, ApiError]:
        """Return which of these rows the principal may not read, with the reason, by id."""
        return refusals_by_id(rows, lambda row: self.check_read(row, {"context": EMBED}, principal))

    def hidden_by_plugins(self, rows: Sequence[R], principal: Principal) -> dict[int, ApiError]:
        """Return which of these rows a plugin hides, with the reason, by id."""
        check, name = self.services.hooks.check_permission, self.resource.name
        return refusals_by_id(rows, lambda row: check(principal, "read", name, row))

    def total_by_numbers(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Give a list, whose conditions are all there, a total for which nothing has to be counted."""

    def order(self, plan: QueryPlan, args: Arguments) -> bool:
        """Add an order of the resource's own and return True; False leaves the order to what `orders` has."""
        return False

    def linked(self, argument: str, ids: Sequence[int]) -> list[tuple[int, int]] | None:
        """Return pairs of an id and an item that is linked to it; None where `argument` is no such link."""
        return None

    # Serialization.

    def is_unlocked(self, row: R, args: Arguments) -> bool:
        """Tell whether the arguments open what a password protects."""
        return False

    def status_of(self, row: R) -> str | None:
        """Return an item's status as it is shown, for resources whose items have one."""
        return None

    def context_after_create(self, principal: Principal) -> str:
        """Return the context in which a new item is answered."""
        return EDIT

    # Writing.

    @contextmanager
    def receive(self, args: Arguments, open_upload: OpenUpload | None) -> Iterator[tuple[Arguments, Any]]:
        """Take what is uploaded for a new item; give the arguments, and the stored file if there is one.

        What was stored is removed again where what happens inside fails.
        """
        yield args, None

    def after_create(self, item: Item) -> Item:
        """Return the answer to a creation, with what is shown this once."""
        return item

    def before_change(self, row: R) -> None:
        """Do what must be done before an item is changed or deleted, in the same transaction."""

    def prepare(self, args: Arguments, row: R | None, principal: Principal, file: Any) -> Any:
        """Do what takes long of a write, before its transaction, and return it for `draft`; `file` is from `receive`.

        It must follow from the arguments and the row: where the item has another row by then it is asked again.
        """
        return file

    def draft(self, args: Arguments, row: R | None, principal: Principal, ready: Any = None) -> Draft:
        """Check the values of a write one by one and return what to store; `row` is None for a new item.

        `ready` is what `prepare` returned. Raises ApiError for what can't be stored.
        """
        own = self.resource.own_columns
        return Draft({name: value for name, value in args.items() if name in own})

    def insert(self, draft: Draft, principal: Principal) -> int:
        """Store a new item and return its id."""
        return self.site.stores.items.insert(self.resource.table, draft.columns)

    def update(self, row: R, draft: Draft, principal: Principal) -> None:
        """Store changes of an item and raise its version."""
        # A statement writes the indexes of all columns that it names, whether their values change or not.
        changed = {name: value for name, value in draft.columns.items() if row[name] != value}
        self.site.stores.items.update(self.resource.table, row["id"], changed)

    def trash(self, row: R, principal: Principal) -> None:
        """Move an item to the trash; raises ApiError where the resource has none."""
        raise trash_not_supported()

    def delete(self, row: R, args: Arguments, principal: Principal) -> None:
        """Delete an item for good."""
        self.site.stores.items.delete(self.resource.table, row["id"])


#: The rules of a resource, whatever its rows are.
AnyRules = ResourceRules[Any]


def refusals_by_id(rows: Sequence[R], check: Callable[[R], None]) -> dict[int, ApiError]:
    """Return what a check raises, by the id of the row."""
    found = {}
    for row in rows:
        try:
            check(row)
        except ApiError as error:
            found[row["id"]] = error
    return found


def forbidden_context(principal: Principal) -> NotAllowed:
    """Build the refusal of the editable form."""
    return NotAllowed(principal, "rest_forbidden_context", _("You may not see the editable form of this."))


def already_trashed() -> ApiError:
    """Build the refusal to move to the trash what is there."""
    message = _("This is in the trash already. Send force=true to delete it.")
    return ApiError("rest_already_trashed", message, 410)


def trash_not_supported() -> ApiError:
    """Build the refusal of a deletion that isn't for good, where there is no trash."""
    message = _("This can't be moved to a trash. Send force=true to delete it for good.")
    return ApiError("rest_trash_not_supported", message, 501)
