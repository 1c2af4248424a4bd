"""Who may see a menu item: those who may read what it leads to, content or term, as the core and plugins say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cms import _
from cms.plugin import (
    ApiError,
    ContentRow,
    ContentType,
    NotAllowed,
    Principal,
    QueryPlan,
    Services,
    hidden_items,
    visible_items,
)

from .entries import POST_TYPE, TAXONOMY, entry_of
from .names import CAPABILITY, ITEM
from .store import MenuStore, leads_somewhere, leads_to_content, leads_to_terms


class TargetVisibility:
    """The visibility of what the menu items of one site lead to.

    What is gone is hidden from nobody; what an import still awaits, from all but those who arrange menus.
    """

    def __init__(self, services: Services) -> None:
        self._services, self._site, self._hooks = services, services.site, services.hooks
        self._store = MenuStore(self._site.database)

    def unreadable(self, rows: Sequence[ContentRow], principal: Principal) -> dict[int, ApiError]:
        """Return which menu items lead to content that the principal may not read, with the reason, by id."""
        targets, now = self._content_of(rows), self._site.now()
        refusal = NotAllowed(principal, "rest_forbidden", _("You may not read this."))
        arranges = principal.may(CAPABILITY)
        hidden: dict[int, ApiError] = {}
        for row in rows:
            target = targets.get(row["id"])
            is_known = target is not None or arranges or not entry_of(row).is_awaiting
            if not is_known or (target and not self._services.visibility.may_read(principal, target, now)):
                hidden[row["id"]] = refusal
        return hidden

    def hidden_by_plugins(self, rows: Sequence[ContentRow], principal: Principal) -> dict[int, ApiError]:
        """Return which menu items lead to something that plugins hide, with the reason, by id."""
        if not self._hooks.checks_permissions:
            return {}
        targets = self._content_of(rows)
        hidden = hidden_items(self._services, list(targets.values()), principal)
        found = {id: hidden[target["id"]] for id, target in targets.items() if target["id"] in hidden}
        return self._hidden_terms(rows, principal) | found

    def filter(self, plan: QueryPlan, principal: Principal) -> None:
        """Narrow a list to menu items that lead to what the principal may read and plugins don't hide."""
        types = list(self._types.values())
        key, build_visible = visible_items(self._services, types, plan, principal)
        plan.where(("leads to content", key), lambda: leads_to_content(self._types, build_visible))
        if not principal.may(CAPABILITY):
            plan.where("leads somewhere", leads_somewhere)
        if self._hooks.filters_queries:
            for name in self._site.content_registry.taxonomies:
                self._filter_terms(name, plan, principal)

    @property
    def _types(self) -> Mapping[str, ContentType]:
        """The types of content that menu items may lead to."""
        types = self._site.content_registry.types
        return {name: type for name, type in types.items() if type.served and name != ITEM}

    def _content_of(self, rows: Sequence[ContentRow]) -> dict[int, ContentRow]:
        """Return the items of content that menu items lead to, by the id of the menu item."""
        ids = _targets(rows, POST_TYPE)
        if not ids:
            return {}
        known = self._site.stores.content.with_parents(sorted(set(ids.values())))
        types = self._types
        found: dict[int, ContentRow] = {}
        for id, target in ids.items():
            if target in known and known[target]["type"] in types:
                found[id] = known[target]
        return found

    def _hidden_terms(self, rows: Sequence[ContentRow], principal: Principal) -> dict[int, ApiError]:
        ids = _targets(rows, TAXONOMY)
        if not ids:
            return {}
        terms = {term["id"]: term for term in self._store.terms(sorted(set(ids.values())))}
        found: dict[int, ApiError] = {}
        for id, target in ids.items():
            if target in terms:
                try:
                    term = terms[target]
                    self._hooks.check_permission(principal, "read", term["taxonomy"], term)
                except ApiError as error:
                    found[id] = error
        return found

    def _filter_terms(self, taxonomy: str, plan: QueryPlan, principal: Principal) -> None:
        by_plugins = QueryPlan()
        self._hooks.filter_query(taxonomy, by_plugins, {}, principal)
        plan.bind(by_plugins.values)
        if by_plugins.conditions:
            key = ("leads to terms", taxonomy, tuple(by_plugins.shape))
            plan.where(key, lambda: leads_to_terms(taxonomy, by_plugins.condition))


def _targets(rows: Sequence[ContentRow], kind: str) -> dict[int, int]:
    """Return the ids of what those menu items lead to that lead to this kind, by the id of the menu item."""
    found = {}
    for row in rows:
        entry = entry_of(row)
        if entry.type == kind:
            found[row["id"]] = entry.object_id
    return found
