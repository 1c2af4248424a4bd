"""Finding items of all types and terms: each list is asked as its own route would, then they are put together."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cms.plugin import (
    ApiError,
    ContentRegistry,
    Operations,
    Principal,
    SerializedItems,
    Site,
    _,
    sort_key,
    split_terms,
)

POST, TERM = "post", "term"
#: How far into a search one may read: the lists that it is put together of are read from their beginnings.
MOST = 1_000
#: Ranks: the title has the whole phrase, all of the words, or it is the text that has them.
PHRASE, WORDS, TEXT = range(3)

#: Where something lies among all that is found: its rank, what comes first, and later dates before.
Place = tuple[int, int, int]


@dataclass(frozen=True)
class Wanted:
    """What is searched for, in which lists: names of types and taxonomies."""

    text: str
    subtypes: Sequence[str]
    page: int = 1
    per_page: int = 10
    include: Sequence[int] = ()
    exclude: Sequence[int] = ()


@dataclass(frozen=True)
class Hit:
    """Something that was found: `subtype` is its type or taxonomy, `title` HTML without markup."""

    type: str
    subtype: str
    id: int
    title: str
    date: str = ""


def searched(registry: ContentRegistry) -> dict[str, tuple[str, ...]]:
    """Return the types and taxonomies that front ends show, by what their items are; files are to be named."""
    types = [type.name for type in registry.types.values() if type.public and type.served]
    return {POST: tuple(types), TERM: tuple(registry.taxonomies)}


def find(site: Site, wanted: Wanted, principal: Principal) -> tuple[list[Hit], int]:
    """Return a page of what the principal may see of what is found, the best first, and how much that is in all.

    Raises ApiError for a page too far behind, and for a text that can't be searched for.
    """
    last = wanted.page * wanted.per_page
    if last > MOST:
        message = _("A search shows its first %(most)s results. Search for more words.", most=MOST)
        raise ApiError("rest_search_page_limit", message)
    lists, total = [], 0
    for name in wanted.subtypes:
        hits, number = _of_list(site, name, wanted, principal, last)
        lists.append(hits)
        total += number
    phrase, words = _folded(wanted.text)
    merged = heapq.merge(*lists, key=lambda hit: _place(hit, phrase, words))
    return list(merged)[last - wanted.per_page : last], total


def _of_list(site: Site, name: str, wanted: Wanted, principal: Principal, most: int) -> tuple[list[Hit], int]:
    operations, type = site.operations[name], kind_of(site, name)
    found = _listed(
        operations,
        principal,
        {"search": wanted.text, "include": [*wanted.include], "exclude": [*wanted.exclude]},
        ("id", "title", "date_gmt") if type == POST else ("id", "name"),
        most,
    )
    if found is None:
        return [], 0
    hits = []
    for item in found[0]:
        title = item["title"]["rendered"] if type == POST else item["name"]
        hits.append(Hit(type, name, item["id"], title, item.get("date_gmt") or ""))
    return hits, found[1]


def kind_of(site: Site, name: str) -> str:
    """Return whether items of a type or terms of a taxonomy have this name."""
    return POST if name in site.content_registry.types else TERM


def _listed(
    operations: Operations, principal: Principal, args: dict[str, Any], fields: Iterable[str], most: int
) -> tuple[SerializedItems, int] | None:
    """Return the beginning of a list and its total; None where the principal may not ask for it at all."""
    loaded = operations.list_loader.load({name: value for name, value in args.items() if value})
    if args.get("search") and "relevance" in getattr(operations.list_loader.fields["orderby"], "enum", ()):
        loaded["orderby"] = "relevance"
    try:
        found = operations.list({**loaded, "per_page": most, "_fields": frozenset(fields)}, principal)
    except ApiError as error:
        if error.status in (401, 403):
            return None
        raise
    return found.items, found.total


def details(
    site: Site, hits: Sequence[Hit], fields: Sequence[str], principal: Principal
) -> Iterator[tuple[Hit, dict[str, Any]]]:
    """Yield what was found with these fields of it; what has gone meanwhile is left out."""
    ids: dict[str, list[int]] = defaultdict(list)
    for hit in hits:
        ids[hit.subtype].append(hit.id)
    found = {}
    for name, some in ids.items():
        listed = _listed(site.operations[name], principal, {"include": some}, ("id", *fields), len(some))
        for item in listed[0] if listed else ():
            found[name, item["id"]] = item
    for hit in hits:
        if (hit.subtype, hit.id) in found:
            yield hit, found[hit.subtype, hit.id]


def _folded(text: str) -> tuple[str, list[str]]:
    words = [sort_key(word) for word in split_terms(text)[0]]
    return " ".join(words), words


def _place(hit: Hit, phrase: str, words: Sequence[str]) -> Place:
    title = sort_key(hit.title)
    rank = TEXT
    if all(word in title for word in words):
        rank = PHRASE if phrase in title else WORDS
    digits = hit.date.translate(dict.fromkeys(map(ord, "-T:")))
    return rank, int(hit.type == TERM), -int(digits or 0)
