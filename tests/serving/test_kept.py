"""Before a thread is asked, an answer that is known already is sent, as the threads would have sent it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from sites import Client

from cms.asgi.bridge import Bridge


@dataclass
class Known:
    """An answer that is known."""

    status: str = "200 OK"
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/plain"), ("Content-Length", "5"), ("Connection", "close"))
    body: bytes = b"known"


def ask(bridge: Bridge, method: str, path: str) -> list[dict[str, Any]]:
    """Ask the application within the life of a process, and return the messages of its answer."""
    scope = {"type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path,
             "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": [(b"host", b"site.example")],
             "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}
    sent: list[dict[str, Any]] = []

    async def run() -> None:
        life: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        lived: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        living = asyncio.create_task(bridge({"type": "lifespan"}, life.get, lived.put))
        await life.put({"type": "lifespan.startup"})
        assert await lived.get() == {"type": "lifespan.startup.complete"}
        requests = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> dict[str, Any]:
            return next(requests, {"type": "http.disconnect"})

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await bridge(scope, receive, send)
        await life.put({"type": "lifespan.shutdown"})
        assert await lived.get() == {"type": "lifespan.shutdown.complete"}
        await living

    asyncio.run(run())
    return sent


@pytest.mark.parametrize(("method", "body"), [("GET", b"known"), ("HEAD", b"")])
def test_a_known_answer_is_sent(client: Client, method: str, body: bytes) -> None:
    asked: list[Any] = []

    def find(scope: Any) -> Known:
        asked.append((scope["method"], scope["raw_path"]))
        return Known()

    start, rest = ask(Bridge(client.app, find), method, "/api/cms/v2/posts")

    assert asked == [(method, b"/api/cms/v2/posts")]
    assert (start["status"], start["headers"]) == (200, [(b"Content-Type", b"text/plain"), (b"Content-Length", b"5")])
    assert (rest["body"], rest.get("more_body", False)) == (body, False)


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
