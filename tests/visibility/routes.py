"""Which routes a site has, and which of them the oracle doesn't judge, with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cms.testing import Client
from visibility import oracle
from visibility.asks import NOTHING, Marks
from visibility.facts import HIDDEN_TERMS, Item
from visibility.world import World

DESCRIBES = "says what the interface is like, and nothing of any item"
OWN = "what an account has for itself; the right to it is judged by the oracle of writes"
GUARDED = "for administrators, who see everything; that others get nothing is held by asking it for every id"
SAME = "finds what /search finds; its excerpts are held by tests/plugins/test_search_plugin.py"
EMPTY = "always an empty list"
TERMS = "terms are everybody's; which are used by what is judged by their lists and by the counts of tags"
#: Routes that the oracle doesn't judge one by one.
NAMED = {
    "/": DESCRIBES, "/cms/v2": DESCRIBES,
    "/types": DESCRIBES, "/types/{type}": DESCRIBES, "/statuses": DESCRIBES, "/statuses/{status}": DESCRIBES,
    "/taxonomies": DESCRIBES, "/taxonomies/{taxonomy}": DESCRIBES,
    "/menu-locations": DESCRIBES, "/menu-locations/{location}": DESCRIBES,
    "/settings": GUARDED, "/audit": GUARDED, "/audit/{id}": GUARDED, "/webhooks": GUARDED, "/webhooks/{id}": GUARDED,
    "/webhooks/{id}/deliveries": GUARDED, "/webhooks/{id}/deliveries/{delivery}": GUARDED,
    "/users/me": OWN, "/users/{user_id}/application-passwords": OWN, "/users/{user_id}/application-passwords/introspect": OWN,
    "/users/{user_id}/application-passwords/{uuid}": OWN,
    "/cms-search/v1": DESCRIBES, "/cms-search/v1/search": SAME, "/block-types": EMPTY, "/block-types/{namespace}": EMPTY, "/block-patterns/patterns": EMPTY,
    "/block-patterns/categories": EMPTY,
    "/categories/{id}": TERMS, "/menus/{id}": TERMS, "/event-venues/{id}": TERMS,
}
#: What is served beside the interface.
BESIDE = {
    "/": "a page that leads to the interface",
    "/uploads/<path:key>": "the file of an item is open to everybody who knows its address, as docs/media.md says",
    "/healthz": "says that the server runs",
    "/readyz": "says that the site can be served",
    "/api": DESCRIBES, "/api/openapi.json": DESCRIBES, "/api/openapi/cms/v2.json": DESCRIBES,
    "/api/openapi/cms-search/v1.json": DESCRIBES, "/docs": DESCRIBES, "/docs/<name>": DESCRIBES,
    "/api/<path:rest>": "says that there is no such route",
    **dict.fromkeys(("/admin", "/admin/", "/admin/assets/<path:name>", "/admin/api/texts"), "files of the editing page, without content"),
    **dict.fromkeys(("/admin/api/session", "/admin/api/sessions", "/admin/api/sessions/<digits:id>", "/admin/api/two-factor"),
                    "an account's own sessions and second factor"),
    **dict.fromkeys(("/admin/api/forgot", "/admin/api/reset", "/admin/api/crop", "/admin/api/media/<digits:id>/file"),
                    "writes alone, and refuses as tests/admin says"),
    **dict.fromkeys(("/admin/api/backups", "/admin/api/doctor", "/admin/api/events", "/admin/api/events/drop", "/admin/api/events/retry"),
                    "for administrators, who see all content, as tests/admin/test_upkeep.py says"),
}
#: What stands for a name in a route.
NAMES = ("post", "attachment", "publish", "private", "category", "post_tag", "primary", "me", "introspect")
IN_ROUTE = re.compile(r"\(\?P<(\w+)>\[.*?\]\+\)")


def reading_routes(client: Client) -> dict[str, str]:
    """Return the routes that are read, as they are named here, with their patterns; found in the discovery document."""
    found = {}
    for pattern, route in client.get("//api/").json["routes"].items():
        if any("GET" in endpoint["methods"] for endpoint in route["endpoints"]):
            found[_name(pattern)] = pattern
    return found


def _name(pattern: str) -> str:
    name = IN_ROUTE.sub(r"{\1}", pattern)
    return name.removeprefix("/cms/v2") if name.startswith("/cms/v2/") else name


def served_beside(client: Client) -> set[str]:
    """Return the rules of the application that aren't routes of the discovery document, languages aside."""
    described = {IN_ROUTE.sub(r"{\1}", pattern) for pattern in client.get("//api/").json["routes"]}
    rules = {re.sub(r"^/<any\(.*?\):language>", "", rule.rule) for rule in client.app.url_map.iter_rules()}
    return {rule for rule in rules if not rule.startswith("/api") or re.sub(r"<\w+:(\w+)>", r"{\1}", rule).removeprefix("/api") not in described}


def every_path(client: Client, ids: Sequence[int]) -> Iterator[str]:
    """Yield the paths of all routes that are read, for each id and each name, in two contexts."""
    for pattern in reading_routes(client).values():
        is_named = "[\\w-]" in pattern
        for value in (NAMES if is_named else ids) if "(?P" in pattern else ("",):
            path = IN_ROUTE.sub(str(value), pattern)
            yield path
            yield f"{path}?context=edit&_embed&per_page=100"


def ever_seen(asker: str | None, world: World) -> Marks:
    """Return all marks that the asker sees anywhere without a password."""
    seen = [item.marks(_parts(asker, item)) for item in world.items]
    for remark in world.remarks:
        if oracle.may_read_remark(asker, remark):
            seen += [remark.marks("cl" if oracle.may(asker, "moderate_comments") else "c"), remark.on.marks("g")]
    seen += [account.about for account in world.accounts if world.sees(asker, account)]
    if oracle.may(asker, "manage_options"):
        seen.append(HIDDEN_TERMS)
    return NOTHING.union(*seen)


def _parts(asker: str | None, item: Item) -> str:
    if oracle.may_change(asker, item):
        return "ngsktxwfprv"
    if not oracle.may_read(asker, item):
        return ""
    return "ngsktxwf" if oracle.may_read_text(asker, item) else "ngsk"
