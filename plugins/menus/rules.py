"""The rules of menu items: those of content, and readers see only what leads to what they may read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cms import _
from cms.plugin import (
    ApiError,
    Arguments,
    ContentRow,
    ContentRules,
    Draft,
    NotAllowed,
    Principal,
    QueryPlan,
    Resource,
    ResourceRules,
    Services,
    is_scheduled,
)

from .drafts import MenuItemDrafts
from .entries import POST_TYPE, entry_of
from .names import CAPABILITY
from .store import MenuStore, leads_to_public


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
        #: States of content that menu items may lead everybody to.
        self.public_statuses = (*self.content.policy.public, "inherit")

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
        """Raise ApiError for an item that leads to something hidden, unless the principal arranges menus."""
        self.content.check_read(row, args, principal)
        entry = entry_of(row)
        if principal.may(CAPABILITY) or entry.type != POST_TYPE:
            return
        target = self.site.stores.content.find(entry.object_id)
        if target is not None and not self._is_public(target):
            raise NotAllowed(principal, "rest_forbidden", _("You may not read this."))

    def _is_public(self, target: ContentRow) -> bool:
        return target["status"] in self.public_statuses and not is_scheduled(target, self.site.now())

    def filter_list(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Leave out items that lead to something which isn't public, unless the principal arranges menus."""
        self.content.filter_list(plan, args, principal)
        if not principal.may(CAPABILITY):
            plan.where("leads to public", lambda: leads_to_public(self.public_statuses))

    def filter_by_plugins(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Narrow a list to items that plugins don't hide."""
        self.content.filter_by_plugins(plan, args, principal)

    def hidden_by_plugins(self, rows: Sequence[ContentRow], principal: Principal) -> dict[int, ApiError]:
        """Return which items plugins hide."""
        return self.content.hidden_by_plugins(rows, principal)

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
