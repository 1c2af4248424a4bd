"""The hooks of a request: who implements them is looked up once, so that one that nobody implements costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import pluggy

from cms.access.capabilities import Principal
from cms.db import QueryPlan
from cms.errors import NotAllowed
from cms.hooks import PluginError, ask, hand_on
from cms.i18n import _

if TYPE_CHECKING:
    from cms.access.authentication import SignInRequest
    from cms.schema.resource import Arguments, SerializationContext, SerializedItems
    from cms.site import Site

T = TypeVar("T")


class Hooks:
    """Ask the plugins of one site what concerns reading: who asks, what they may see, how it is shown.

    A hook that no plugin implements is None here.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self.authenticate = implemented(site.plugins, "authenticate")
        self.check_permission = implemented(site.plugins, "check_permission")
        self.filter_query = implemented(site.plugins, "filter_query")
        self.open_item = implemented(site.plugins, "open_item")
        self.prepare_items = implemented(site.plugins, "prepare_items")

    def principal(self, request: Callable[[], SignInRequest]) -> Principal | None:
        """Return who the first plugin that knows says is asking, or None where none does."""
        if self.authenticate is None:
            return None
        for plugin, found in ask(self.authenticate, request=request(), site=self._site):
            if found is not None:
                return _expect(plugin, "authenticate", found, Principal)
        return None

    def admit(self, principal: Principal, action: str, resource: str, row: Any = None) -> None:
        """Refuse what a plugin objects to: one that says no is enough."""
        if self.check_permission is None:
            return
        given = {
            "principal": principal,
            "action": action,
            "resource": resource,
            "row": row,
            "site": self._site,
        }
        for _plugin, found in ask(self.check_permission, **given):
            if found is False:
                raise NotAllowed(principal, "rest_forbidden", _("You may not do this."))

    def opens(self, resource: str, row: Any, args: Arguments, principal: Principal) -> bool:
        """Tell whether a plugin shows an item to a principal who may not read it: one that says so is enough."""
        if self.open_item is None:
            return False
        given = {"resource": resource, "row": row, "args": args, "principal": principal, "site": self._site}
        return any(found is True for _plugin, found in ask(self.open_item, **given))

    def narrow(self, resource: str, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Let plugins narrow a query of a resource's items."""
        if self.filter_query is None:
            return
        given = {"resource": resource, "plan": plan, "args": args, "principal": principal, "site": self._site}
        known = _size(plan)
        for plugin, _nothing in ask(self.filter_query, **given):
            keys, parts = (now - before for now, before in zip(_size(plan), known, strict=True))
            if keys != parts or keys < 0:
                raise PluginError(
                    f"plugin {plugin}: filter_query must change the plan by where() and order() alone"
                )
            # Two plugins may use one key for different conditions.
            plan.shape[known[0] :] = [(plugin, key) for key in plan.shape[known[0] :]]
            known = _size(plan)

    def prepare(self, resource: str, items: SerializedItems, page: SerializationContext) -> SerializedItems:
        """Let plugins change the items of a page, all at once."""
        if self.prepare_items is None or not items:
            return items
        return hand_on(
            self.prepare_items,
            "items",
            items,
            check=_of_length(len(items)),
            resource=resource,
            page=page,
            site=self._site,
        )


def implemented(plugins: pluggy.PluginManager, name: str) -> pluggy.HookCaller | None:
    """Return a hook, or None where no plugin implements it; raises PluginError for one that wraps others."""
    hook: pluggy.HookCaller = getattr(plugins.hook, name)
    for implementation in hook.get_hookimpls():
        if implementation.wrapper or implementation.hookwrapper:
            raise PluginError(f"plugin {implementation.plugin_name}: {name} can't be a wrapper")
    return hook if hook.get_hookimpls() else None


def _size(plan: QueryPlan) -> tuple[int, int]:
    return len(plan.shape), len(plan.conditions) + len(plan.ordering)


def _expect(plugin: str, hook: str, found: Any, kind: type[T]) -> T:
    if not isinstance(found, kind):
        raise PluginError(
            f"plugin {plugin}: {hook} returned {type(found).__name__} instead of {kind.__name__}"
        )
    return found


def _of_length(length: int) -> Callable[[SerializedItems], SerializedItems]:
    def check(items: SerializedItems) -> SerializedItems:
        if len(items) != length:
            raise ValueError(f"{len(items)} items instead of {length}")
        return items

    return check
