"""What menu items point at: looked up for a whole page of items at once, one query for content and one for terms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import orjson

from cms import _
from cms.access.capabilities import Principal
from cms.i18n import Text
from cms.operations.serialize import SerializationContext
from cms.resources.content.schema import rendered
from cms.schema.fields import VIEW
from cms.schema.schemas import fields_of
from cms.site import Site

from .entries import ARCHIVE, CUSTOM, POST_TYPE, TAXONOMY, Entry

CONTENT = "SELECT * FROM content WHERE id IN (SELECT value FROM json_each(?))"
TERMS = "SELECT * FROM terms WHERE id IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True)
class Target:
    """What an item points at, as a menu shows it; `address` is where the API has it."""

    label: str
    title: str = ""
    html: str = ""
    url: str = ""
    address: str = ""
    invalid: bool = False


def entry_of(row: Any) -> Entry:
    """Return a row's own part."""
    return Entry.read(orjson.loads(row["meta"]))


def load_targets(page: SerializationContext) -> dict[int, tuple[Entry, Target]]:
    """Return the entry and target of each item of a page, by the item's id."""
    entries = {row["id"]: entry_of(row) for row in page.rows}
    content = _content(page, {each.object_id for each in entries.values() if each.type == POST_TYPE})
    terms = _terms(page, {each.object_id for each in entries.values() if each.type == TAXONOMY})
    return {id: (entry, _target(page.site, entry, content, terms)) for id, entry in entries.items()}


def find_target(site: Site, entry: Entry) -> Target:
    """Return what one entry points at."""
    page = SerializationContext(site, Principal(), VIEW, [], site.now())
    content = _content(page, {entry.object_id}) if entry.type == POST_TYPE else {}
    terms = _terms(page, {entry.object_id}) if entry.type == TAXONOMY else {}
    return _target(site, entry, content, terms)


def _target(site: Site, entry: Entry, content: dict[int, Target], terms: dict[int, Target]) -> Target:
    if entry.type == CUSTOM:
        return Target(_("Custom link"), url=entry.url)
    if entry.type == ARCHIVE:
        return _archive(site, entry.object)
    things: Any = site.content_registry.types if entry.type == POST_TYPE else site.content_registry.taxonomies
    found = (content if entry.type == POST_TYPE else terms).get(entry.object_id)
    label: Text | str = things[entry.object].label if entry.object in things else entry.object
    return found or Target(label, invalid=True)


def _archive(site: Site, name: str) -> Target:
    kind = site.content_registry.types.get(name)
    if kind is None:
        return Target(_("Archive of a type"), invalid=True)
    return Target(
        _("Archive of a type"),
        kind.label,
        kind.label,
        f"{site.url}/{kind.base}/",
        f"{site.core_url}/types/{name}",
    )


def _rows(page: SerializationContext, sql: str, ids: Iterable[int]) -> list[Any]:
    wanted = sorted(ids)
    return page.site.database.rows(sql, (orjson.dumps(wanted).decode(),)) if wanted else []


def _content(page: SerializationContext, ids: Iterable[int]) -> dict[int, Target]:
    site = page.site
    rows = [row for row in _rows(page, CONTENT, ids) if row["type"] in site.registry.resources]
    inner = SerializationContext(site, page.principal, VIEW, rows, page.now)
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


def _terms(page: SerializationContext, ids: Iterable[int]) -> dict[int, Target]:
    site = page.site
    rows = [row for row in _rows(page, TERMS, ids) if row["taxonomy"] in site.registry.resources]
    inner = SerializationContext(site, page.principal, VIEW, rows, page.now)
    return {
        row["id"]: Target(
            site.content_registry.taxonomies[row["taxonomy"]].label,
            row["name"],
            row["name"],
            _link(inner, row["taxonomy"], row),
            f"{site.collection_urls[row['taxonomy']]}/{row['id']}",
        )
        for row in rows
    }


def _link(page: SerializationContext, name: str, row: Any) -> str:
    resource = page.site.registry.resources[name]
    if resource.address is not None:
        return resource.address(row, page)
    return str(fields_of(resource.schema)["link"].reading("link")(row, page))
