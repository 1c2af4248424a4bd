"""What the event loop holds of requests and answers ends with them, however long they took."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from sites import Client

from cms.asgi import bridge as bridges
from cms.asgi.bridge import Bridge

Message = dict[str, Any]


class Visit:
    """A request to an application in an event loop, whose client stays until it is let go."""

    def __init__(self, method: str = "GET", body: bytes = b"") -> None:
        headers = [(b"host", b"cms.example"), (b"content-length", str(len(body)).encode())]
        self.scope = {"type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": "/",
                      "raw_path": b"/", "query_string": b"", "root_path": "", "headers": headers,
                      "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}
        self.sent: list[Message] = []
        self.is_watched = threading.Event()
        self._body: list[bytes] = [body] if body else []

    async def receive(self) -> Message:
        """Give the body, then say nothing more."""
        if self._body:
            return {"type": "http.request", "body": self._body.pop(), "more_body": False}
        self.is_watched.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: Message) -> None:
        """Take a message."""
        self.sent.append(message)


@pytest.fixture
def no_cycles() -> Iterator[None]:
    """Nothing looks for objects that only know each other."""
    gc.disable()
    yield
    gc.enable()


def in_place_of(client: Client, application: Callable[..., list[bytes]]) -> Bridge:
    """Return a bridge of the client's site to another application."""
    client.app.wsgi_app = application
    return Bridge(client.app)


def live(bridge: Bridge, act: Callable[[], Awaitable[None]]) -> None:
    """Do something within the life of a process; in the end all its threads have ended."""
    async def run() -> None:
        life: asyncio.Queue[Message] = asyncio.Queue()
        lived: asyncio.Queue[Message] = asyncio.Queue()
        living = asyncio.create_task(bridge({"type": "lifespan"}, life.get, lived.put))
        await life.put({"type": "lifespan.startup"})
        assert await lived.get() == {"type": "lifespan.startup.complete"}
        await act()
        await life.put({"type": "lifespan.shutdown"})
        await living

    asyncio.run(run())


@pytest.mark.usefixtures("no_cycles")
def test_a_watched_request_leaves_nothing_in_memory(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridges, "PATIENCE", 0)
    visit, inputs = Visit("POST", b"words"), []

    def application(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        assert visit.is_watched.wait(20)
        inputs.append(weakref.ref(environ["wsgi.input"]))
        read = environ["wsgi.input"].read()
        start("200 OK", [("Content-Length", str(len(read)))])
        return [read]

    bridge = in_place_of(client, application)

    live(bridge, lambda: bridge(visit.scope, visit.receive, visit.send))
    assert visit.sent[-1]["body"] == b"words"
    assert inputs[0]() is None
