"""Before a thread is asked, an answer that is known already is sent, as the threads would have sent it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from sites import Client

from cms import create_app
from cms.asgi.bridge import Bridge
from cms.asgi.cached_answers import cached_answers_of


def scope_of(method: str, path: str, **headers: str) -> dict[str, Any]:
    """Return what a server says of a request."""
    path, _mark, query = path.partition("?")
    named = {"host": "cms.example", **headers}
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()]
    return {"type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path,
            "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "headers": raw,
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}


def ask(bridge: Bridge, method: str, path: str, **headers: str) -> list[dict[str, Any]]:
    """Ask the application within the life of a process, and return the messages of its answer."""
    (sent,) = ask_all(bridge, scope_of(method, path, **headers))
    return sent


def ask_all(bridge: Bridge, *scopes: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Ask the application several times within the life of a process, and return the messages of all answers."""
    answers: list[list[dict[str, Any]]] = []

    async def ask_once(scope: dict[str, Any]) -> None:
        requests: asyncio.Queue[dict[str, Any]] = asyncio.Queue()  # whose end is waited for: the client stays
        await requests.put({"type": "http.request", "body": b"", "more_body": False})
        sent: list[dict[str, Any]] = []
        answers.append(sent)

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await bridge(scope, requests.get, send)

    async def run() -> None:
        life: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        lived: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        living = asyncio.create_task(bridge({"type": "lifespan"}, life.get, lived.put))
        await life.put({"type": "lifespan.startup"})
        assert await lived.get() == {"type": "lifespan.startup.complete"}
        for scope in scopes:
            await ask_once(scope)
        await life.put({"type": "lifespan.shutdown"})
        assert await lived.get() == {"type": "lifespan.shutdown.complete"}
        await living

    asyncio.run(run())
    return answers


@pytest.fixture
def bridge(client: Client) -> Bridge:
    """A bridge to a site whose list of posts was asked for before."""
    client.get("/posts")
    return Bridge(client.app, cached_answers_of(client.app))


def without_id(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return headers without that of the request's id, which they must have once."""
    found = list(headers)
    rest = [each for each in found if each[0] != "X-Request-Id"]
    assert len(rest) == len(found) - 1
    return rest


def test_each_request_has_an_id_of_its_own(bridge: Bridge) -> None:
    answers = [ask(bridge, "GET", "/api/cms/v2/posts", x_request_id="mine")[0] for _turn in range(3)]
    ids = {dict(answer["headers"])[b"X-Request-Id"] for answer in answers}

    assert len(ids) == 3
    assert b"mine" not in ids  # nobody is trusted to give one


def test_a_trusted_proxy_gives_the_id(make_client: Callable[..., Client]) -> None:
    client = make_client(trusted_proxies="127.0.0.1")
    client.get("/posts")
    start, _rest = ask(Bridge(client.app, cached_answers_of(client.app)), "GET", "/api/cms/v2/posts", x_request_id="mine")

    assert dict(start["headers"])[b"X-Request-Id"] == b"mine"


@pytest.mark.parametrize("path", ["/api/cms/v2/posts", "/api/cms/v2/p%6Fsts"])
def test_a_known_answer_is_that_of_the_threads(client: Client, bridge: Bridge, path: str) -> None:
    made = client.get("/posts")
    hits = client.site.answers.hits

    start, rest = ask(bridge, "GET", path)

    assert client.site.answers.hits == hits + 1
    assert start["status"] == 200
    headers = [(name.decode(), value.decode()) for name, value in start["headers"]]
    assert sorted(without_id(headers)) == sorted(without_id(made.headers.items()))
    assert (rest["body"], rest.get("more_body", False)) == (made.data, False)


def test_who_has_it_or_asks_for_its_headers_gets_no_body(client: Client, bridge: Bridge) -> None:
    tag = client.get("/posts").headers["ETag"]
    hits = client.site.answers.hits

    path = "/api/cms/v2/posts"
    answers = ask_all(bridge, scope_of("HEAD", path), scope_of("GET", path, if_none_match=tag))

    assert [(start["status"], rest["body"]) for start, rest in answers] == [(200, b""), (304, b"")]
    assert client.site.answers.hits == hits + 2


@pytest.mark.parametrize(("path", "headers"), [
    ("/api/cms/v2/posts", {"authorization": "Basic eDp5"}), ("/api/cms/v2/posts", {"if_match": '"1"'}),
    ("/api/cms/v2/posts?password=x", {}), ("/api/cms/v2/posts?page=1", {}), ("/api/cms/v2/pages", {})])
def test_others_are_for_the_threads(client: Client, bridge: Bridge, path: str, headers: dict[str, str]) -> None:
    hits = client.site.answers.hits

    ask(bridge, "GET", path, **headers)

    assert client.site.answers.hits == hits


def test_after_a_write_the_site_is_asked(client: Client, bridge: Bridge) -> None:
    client.new("/posts", title="New", status="publish")

    _start, rest = ask(bridge, "GET", "/api/cms/v2/posts")

    assert b"New" in rest["body"]


def test_foreign_hosts_get_no_kept_answer(make_client: Callable[..., Client]) -> None:
    client = make_client(allowed_hosts=["www.cms.example"])
    client.get("/posts")
    bridge = Bridge(client.app, cached_answers_of(client.app))
    hosts = ("cms.example", "www.cms.example", "evil.example")

    assert [ask(bridge, "GET", "/api/cms/v2/posts", host=host)[0]["status"] for host in hosts] == [200, 200, 400]


def test_where_a_plugin_wraps_the_application_no_request_passes_it(make_client: Callable[..., Client]) -> None:
    client = make_client(plugins=["cms_plugins.wp_compat"])

    assert cached_answers_of(client.app) is None
    assert [client.http.get("/wp-json/wp/v2/posts").status_code for _ in range(2)] == [200, 200]
    assert client.site.answers.hits == 1


@pytest.mark.parametrize("bridge", ["none is known", "nobody is asked"])
def test_without_a_known_answer_the_site_is_asked(client: Client, bridge: str) -> None:
    finders = {"none is known": lambda scope: None, "nobody is asked": None}
    start, rest = ask(Bridge(client.app, finders[bridge]), "GET", "/api/cms/v2/types")

    assert start["status"] == 200
    assert rest["body"] == client.send("GET", "/types").data


def test_a_failure_is_the_servers_to_answer(client: Client) -> None:
    client.app.wsgi_app = lambda environ, start_response: [][0]

    with pytest.raises(IndexError):
        ask(Bridge(client.app), "GET", "/api/")


def test_an_address_that_was_asked_for_before_gets_the_present_answer(client: Client, bridge: Bridge) -> None:
    path = "/api/cms/v2/posts"
    first, second = ask_all(bridge, scope_of("GET", path), scope_of("GET", path))
    hits = client.site.answers.hits
    tag = dict(second[0]["headers"])[b"ETag"].decode()
    head, known = ask(bridge, "HEAD", path), ask(bridge, "GET", path, if_none_match=tag)
    client.new("/posts", title="Newer", status="publish")
    changed = ask(bridge, "GET", path)

    headers = [[each for each in answer[0].pop("headers") if each[0] != b"X-Request-Id"] for answer in (first, second)]

    assert second == first
    assert headers[1] == headers[0]
    assert hits == 2
    assert (head[0]["status"], head[1]["body"]) == (200, b"")
    assert (known[0]["status"], known[1]["body"]) == (304, b"")
    assert b"Newer" in changed[1]["body"]


def test_an_address_that_was_asked_for_before_is_refused_to_other_hosts(client: Client) -> None:
    client.site.close()
    app = create_app({"allowed_hosts": ("cms.example",), "background": False}, client.site.config.instance)
    app.test_client().get("/api/cms/v2/posts", headers={"Host": "cms.example"})
    bridge = Bridge(app, cached_answers_of(app))
    statuses = [ask(bridge, "GET", "/api/cms/v2/posts", host=host)[0]["status"]
                for host in ("cms.example", "cms.example", "other.example")]

    assert statuses == [200, 200, 400]
