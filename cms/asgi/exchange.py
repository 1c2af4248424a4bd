"""One request and its answer: the application runs in a thread, and the event loop waits for it and for the client."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain
from operator import itemgetter
from types import TracebackType
from typing import NamedTuple
from wsgiref.types import WSGIApplication, WSGIEnvironment

from gunicorn.util import is_hoppish

from cms.api.limits import READING
from cms.asgi.streams import ROOM, ClientGone, Outlet, Room

log = logging.getLogger("cms")

#: Headers that a server adds where an answer doesn't have them.
SERVERS_OWN = frozenset(("date", "server"))
#: The name of a header, and its line.
NAME, LINE = itemgetter(0), "%s: %s\r\n".__mod__
#: Statuses of answers that a server sends without a closer look.
PLAIN = frozenset(("200", "201"))

Headers = Sequence[tuple[str, str]]
ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


class Head(NamedTuple):
    """The beginning of an answer, and of most answers the whole of it."""

    status: str
    headers: Headers
    body: bytes
    is_whole: bool
    #: How much of the room for answers it takes, until it is sent.
    taken: int = 0
    #: Whether it is as long as its headers say.
    is_exact: bool = False

    def is_plain(self) -> bool:
        """Tell whether it is a whole answer, of what was read or written, that is as long as it says."""
        return self.is_exact and self.status[:3] in PLAIN


class Exchange:
    """What the thread of a request and the event loop tell each other."""

    def __init__(
        self,
        application: WSGIApplication,
        environ: WSGIEnvironment,
        loop: asyncio.AbstractEventLoop,
        deliver: Callable[[Callable[[], object]], None],
        room: Room,
        refuse: Callable[[], Head],
    ) -> None:
        """Prepare; `deliver` has the loop do something soon, `refuse` answers a read for which there is no room."""
        self._application, self._environ, self._loop = application, environ, loop
        self._deliver, self._room, self._refuse = deliver, room, refuse
        #: Done when the answer begins.
        self.head: asyncio.Future[Head] = loop.create_future()
        self._outlet: Outlet | None = None
        self._is_gone = False
        self._started: tuple[str, Headers] | None = None
        self._written: list[bytes] = []
        self._is_begun = False

    async def more(self) -> tuple[bytes, bool]:
        """Return what of a long answer has gathered and whether more may come; raises what the application has."""
        if self._outlet is None:
            return b"", False
        return await self._outlet.take()

    def is_gone(self) -> bool:
        """Tell whether nobody waits for the answer any more."""
        return self._is_gone

    def leave(self) -> None:
        """Note that the client has gone: what hasn't begun isn't done, and what is being sent ends."""
        self._is_gone = True
        if self._outlet is not None:
            self._outlet.close()
        self._set_error(ClientGone())

    def end(self) -> None:
        """Note that nothing more is sent: what the answer took is free again, as is what it would still take."""
        if not self.head.done():
            self.head.cancel()
        elif not self.head.cancelled() and self.head.exception() is None:
            self._room.give_back(self.head.result().taken)

    def run(self) -> None:
        """Answer, in the thread that calls; what the application raises goes to the event loop."""
        try:
            if not self._is_gone:
                self._run()
        except ClientGone:
            pass
        except BaseException as error:
            self._fail(error)
        finally:
            # They know each other, and so would stay in memory until these are looked for.
            self._environ = {}

    def _run(self) -> None:
        result = self._application(self._environ, self._start_response)
        try:
            self._send(result)
        finally:
            _close(result)

    def _start_response(
        self, status: str, headers: list[tuple[str, str]], exc_info: ExceptionInfo | None = None, /
    ) -> Callable[[bytes], object]:
        if exc_info is not None and exc_info[1] is not None and self._is_begun:
            raise exc_info[1]
        if exc_info is None and self._started is not None:
            raise AssertionError("The application has started its answer already.")
        self._started = (status, headers)
        return self._written.append

    def _send(self, result: Iterable[bytes]) -> None:
        pieces = iter(result)
        first = _first(pieces)
        if self._started is None:
            raise AssertionError("The application hasn't started its answer.")
        if self._written:
            pieces, first = chain([first], pieces), b"".join(self._written)
        status, headers = self._started
        if has_no_body(self._environ["REQUEST_METHOD"], status):
            self._begin(Head(status, headers, b"", True))
        elif len(first) >= (length := _length(headers)):
            self._send_whole(status, headers, first, len(first) == length)
        else:
            outlet = self._outlet = Outlet(self._loop)
            if self._is_gone:
                raise ClientGone
            self._begin(Head(status, headers, first, False))
            _stream(pieces, outlet)

    def _send_whole(self, status: str, headers: Headers, body: bytes, is_exact: bool) -> None:
        if self._is_gone:
            raise ClientGone
        # What fits into a piece goes to the server at once.
        size = len(body) if len(body) > ROOM else 0
        is_read = self._environ["REQUEST_METHOD"] in READING
        if size and not self._room.take(size, must=not is_read):
            self._begin(self._refuse())
        else:
            self._begin(Head(status, headers, body, True, size, is_exact))

    def _begin(self, head: Head) -> None:
        self._is_begun = True
        if head.is_whole:
            self._deliver(partial(self._set_head, head))
            return
        # Its pieces wait for the client.
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._set_head, head)

    def _fail(self, error: BaseException) -> None:
        if self._is_gone:
            log.error("a request failed whose client has gone", exc_info=error)
        elif self._outlet is not None and self._is_begun:
            with suppress(RuntimeError):
                self._outlet.finish(error)
        else:
            self._deliver(partial(self._set_error, error))

    def _set_head(self, head: Head) -> None:
        if self.head.done():
            self._room.give_back(head.taken)
        else:
            self.head.set_result(head)

    def _set_error(self, error: BaseException) -> None:
        if not self.head.done():
            self.head.set_exception(error)


def has_no_body(method: str, status: str) -> bool:
    """Tell whether an answer to this method, with this status, never has a body."""
    return method == "HEAD" or status.startswith(("1", "204", "304"))


@lru_cache(maxsize=512)
def _name(name: str) -> bytes:
    """Return the name of a header as it is sent; none for those that are the server's own."""
    if is_hoppish(name):
        return b""
    return name.encode("latin-1")


def encode_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Return headers as ASGI has them, in the case that the application wrote them in."""
    encoded = []
    for name, value in headers:
        known = _name(name)
        if known:
            encoded.append((known, value.strip(" \t").encode("latin-1")))
    return encoded


def header_lines(headers: Headers) -> bytes | None:
    """Return the lines of headers as a server sends them; None for those that it has to look at itself.

    These are what it adds where nobody else does, what is between it and its client alone, and what would end a line
    before its end.
    """
    if not _are_plain(tuple(map(NAME, headers))):
        return None
    text = "".join(map(LINE, headers))
    if text.count("\n") != len(headers) or text.count("\r") != len(headers):
        return None
    return text.encode("latin-1")


@lru_cache(maxsize=512)
def _are_plain(names: tuple[str, ...]) -> bool:
    return all(_name(name) and name.lower() not in SERVERS_OWN for name in names)


def _stream(pieces: Iterator[bytes], outlet: Outlet) -> None:
    for piece in pieces:
        if piece:
            outlet.put(piece)
    outlet.finish()


def _first(pieces: Iterator[bytes]) -> bytes:
    """Return the first piece that isn't empty, nothing where there is none."""
    for piece in pieces:
        if piece:
            return piece
    return b""


def _length(headers: Headers) -> float:
    """Return how long the body is, more than any where nobody says so."""
    for name, value in headers:
        if name.lower() == "content-length":
            return int(value)
    return float("inf")


def _close(result: Iterable[bytes]) -> None:
    close = getattr(result, "close", None)
    if close is None:
        return
    try:
        close()
    except Exception:
        log.exception("what is done after an answer failed")
