"""Schemes that wrap the address of another one, in every field that takes an address, of the core and of plugins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

#: What no field stores, with what is left of it in a text.
REFUSED = {
    "javascript:alert(1)": "alert(1)",
    "feed:javascript:alert(1)": "alert(1)",
    "feed:feed:javascript:alert(1)": "alert(1)",
    "FEED:JavaScript:alert(1)": "alert(1)",
    "feed&colon;javascript&colon;alert(1)": "alert(1)",
    "fe\ted:java\nscript:alert(1)": "alert(1)",
    "feed:data:text/html,1": "text/html,1",
    "view-source:javascript:alert(1)": "alert(1)",
    "view-source:https://example.org/": "//example.org/",
    "feed:view-source:https://example.org/": "//example.org/",
    "view-source:feed:https://example.org/": "//example.org/",
    "jar:https://example.org/a.jar!/b": "//example.org/a.jar!/b",
    "blob:https://example.org/1": "//example.org/1",
    "filesystem:https://example.org/1": "//example.org/1",
}
#: In a text these lead to nothing but the site itself; a field for an address takes none of them either.
ESCAPED = ("feed%3Ajavascript%3Aalert(1)", "view-source%3Ajavascript%3Aalert(1)")
WRAPPED = ("feed:https://example.org/x", "FEED:https://example.org/x", "feed:feed:https://example.org/x", "feed://example.org/x")
#: Fields that refuse an address, and those that are left empty, as in WordPress.
REFUSING = {"/menu-items": "url", "/posts": "seo_canonical", "/webhooks": "url"}
EMPTIED = {"/users/me": "url", "/comments": "author_url"}
#: Which take no scheme but those of the web.
OF_THE_WEB = ("/posts", "/webhooks")


@pytest.fixture
def client(bundled: Callable[..., Client]) -> Client:
    made = bundled("menus", "seo", "webhooks", comment_interval=0)
    made.account("administrator")
    made.account("author")
    return made


def write(client: Client, path: str, address: str) -> Any:
    """Send a field that takes an address, and what else such an item needs."""
    more: dict[str, Any] = {"title": "Item", "type": "custom", "status": "publish"}
    if path == "/comments":
        post = client.new("/posts", "administrator", title="On", status="publish")["id"]
        more = {"post": post, "content": "Text", "author_name": "Name", "author_email": "a@example.org"}
    elif path == "/users/me":
        more = {}
    elif path == "/webhooks":
        more = {"events": ["*"]}
    return client.post(path, {**more, (REFUSING | EMPTIED)[path]: address}, "administrator")


@pytest.mark.parametrize("path", REFUSING)
def test_an_address_is_refused_by_name(client: Client, path: str) -> None:
    for address in (*REFUSED, *ESCAPED):
        answer = write(client, path, address)
        assert (answer.status_code, list(answer.json["data"]["params"])) == (400, [REFUSING[path]]), address

    assert client.get(f"{path}?per_page=100", "administrator").json == []


@pytest.mark.parametrize("path", EMPTIED)
def test_an_address_is_left_empty(client: Client, path: str) -> None:
    for address in (*REFUSED, *ESCAPED):
        answer = write(client, path, address)
        assert (answer.status_code // 100, answer.json[EMPTIED[path]]) == (2, ""), address


def test_a_link_in_a_text_loses_its_schemes(client: Client) -> None:
    for address, left in REFUSED.items():
        post = client.new("/posts", "author", title="Item", status="publish", content=f'<a href="{address}">x</a>')
        assert post["content"]["rendered"] == f'<p><a href="{left}">x</a></p>\n', address


@pytest.mark.parametrize("address", [*REFUSED, *ESCAPED])
def test_a_player_leads_nowhere(client: Client, address: str) -> None:
    post = client.new("/posts", "author", title="Item", status="publish", content=f'[audio src="{address}"]')

    assert "src=" not in post["content"]["rendered"]
    assert "href=" not in post["content"]["rendered"]


@pytest.mark.parametrize("path", [path for path in (*REFUSING, *EMPTIED) if path not in OF_THE_WEB])
def test_a_feed_of_an_allowed_scheme_is_stored_as_it_is(client: Client, path: str) -> None:
    for address in WRAPPED:
        assert write(client, path, address).json[(REFUSING | EMPTIED)[path]] == address


@pytest.mark.parametrize("path", OF_THE_WEB)
def test_where_only_the_web_will_do_a_feed_is_refused(client: Client, path: str) -> None:
    for address in WRAPPED:
        assert write(client, path, address).json["data"]["params"].keys() == {REFUSING[path]}


def test_a_link_in_a_text_may_lead_to_a_feed(client: Client) -> None:
    for address in WRAPPED:
        post = client.new("/posts", "author", title="Item", status="publish", content=f'<a href="{address}">x</a>')
        assert post["content"]["rendered"] == f'<p><a href="{address}">x</a></p>\n'
