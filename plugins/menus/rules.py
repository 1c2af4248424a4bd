"""The rules of menu items: those of content, and readers see only what leads to what they may read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cms.plugin import (
    ApiError,
    Arguments,
    ContentRow,
    ContentRules,
    Draft,
    Principal,
    QueryPlan,
    Resource,
    ResourceRules,
    Services,
)

from .drafts import MenuItemDrafts
from .store import MenuStore
from .visibility import TargetVisibility


class MenuItemRules(ResourceRules[ContentRow]):
    """The rules of menu items; what isn't special about them is left to the rules of content."""

    permission_columns = ContentRules.permission_columns
    not_found = ContentRules.not_found
    exists_code = ContentRules.exists_code
    page_limit_code = ContentRules.page_limit_code
    offset_counts_pages = ContentRules.offset_counts_pages
    counts_past_offset = ContentRules.counts_past_offset
    orders = ContentRules.orders

    def __init__(self, services: Services, resource: Resource) -> None:
        super().__init__(services, resource)
        self.content = ContentRules(services, resource)
        self.drafts = MenuItemDrafts(services, self.content.drafts)
        self.store = MenuStore(self.site.database)
        self.visibility = TargetVisibility(services)

    def scope(self) -> Callable[[], Any]:
        """Return the condition of menu items."""
        return self.content.scope()

    # Permissions.

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may arrange menus."""
        return self.content.may_create(principal)

    def may_update(self, principal: Principal, row: ContentRow) -> bool:
        """Tell whether the principal may change this item."""
        return self.content.may_update(principal, row)

    def may_delete(self, principal: Principal, row: ContentRow) -> bool:
        """Tell whether the principal may delete this item."""
        return self.content.may_delete(principal, row)

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not arrange menus."""
        self.content.check_create(args, principal)

    def check_update(self, row: ContentRow, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not change the item."""
        self.content.check_update(row, args, principal)

    # Visibility.

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError for the editable form and unpublished items to readers."""
        self.content.check_list(args, principal)

    def check_read(self, row: ContentRow, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not read the item or what it leads to."""
        self.content.check_read(row, args, principal)
        for error in self.visibility.unreadable([row], principal).values():
            raise error

    def unreadable(self, rows: Sequence[ContentRow], principal: Principal) -> dict[int, ApiError]:
        """Return which items the principal may not read; what they lead to is loaded at once."""
        return self.content.unreadable(rows, principal) | self.visibility.unreadable(rows, principal)

    def filter_list(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Leave out items that lead to something which the principal may not read."""
        self.content.filter_list(plan, args, principal)
        self.visibility.filter(plan, principal)

    def filter_by_plugins(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Narrow a list to items that plugins don't hide."""
        self.content.filter_by_plugins(plan, args, principal)

    def hidden_by_plugins(self, rows: Sequence[ContentRow], principal: Principal) -> dict[int, ApiError]:
        """Return which items plugins hide, themselves or what they lead to."""
        hidden = self.content.hidden_by_plugins(rows, principal)
        return self.visibility.hidden_by_plugins(rows, principal) | hidden

    def order(self, plan: QueryPlan, args: Arguments) -> bool:
        """Order by relevance where that is asked for."""
        return self.content.order(plan, args)

    def status_of(self, row: ContentRow) -> str:
        """Return the status that an item is shown with."""
        return self.content.status_of(row)

    # Writing.

    def before_change(self, row: ContentRow) -> None:
        """Tell of a publication that is due before the item is something else."""
        self.content.before_change(row)

    def prepare(
        self, args: Arguments, row: ContentRow | None, principal: Principal, file: object
    ) -> dict[str, Any]:
        """Return the columns of the texts, sanitised and rendered."""
        return self.drafts.texts(args, row, principal)

    def draft(
        self,
        args: Arguments,
        row: ContentRow | None,
        principal: Principal,
        ready: dict[str, Any] | None = None,
    ) -> Draft:
        """Return the columns of a write and the item's menu; raises ApiError for what can't be stored."""
        return self.drafts.build(args, row, principal, ready)

    def insert(self, draft: Draft, principal: Principal) -> int:
        """Store a new item in its menu."""
        return self.content.insert(draft, principal)

    def update(self, row: ContentRow, draft: Draft, principal: Principal) -> None:
        """Store changed columns, and the menu where that was sent."""
        self.content.update(row, draft, principal)

    def delete(self, row: ContentRow, args: Arguments, principal: Principal) -> None:
        """Delete an item; what is below it goes up one level."""
        self.content.delete(row, args, principal)
        self.store.update_parents(row["id"])
