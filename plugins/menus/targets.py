"""What menu items point at: looked up for a whole page of items at once, one query for content and one for terms."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass

from cms import _
from cms.plugin import (
    VIEW,
    ContentType,
    Principal,
    Row,
    SerializationContext,
    Services,
    Site,
    SiteContext,
    Taxonomy,
    Text,
    fields_of,
    rendered,
)

from .entries import ARCHIVE, CUSTOM, POST_TYPE, TAXONOMY, Entry, entry_of
from .names import ITEM
from .store import MenuStore


@dataclass(frozen=True)
class Target:
    """What an item points at, as a menu has it; `address` is where the API has it."""

    label: Text | str
    title: str = ""
    html: str = ""
    url: str = ""
    address: str = ""
    invalid: bool = False


@dataclass(frozen=True)
class ResolvedItem:
    """A menu item's own part, with what it points at."""

    entry: Entry
    target: Target


def load_items(page: SerializationContext) -> dict[int, ResolvedItem]:
    """Return the entry and target of each item of a page, by the item's id."""
    entries = {row["id"]: entry_of(row) for row in page.rows}
    targets = _Targets(page, entries.values())
    return {id: ResolvedItem(entry, targets.find(entry)) for id, entry in entries.items()}


def find_target(services: Services, entry: Entry) -> Target:
    """Return what one entry points at."""
    site = services.site
    page = SerializationContext(site, services.renderer, Principal(), VIEW, [], site.now())
    return _Targets(page, [entry]).find(entry)


def raise_versions(site: Site, resource: str, id: int) -> None:
    """Raise the versions of the menu items that lead to something which was changed or deleted."""
    registry = site.content_registry
    kinds = ((POST_TYPE, set(registry.types)), (TAXONOMY, set(registry.taxonomies)))
    for kind, names in kinds:
        if resource in names and resource != ITEM:
            site.stores.items.touch("content", MenuStore(site.database).pointing_at(kind, id))


class _Targets:
    """The targets of several entries, read at once."""

    def __init__(self, page: SerializationContext, entries: Iterable[Entry]) -> None:
        self._site = page.site
        content: set[int] = set()
        terms: set[int] = set()
        for entry in entries:
            if entry.type == POST_TYPE:
                content.add(entry.object_id)
            elif entry.type == TAXONOMY:
                terms.add(entry.object_id)
        self._content = _load_content(page, content)
        self._terms = _load_terms(page, terms)

    def find(self, entry: Entry) -> Target:
        """Return what an entry points at; it is marked as invalid where that is gone."""
        if entry.type == CUSTOM:
            return Target(_("Custom link"), url=self._site.own_files.show(entry.url))
        if entry.type == ARCHIVE:
            return _archive(self._site, entry.object)
        registry = self._site.content_registry
        if entry.type == POST_TYPE:
            return self._content.get(entry.object_id) or _missing(registry.types.get(entry.object), entry)
        return self._terms.get(entry.object_id) or _missing(registry.taxonomies.get(entry.object), entry)


def _missing(registered: ContentType | Taxonomy | None, entry: Entry) -> Target:
    label = registered.label if registered is not None else entry.object
    return Target(label, invalid=True)


def _archive(site: SiteContext, name: str) -> Target:
    label, content_type = _("Archive of a type"), site.content_registry.types.get(name)
    if content_type is None:
        return Target(label, invalid=True)
    title = content_type.label
    return Target(
        label, title, title, f"{site.front_url}/{content_type.base}/", f"{site.core_url}/types/{name}"
    )


def _load_content(page: SerializationContext, ids: set[int]) -> dict[int, Target]:
    site = page.site
    found = site.stores.content.many(sorted(ids)).values()
    rows = [row for row in found if row["type"] in site.registry.resources]
    inner = _page_of(page, rows)
    return {
        row["id"]: Target(
            site.content_registry.types[row["type"]].label,
            row["title"],
            rendered(row, inner, "title"),
            _link(inner, row["type"], row),
            f"{site.collection_urls[row['type']]}/{row['id']}",
            row["status"] == "trash",
        )
        for row in rows
    }


def _load_terms(page: SerializationContext, ids: set[int]) -> dict[int, Target]:
    if not ids:
        return {}
    site = page.site
    found = MenuStore(site.database).terms(sorted(ids))
    rows = [row for row in found if row["taxonomy"] in site.registry.resources]
    inner = _page_of(page, rows)
    return {
        row["id"]: Target(
            site.content_registry.taxonomies[row["taxonomy"]].label,
            html.unescape(row["name"]),
            row["name"],
            _link(inner, row["taxonomy"], row),
            f"{site.collection_urls[row['taxonomy']]}/{row['id']}",
        )
        for row in rows
    }


def _page_of(page: SerializationContext, rows: Iterable[Row]) -> SerializationContext:
    return SerializationContext(page.site, page.renderer, page.principal, VIEW, list(rows), page.now)


def _link(page: SerializationContext, name: str, row: Row) -> str:
    resource = page.site.registry.resources[name]
    if resource.address is not None:
        return resource.address(row, page)
    return str(fields_of(resource.schema)["link"].reading("link")(row, page))
