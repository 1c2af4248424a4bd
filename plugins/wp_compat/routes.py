"""Routes of newer versions of WordPress: the search over all types, and lists of blocks, of which there are none.

They lie in the core's namespace, so that their aliases are made like all others.
"""

from __future__ import annotations

from cms.plugin import (
    GET,
    PUBLIC,
    Answer,
    ApiError,
    ArgumentSchema,
    Call,
    ContentRegistry,
    Endpoint,
    Route,
    String,
    _,
)

from ..search.finding import POST, TERM, details, find
from ..search.routes import answer, links, search_arguments, wanted

#: A kind of thing that clients ask for and that has no items here.
FORMAT = "post-format"
EMPTY = (
    "/block-types",
    "/block-types/<name:namespace>",
    "/block-patterns/patterns",
    "/block-patterns/categories",
)


def later_routes(registry: ContentRegistry) -> list[Route]:
    """Return the routes; the search takes the arguments that it has in WordPress."""
    args = search_arguments(registry, (POST, TERM, FORMAT), POST)
    fields = {
        "context": String(_("Which form of the fields to show."), enum=("view", "embed"), default="view"),
        "search": String(_("What to search for: words, or phrases in double quotes."), max_length=1_000),
    }
    both = type("SearchArgs", (args,), fields)
    routes = [Route("/search", (Endpoint(GET, search, PUBLIC, both),), title="search-result")]
    for path in EMPTY:
        path_args = {"namespace": String(_("Blocks of this namespace alone."))} if "<" in path else {}
        endpoint = Endpoint(GET, list_nothing, PUBLIC, ArgumentSchema, path_args)
        routes.append(Route(path, (endpoint,)))
    return routes


def list_nothing(call: Call) -> Answer:
    """Answer with an empty list."""
    return Answer([], cacheable=True)


def search(call: Call) -> Answer:
    """Answer with a page of what is found, in the shape that WordPress has; raises ApiError for a page too far."""
    hits, total = find(call.site, wanted(call.site, call.args), call.principal)
    if not hits and call.args["page"] > 1:
        message = _("There are only %(pages)s pages. Ask for one of these.", pages=_pages(call, total))
        raise ApiError("rest_post_invalid_page_number", message)
    collection = f"{call.site.core_url}/search"
    items = []
    for hit, item in details(call.site, hits, ("link",), call.principal):
        described = {
            "id": hit.id,
            "title": hit.title,
            "url": item["link"],
            "type": hit.type,
            "subtype": hit.subtype,
        }
        items.append({**described, "_links": links(call.site, hit, collection)})
    return answer(call, items, total)


def _pages(call: Call, total: int) -> int:
    return -(-total // int(call.args["per_page"]))
