"""Gunicorn's worker with an event loop: it sends kept answers as they are, and ends without cutting anybody off."""

from __future__ import annotations

import asyncio
import sys
from time import monotonic, time
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

from cms.api.request_log import Answered, Asked, RequestLogger
from cms.asgi.bridge import BEGUN, Begun, Bridge, CachedLines, Watch
from cms.asgi.cached_answers import HEARD
from cms.asgi.environ import Scope
from cms.asgi.exchange import Exchange, header_lines
from cms.asgi.streams import BUFFER, ROOM

#: Versions of HTTP, as ASGI has them.
VERSIONS = {(1, 0): "1.0", (1, 1): "1.1"}
READ, WRITES = "GET", frozenset(("POST", "PUT", "PATCH", "DELETE"))
#: Seconds between two looks at whether a process that ends still has connections.
LOOK_SECONDS = 0.1


class Protocol(ASGIProtocol):  # type: ignore[misc]  # gunicorn has no types
    """A connection. Whole answers to reads and short writes need no task, messages or checks of headers of its own."""

    _response_buffer: Any
    #: A request and whether its answer has said that it is the connection's last one.
    _announced: tuple[Any, bool] | None = None
    #: What the application has begun for a request that it will be called with.
    _begun: Begun | None = None

    def data_received(self, data: bytes) -> None:
        """Take what a client has sent."""
        self.worker.heard += 1
        super().data_received(data)

    async def _serve_http_request(self, request: Any, sockname: Any, peername: Any) -> bool:
        """Answer a request, and return whether the connection goes on; gunicorn calls this once its head is read."""
        self.worker.count_request()
        if not self._is_plain(request):
            return await self._leave_to_gunicorn(request, sockname, peername)
        asked_at, scope = monotonic(), self._scope(request, sockname, peername)
        cached: CachedLines | None = self.app.find_lines(scope) if request.method == READ else None
        if cached is not None:
            return await self._answer_cached(request, scope, cached, asked_at)
        begun = await self._begin(scope)
        lines = await self._wait_for(begun.exchange) if begun else None
        if begun is not None and lines is not None:
            return await self._answer_made(request, begun, lines, asked_at)
        self._begun = begun
        return await self._leave_to_gunicorn(request, sockname, peername)

    async def _leave_to_gunicorn(self, request: Any, sockname: Any, peername: Any) -> bool:
        try:
            return bool(await super()._serve_http_request(request, sockname, peername))
        finally:
            self.worker.heard += 1

    async def _answer_cached(self, request: Any, scope: Scope, cached: CachedLines, asked_at: float) -> bool:
        goes_on, size = self._begin_answer(request, cached.lines), len(cached.body)
        try:
            if size <= ROOM:
                await self._send_piece(cached.body)
            else:
                await self._send_long(cached.body)
        finally:
            if self.log.access_log_enabled:
                self._log(self.app.asked(scope, cached.id), 200, size, asked_at)
        return goes_on

    async def _answer_made(self, request: Any, begun: Begun, lines: bytes, asked_at: float) -> bool:
        head = begun.exchange.head.result()
        status = int(head.status[:3])
        goes_on = self._begin_answer(request, lines, status)
        try:
            await self._send_pieces(head.body)
        finally:
            begun.exchange.end()
            self.worker.heard += 1
            if self.log.access_log_enabled:
                self._log(Asked.of(begun.environ), status, len(head.body), asked_at)
        return goes_on

    def _log(self, asked: Asked, status: int, size: int, asked_at: float) -> None:
        self.log.gather(asked, Answered(status, size, time(), monotonic() - asked_at))

    def _scope(self, request: Any, sockname: Any, peername: Any) -> Scope:
        """Return as much of what ASGI says of a request as the site needs; gunicorn's own has more, and copies."""
        return {
            "method": request.method,
            "raw_path": request.raw_path or b"",
            "query_string": request.query.encode("latin-1") if request.query else b"",
            "headers": request.headers_bytes,
            "client": peername,
            "server": sockname,
            "scheme": request.scheme,
            "http_version": VERSIONS.get(request.version, "1.1"),
            "root_path": self._root_path,
            HEARD: self.worker.heard,
        }

    async def _begin(self, scope: Scope) -> Begun | None:
        """Have a thread answer a request, where its client can't have the answer already."""
        begun: Begun | None
        if scope["method"] == READ:
            begun = self.app.begin_read(scope)
        else:
            begun = await self.app.begin_write(scope, self._body_receiver.receive)
        return begun

    async def _wait_for(self, exchange: Exchange) -> bytes | None:
        """Return the header lines of an answer once it is there, None for one that gunicorn has to look at."""
        watch = Watch(exchange, None, self._body_receiver.receive)
        try:
            head = await exchange.head
            return header_lines(head.headers) if head.is_plain() else None
        except Exception:
            return None  # raised again where gunicorn answers it
        except BaseException:
            exchange.leave()
            exchange.end()
            raise
        finally:
            watch.end()

    def _begin_answer(self, request: Any, lines: bytes, status: int = 200) -> bool:
        """Have the head of an answer sent together with what comes next; return whether the connection goes on."""
        closes = self._will_close(request, False)
        self._send_response_start(status, (), request, close=closes)
        # What gunicorn adds to each answer, whose last two bytes end the head.
        self._response_buffer = b"%b%b\r\n" % (self._response_buffer[:-2], lines)
        return not closes

    async def _send_long(self, body: bytes) -> None:
        """Send a long cached body, at once where the process has room for it until its client has taken it."""
        size = len(body)
        if not self.app.cached_room.take_at_once(size):
            await self._send_pieces(body)
            return
        try:
            await self._send_piece(body)
        finally:
            self.app.cached_room.give_back(size)

    async def _send_pieces(self, body: bytes) -> None:
        for place in range(0, len(body) or 1, ROOM):
            await self._send_piece(body[place : place + ROOM])

    async def _send_piece(self, piece: bytes) -> None:
        """Send bytes, and wait where the client hasn't taken those before them."""
        self._send_body(piece)
        if self._flow_control.write_paused:
            await self._flow_control.drain()

    def _build_http_scope(self, request: Any, sockname: Any, peername: Any) -> Any:
        """Return what ASGI says of a request, and what has been begun for it."""
        scope = super()._build_http_scope(request, sockname, peername)
        if self._begun is not None:
            scope[BEGUN], self._begun = self._begun, None
        return scope

    def _will_close(self, request: Any, response_requires_close: bool) -> bool:
        """Tell whether a connection ends with an answer: what its head has said holds, since clients rely on it."""
        if self._announced is None or self._announced[0] is not request:
            closes = self.worker.is_leaving or super()._will_close(request, response_requires_close)
            self._announced = request, bool(closes)
        return self._announced[1]

    def _is_plain(self, request: Any) -> bool:
        """Tell whether a request is a read without a body or a write with a short one, which is only to be answered."""
        receiver = self._body_receiver
        if not isinstance(self.app, Bridge) or (
            self.log.access_log_enabled and not isinstance(self.log, RequestLogger)
        ):
            return False
        if receiver is None or self._closed or self._uses_uwsgi or self._pre_request or self._post_request:
            return False
        if request.method == READ:
            return bool(receiver._complete and not receiver.buffered)
        is_short = not request.chunked and (request.content_length or 0) <= BUFFER
        return request.method in WRITES and is_short and not receiver.expect_continue


class Worker(gasgi.ASGIWorker):  # type: ignore[misc]  # gunicorn has no types
    """A process with an event loop, whose connections are those above.

    Gunicorn's own, when it ends, closes connections whose clients were just told that they go on. This one says in
    each answer from then on that it is the last, and gives clients that were told otherwise their time for another.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        #: Whether answers say that they are the last ones of their connections.
        self.is_leaving = False
        #: Counts what has come from clients, and answers that were made: what was looked up before may be old since.
        self.heard = 0
        # Gunicorn would end at once with this request.
        self._most_requests: int = self.max_requests  # type: ignore[has-type]  # gunicorn has no types
        self.max_requests = sys.maxsize

    def count_request(self) -> None:
        """Begin to leave with the last request that a process is to answer."""
        if self.nr + 1 >= self._most_requests:
            self.leave()

    def handle_exit_signal(self) -> None:
        """Begin to leave when told to end."""
        self.leave()

    def leave(self) -> None:
        """Take no more connections, and end once those that there are have ended: by their next answer, or idle."""
        if self.is_leaving:
            return
        self.is_leaving = True
        for server in self.servers:
            server.close()
        self._leaving = self.loop.create_task(self._wait_for_clients())

    async def _wait_for_clients(self) -> None:
        last = self.loop.time() + self.cfg.graceful_timeout
        while self.nr_conns and self.loop.time() < last:
            await asyncio.sleep(LOOK_SECONDS)
        self.alive = False

    async def _shutdown(self) -> None:
        self.is_leaving = True
        await super()._shutdown()

    def _cleanup(self) -> None:
        super()._cleanup()
        if isinstance(self.log, RequestLogger):
            self.log.write_gathered()

    def init_process(self) -> None:
        """Prepare in the process that answers, and serve."""
        # Gunicorn's worker has no place to name the class of its connections.
        gasgi.ASGIProtocol = Protocol
        super().init_process()
