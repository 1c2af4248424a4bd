"""Linked items inside their items: all links of a page of items followed together, in one query per kind."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cms.access.capabilities import Principal
from cms.errors import ApiError, no_route

if TYPE_CHECKING:
    from cms.site import Site

ONE = re.compile(r"/(?P<base>[\w/.-]+)/(?P<id>\d+)", re.ASCII)
SOME = re.compile(r"/(?P<base>[\w/.-]+)\?(?P<name>\w+)=(?P<id>\d+)", re.ASCII)

#: Stands for all relations.
ALL = "*"

#: What a link leads to: a resource's name, the argument of a list or None for one item, and an id.
Target = tuple[str, str | None, int]


def embed(site: Site, principal: Principal, items: list[dict[str, Any]], relations: frozenset[str]) -> None:
    """Add `_embedded` to each item, with what its embeddable links lead to under the wanted relations."""
    root = urlsplit(site.api_url).path
    bases = {
        f"{resource.namespace}/{resource.base}": name for name, resource in site.registry.resources.items()
    }
    wanted: dict[int, dict[str, list[Target | None]]] = {}
    for index, item in enumerate(items):
        wanted[index] = {
            rel: [_target(link["href"], root, bases) for link in links]
            for rel, links in item["_links"].items()
            if (ALL in relations or rel in relations) and any(link.get("embeddable") for link in links)
        }
    found = _load(site, principal, {t for rels in wanted.values() for ts in rels.values() for t in ts if t})
    for index, rels in wanted.items():
        embedded = {
            rel: [found.get(t, MISSING) if t else MISSING for t in targets] for rel, targets in rels.items()
        }
        if embedded:
            items[index]["_embedded"] = embedded


def _error(error: ApiError) -> dict[str, Any]:
    return {"code": error.code, "message": error.message, "data": {"status": error.status}}


MISSING = _error(no_route())


def _target(href: str, root: str, bases: dict[str, str]) -> Target | None:
    path = href[href.find(root) + len(root) :] if root in href else ""
    for pattern in (ONE, SOME):
        match = pattern.fullmatch(path)
        if match and match["base"] in bases:
            return bases[match["base"]], match.groupdict().get("name"), int(match["id"])
    return None


def _load(site: Site, principal: Principal, targets: set[Target]) -> dict[Target, Any]:
    groups: dict[tuple[str, str | None], list[int]] = defaultdict(list)
    for name, argument, id in targets:
        groups[name, argument].append(id)
    found: dict[Target, Any] = {}
    for (name, argument), ids in groups.items():
        operations = site.operations[name]
        if argument is None:
            for id, item in operations.many(ids, principal).items():
                found[name, None, id] = _error(item) if isinstance(item, ApiError) else item
        else:
            lists = operations.grouped(argument, ids, principal)
            found |= {(name, argument, id): lists.get(id, []) for id in ids}
    return found
