"""`GET /search`: its arguments, and what a result looks like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cms.plugin import (
    GET,
    PAGING,
    PUBLIC,
    Answer,
    ArgumentSchema,
    Call,
    ContentRegistry,
    Endpoint,
    Ids,
    InvalidParams,
    List,
    Route,
    Site,
    String,
    _,
    arguments,
    split_terms,
)

from .finding import POST, TERM, Hit, Wanted, details, find, searched
from .marking import excerpt, marked, plain

#: What refuses a page too far.
TOO_FAR = {400: ("rest_search_page_limit",)}
NAMESPACE = "cms-search/v1"
ANY = "any"
#: Where what is found may have its words, the first one that has some is shown; items first, then terms.
TEXTS = {POST: ("content", "excerpt"), TERM: ("description",)}


def search_arguments(registry: ContentRegistry, types: tuple[str, ...], default: str) -> type[ArgumentSchema]:
    """Return the arguments of a search over these kinds of things."""
    names = searched(registry)
    return arguments(
        "SearchArgs",
        {
            "page": PAGING["page"],
            "per_page": PAGING["per_page"],
            "type": String(_("What to find: items, or terms."), enum=types, default=default),
            "subtype": List(
                _("Only these types and taxonomies."),
                items=String(_("A type or a taxonomy."), enum=(*names[POST], *names[TERM], ANY)),
                default=[ANY],
            ),
            "include": Ids(_("Only results with these ids."), default=[]),
            "exclude": Ids(_("No results with these ids."), default=[]),
        },
    )


def search_route(registry: ContentRegistry) -> Route:
    """Return the route of the search."""
    text = String(
        _("What to search for: words, or phrases in double quotes."), required=True, max_length=1_000
    )
    both = search_arguments(registry, (POST, TERM, ANY), ANY)
    args = type("SearchArgs", (both,), {"search": text})
    endpoint = Endpoint(GET, search, PUBLIC, args, codes=TOO_FAR)
    return Route("/search", (endpoint,), namespace=NAMESPACE, title="search-result")


def search(call: Call) -> Answer:
    """Answer with a page of what is found, the best first; raises ApiError for an empty search and a page too far."""
    if not call.args["search"].strip():
        raise InvalidParams({"search": _("Say what to search for.")})
    hits, total = find(call.site, wanted(call.site, call.args), call.principal)
    terms = split_terms(call.args["search"])[0]
    is_word = call.site.config["search_mode"] == "words"
    items = []
    for kind in (POST, TERM):
        some = [hit for hit in hits if hit.type == kind]
        for hit, item in details(call.site, some, ("link", *TEXTS[kind]), call.principal):
            items.append((hits.index(hit), _result(call.site, hit, item, terms, words=is_word)))
    return answer(call, [item for _place, item in sorted(items, key=lambda pair: pair[0])], total)


def answer(call: Call, items: list[dict[str, Any]], total: int) -> Answer:
    """Return the answer to a search, which is one that others may get as long as nothing changes."""
    page, pages = call.args["page"], -(-total // call.args["per_page"])
    return Answer(
        items,
        total=total,
        pages=pages,
        page=page,
        has_next=page < pages,
        cacheable=not call.site.registry.uncached_resources,
    )


def wanted(site: Site, args: Mapping[str, Any]) -> Wanted:
    """Return what a search is for, from its arguments: files are found only where their type is named."""
    names, types = searched(site.content_registry), site.content_registry.types
    chosen = names[POST] + names[TERM] if args["type"] == ANY else names.get(args["type"], ())
    if ANY in args["subtype"]:
        subtypes = [name for name in chosen if name not in types or not types[name].inherits]
    else:
        subtypes = [name for name in chosen if name in args["subtype"]]
    numbers = (args["page"], args["per_page"], args["include"], args["exclude"])
    return Wanted(args.get("search", ""), subtypes, *numbers)


def links(site: Site, hit: Hit, collection: str) -> dict[str, Any]:
    """Return the links of a result: to what was found, and to what it is one of."""
    about = "types" if hit.type == POST else "taxonomies"
    return {
        "self": [{"embeddable": True, "href": f"{site.collection_urls[hit.subtype]}/{hit.id}"}],
        "about": [{"href": f"{site.core_url}/{about}/{hit.subtype}"}],
        "collection": [{"href": collection}],
    }


def _result(
    site: Site, hit: Hit, item: Mapping[str, Any], terms: list[str], *, words: bool
) -> dict[str, Any]:
    title, shown = plain(hit.title), ""
    for name in TEXTS[hit.type]:
        if name not in item:
            continue  # items of its type have no such text
        text = item[name]["rendered"] if isinstance(item[name], dict) else item[name]
        candidate = excerpt(plain(text), terms, words=words)
        if not shown or ("<mark>" in candidate and "<mark>" not in shown):
            shown = candidate
    return {
        "id": hit.id,
        "type": hit.type,
        "subtype": hit.subtype,
        "title": title,
        "url": item["link"],
        "marked": {"title": marked(title, terms, words=words), "excerpt": shown},
        "_links": links(site, hit, f"{site.api_url}/{NAMESPACE}/search"),
    }
