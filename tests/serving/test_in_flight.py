"""What the event loop holds of requests and answers ends with them, however long they took."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

import pytest
from sites import Client

from cms.asgi import bridge as bridges
from cms.asgi import pool, streams
from cms.asgi.bridge import Bridge

Message = dict[str, Any]


class Visit:
    """A request to an application in an event loop, whose client stays until it is let go."""

    def __init__(self, method: str = "GET", body: bytes = b"", name: str = "", query: int = 0) -> None:
        headers = [(b"host", b"cms.example"), (b"content-length", str(len(body)).encode()), (b"user-agent", name.encode())]
        self.scope = {"type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": "/",
                      "raw_path": b"/", "query_string": str(query).encode(), "root_path": "", "headers": headers,
                      "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}
        self.sent: list[Message] = []
        self.is_watched = threading.Event()
        self.takes = asyncio.Event()
        self.takes.set()
        self._body = [body]

    async def receive(self) -> Message:
        """Give the body, then say nothing more."""
        if self._body:
            return {"type": "http.request", "body": self._body.pop(), "more_body": False}
        self.is_watched.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: Message) -> None:
        """Take a message; of a body nothing before it may."""
        if message["type"] == "http.response.body":
            await self.takes.wait()
        self.sent.append(message)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def pieces(self) -> list[bytes]:
        return [message["body"] for message in self.sent[1:]]


@pytest.fixture
def no_cycles() -> Iterator[None]:
    """Nothing looks for objects that only know each other."""
    gc.disable()
    yield
    gc.enable()


def in_place_of(client: Client, application: Callable[..., Iterable[bytes]]) -> Bridge:
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
@pytest.mark.parametrize(("method", "body"), [("GET", b""), ("POST", b"words")])
def test_a_watched_request_leaves_nothing_in_memory(
        client: Client, monkeypatch: pytest.MonkeyPatch, method: str, body: bytes) -> None:
    monkeypatch.setattr(bridges, "PATIENCE", 0)
    visit, inputs = Visit(method, body), []

    def application(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        assert visit.is_watched.wait(20)
        inputs.append(weakref.ref(environ["wsgi.input"]))
        read = environ["wsgi.input"].read()
        start("200 OK", [("Content-Length", str(len(read)))])
        return [read]

    bridge = in_place_of(client, application)

    live(bridge, lambda: bridge(visit.scope, visit.receive, visit.send))
    assert visit.pieces == [body]
    assert inputs[0]() is None


LARGE = streams.ROOM * 3 + 7


class Sized:
    """An application whose answers have as many bytes as the query says; it notes which it made and has handed on."""

    def __init__(self) -> None:
        self.noted: list[str] = []
        self.may_make = threading.Event()
        self.may_make.set()

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterator[bytes]:
        name, length = environ["HTTP_USER_AGENT"], int(environ["QUERY_STRING"])
        self.noted.append(f"{name} is begun")
        assert self.may_make.wait(20)
        start("200 OK", [("Content-Length", str(length))])
        try:
            self.noted.append(f"{name} is made")
            yield b"x" * length
        finally:
            self.noted.append(f"{name} is handed on")

    async def until(self, note: str) -> None:
        """Wait for a note, and for what was to be done in the event loop before."""
        while note not in self.noted:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0)


@pytest.fixture
def sized(client: Client) -> Sized:
    """The application of a bridge."""
    return Sized()


@pytest.fixture
def bridge(client: Client, sized: Sized, monkeypatch: pytest.MonkeyPatch) -> Bridge:
    """A bridge with room for one large answer."""
    monkeypatch.setattr(streams, "ROOM_OF_ALL", LARGE + 1)
    return in_place_of(client, sized)


def begin(bridge: Bridge, visit: Visit) -> asyncio.Task[None]:
    """Begin to answer a visit."""
    return asyncio.create_task(bridge(visit.scope, visit.receive, visit.send))


@pytest.mark.parametrize("length", [0, 5, streams.ROOM, streams.ROOM + 1, LARGE])
def test_answers_are_sent_in_pieces(bridge: Bridge, length: int) -> None:
    visit = Visit(query=length)
    live(bridge, lambda: begin(bridge, visit))

    assert b"".join(visit.pieces) == b"x" * length
    assert max(map(len, visit.pieces)) <= streams.ROOM


def test_a_large_answer_waits_for_another_to_be_taken_and_a_small_one_does_not(bridge: Bridge, sized: Sized) -> None:
    first, second, small = Visit(name="first", query=LARGE), Visit(name="second", query=LARGE), Visit(name="small", query=5)

    async def act() -> None:
        first.takes.clear()
        tasks = [begin(bridge, first)]
        await sized.until("first is handed on")
        tasks.append(begin(bridge, second))
        await sized.until("second is made")
        await begin(bridge, small)
        assert "second is handed on" not in sized.noted
        assert second.sent == []
        first.takes.set()
        await asyncio.gather(*tasks)

    live(bridge, act)
    assert [sum(map(len, each.pieces)) for each in (first, second, small)] == [LARGE, LARGE, 5]


def test_a_read_that_finds_no_room_is_refused_and_a_write_answered(
        bridge: Bridge, sized: Sized, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "ROOM_SECONDS", 0)
    first, read, write, later = Visit(name="first", query=LARGE), Visit(query=LARGE), Visit("POST", query=LARGE), Visit(query=LARGE)

    async def act() -> None:
        first.takes.clear()
        waiting = begin(bridge, first)
        await sized.until("first is handed on")
        await begin(bridge, read)
        await begin(bridge, write)
        first.takes.set()
        await waiting
        await begin(bridge, later)

    live(bridge, act)
    assert [each.status for each in (first, read, write, later)] == [200, 503, 200, 200]
    assert dict(read.sent[0]["headers"])[b"Retry-After"] == b"1"


@pytest.mark.parametrize("left", ["first is begun", "first is handed on"])
def test_who_leaves_leaves_room(bridge: Bridge, sized: Sized, monkeypatch: pytest.MonkeyPatch, left: str) -> None:
    monkeypatch.setattr(streams, "ROOM_SECONDS", 0)
    first, second = Visit(name="first", query=LARGE), Visit(query=LARGE)

    async def act() -> None:
        first.takes.clear()
        if left == "first is begun":
            sized.may_make.clear()
        leaving = begin(bridge, first)
        await sized.until(left)
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        sized.may_make.set()
        await sized.until("first is handed on")
        await begin(bridge, second)

    live(bridge, act)
    assert second.status == 200


def test_a_read_has_a_thread_while_writes_wait_for_each_other(client: Client) -> None:
    noted: list[str] = []
    may_write = threading.Event()

    def application(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        noted.append(environ["REQUEST_METHOD"])
        if environ["REQUEST_METHOD"] == "POST":
            assert may_write.wait(20)
        start("200 OK", [("Content-Length", "0")])
        return []

    threads = client.site.config["threads"]
    bridge = in_place_of(client, application)
    writes, read = [Visit("POST") for _number in range(threads + 2)], Visit()

    async def act() -> None:
        tasks = [begin(bridge, each) for each in writes]
        while len(noted) < threads - 1:
            await asyncio.sleep(0.001)
        await begin(bridge, read)
        may_write.set()
        await asyncio.gather(*tasks)

    live(bridge, act)
    assert noted == ["POST"] * (threads - 1) + ["GET"] + ["POST"] * 3
    assert {each.status for each in (*writes, read)} == {200}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_requests_one_after_another_come_to_one_thread(client: Client, method: str) -> None:
    """Whose connection to the database knows the pages that the last one read or wrote."""
    names: list[str] = []

    def application(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        names.append(threading.current_thread().name)
        start("200 OK", [("Content-Length", "0")])
        return []

    bridge = in_place_of(client, application)

    async def act() -> None:
        for _number in range(5):
            await begin(bridge, Visit(method))
            await asyncio.sleep(0.01)  # the thread is free again

    live(bridge, act)
    assert len(names) == 5
    assert len(set(names)) == 1


def test_more_threads_begin_only_once_requests_take_long(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "LONG", 60)
    begun: list[str] = []
    may_end = threading.Event()

    def application(environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        begun.append(threading.current_thread().name)
        assert may_end.wait(20)
        start("200 OK", [("Content-Length", "0")])
        return []

    threads = client.site.config["threads"]
    brisk = threads if client.site.database.server else 1
    bridge = in_place_of(client, application)
    visits = [Visit() for _number in range(2 * threads)]

    async def act() -> None:
        tasks = [begin(bridge, each) for each in visits[:threads]]
        while len(begun) < brisk:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        assert len(begun) == brisk

        monkeypatch.setattr(pool, "LONG", 0)
        tasks += [begin(bridge, each) for each in visits[threads:]]
        while len(begun) < threads:
            await asyncio.sleep(0.001)
        may_end.set()
        await asyncio.gather(*tasks)

    live(bridge, act)
    assert len(set(begun[:threads])) == threads
    assert [each.status for each in visits] == [200] * len(visits)


class Notes:
    """An application that notes which requests it has answered, with the notes of which answers were sent."""

    def __init__(self, slow: str = "") -> None:
        self.noted: list[str] = []
        self.slow, self.may_go_on = slow, threading.Event()

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        name = environ["HTTP_USER_AGENT"]
        if name == self.slow:
            assert self.may_go_on.wait(20)
        start("200 OK", [("Content-Length", "0")])
        self.noted.append(f"{name} is answered")
        return []

    async def sent(self, bridge: Bridge, name: str) -> None:
        """Ask, and note when the answer has come."""
        await begin(bridge, Visit(name=name))
        self.noted.append(f"{name} is sent")


@pytest.mark.files_only  # one thread for each request
def test_answers_come_together_with_those_of_requests_that_wait(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "LONG", 60)
    application = Notes()
    bridge = in_place_of(client, application)

    async def act() -> None:
        await asyncio.gather(*(application.sent(bridge, name) for name in "abc"))

    live(bridge, act)
    assert application.noted == [f"{name} is {what}" for what in ("answered", "sent") for name in "abc"]


def test_no_more_answers_than_a_few_wait_for_others(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "LONG", 60)
    last = f"{pool.BATCH}"
    application = Notes(slow=last)
    bridge = in_place_of(client, application)

    async def act() -> None:
        waiting = [asyncio.create_task(application.sent(bridge, f"{number}")) for number in range(pool.BATCH + 1)]
        await asyncio.gather(*waiting[: pool.BATCH])
        assert f"{last} is sent" not in application.noted
        application.may_go_on.set()
        await waiting[-1]

    live(bridge, act)
    assert application.noted[-1] == f"{last} is sent"


def test_an_answer_does_not_wait_for_a_slow_one_behind_it(client: Client) -> None:
    application = Notes(slow="slow")
    bridge = in_place_of(client, application)

    async def act() -> None:
        slow = [asyncio.create_task(application.sent(bridge, name)) for name in ("first", "slow")][1]
        while "first is sent" not in application.noted:
            await asyncio.sleep(0.001)
        application.may_go_on.set()
        await slow

    live(bridge, act)
    assert application.noted == ["first is answered", "first is sent", "slow is answered", "slow is sent"]
