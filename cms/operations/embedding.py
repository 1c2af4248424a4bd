"""Linked items inside their items: all links of a page of items followed together, in one query per kind."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from cms.access.capabilities import VISITOR, Principal
from cms.context import SiteContext
from cms.errors import ApiError, no_route
from cms.operations.crud import Operations
from cms.schema.resource import SerializedItem, SerializedItems

ONE = re.compile(r"/(?P<base>[\w/.-]+)/(?P<id>\d+)", re.ASCII)
SOME = re.compile(r"/(?P<base>[\w/.-]+)\?(?P<name>\w+)=(?P<id>\d+)", re.ASCII)

#: How many things that items lead to are kept, and what is too long to be kept: lists of so many comments.
MOST_KEPT, MOST_KEPT_LIST = 500, 20
#: Stands for all relations.
ALL = "*"

#: What a link leads to: a resource's name, the argument of a list or None for one item, and an id.
Target = tuple[str, str | None, int]
Embedded = SerializedItem | SerializedItems


class Embedding:
    """Embeds what the items of one site link to."""

    def __init__(
        self, site: SiteContext, operations: Mapping[str, Operations], *, changes_by_itself: bool = False
    ) -> None:
        """Prepare; where what plugins show `changes_by_itself`, nothing is kept for others."""
        self._site = site
        self._is_keeping = not (changes_by_itself or site.registry.uncached_resources)
        self._root = urlsplit(site.api_url).path
        self._operations = operations
        self._bases: dict[str, str] = {}
        for name, resource in site.registry.resources.items():
            self._bases[f"{resource.namespace}/{resource.base}"] = name

    def embed(self, items: Iterable[SerializedItem], relations: frozenset[str], principal: Principal) -> None:
        """Add `_embedded` to each item, with what its embeddable links lead to under the wanted relations."""
        wanted = []
        targets: set[Target] = set()
        for item in items:
            by_relation = self._targets(item, relations)
            wanted.append((item, by_relation))
            for found in by_relation.values():
                targets.update(filter(None, found))
        loaded = self._find(targets, principal)
        for item, by_relation in wanted:
            if by_relation:
                item["_embedded"] = {
                    relation: [_embedded(target, loaded) for target in found]
                    for relation, found in by_relation.items()
                }

    def _targets(self, item: SerializedItem, relations: frozenset[str]) -> dict[str, list[Target | None]]:
        """Return what the embeddable links of an item lead to, by relation; None for what isn't of this site."""
        found: dict[str, list[Target | None]] = {}
        for relation, links in item.get("_links", {}).items():  # a plugin may have taken them away
            is_wanted = ALL in relations or relation in relations
            if is_wanted and any(link.get("embeddable") for link in links):
                found[relation] = [self._target(link["href"]) for link in links]
        return found

    def _target(self, href: str) -> Target | None:
        path = href.partition(self._root)[2]
        for pattern in (ONE, SOME):
            match = pattern.fullmatch(path)
            if match and match["base"] in self._bases:
                return self._bases[match["base"]], match.groupdict().get("name"), int(match["id"])
        return None

    def clear(self) -> None:
        """Forget what is kept for visitors."""
        for language in ("", *(locale.code for locale in self._site.content_registry.locales.values())):
            self._kept(language).clear()

    def _kept(self, language: str) -> dict[Target, Embedded]:
        return self._site.cache.get_or_load(("embedded", language), self._site.now(), dict)

    def _find(self, targets: set[Target], principal: Principal) -> dict[Target, Embedded]:
        """Return what targets lead to; for visitors what others were shown, as long as the data stays as it is."""
        if not self._is_keeping or principal != VISITOR:
            return self._load(targets, principal)
        kept = self._kept(principal.language)
        found = {target: kept[target] for target in targets if target in kept}
        loaded = self._load(targets - found.keys(), principal)
        for target, embedded in loaded.items():
            is_long = isinstance(embedded, list) and len(embedded) > MOST_KEPT_LIST
            if len(kept) < MOST_KEPT and not is_long:
                kept[target] = embedded
        return found | loaded

    def _load(self, targets: set[Target], principal: Principal) -> dict[Target, Embedded]:
        groups: dict[tuple[str, str | None], list[int]] = defaultdict(list)
        for name, argument, id in targets:
            groups[name, argument].append(id)
        found: dict[Target, Embedded] = {}
        for (name, argument), ids in groups.items():
            operations = self._operations[name]
            if argument is None:
                for id, item in operations.linked.get_many(ids, principal).items():
                    if isinstance(item, ApiError):
                        found[name, None, id] = _error(item)
                    else:
                        found[name, None, id] = item
            else:
                lists = operations.linked.get_lists(argument, ids, principal)
                for id in ids:
                    found[name, argument, id] = lists.get(id, [])
        return found


def _embedded(target: Target | None, loaded: Mapping[Target, Embedded]) -> Embedded:
    return MISSING if target is None else loaded.get(target, MISSING)


def _error(error: ApiError) -> SerializedItem:
    return {"code": error.code, "message": error.message, "data": {"status": error.status}}


MISSING = _error(no_route())
