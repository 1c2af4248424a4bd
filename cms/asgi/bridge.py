"""The ASGI application around the WSGI one: threads answer requests, and the event loop alone waits for clients.

The way there and back is a queue and one call into the event loop. Libraries for this (a2wsgi, asgiref) do the same
through several tasks and futures a request, and cost two to four times the processor time.
"""

from __future__ import annotations

import asyncio
import io
import logging
from functools import partial
from typing import Any, NamedTuple
from wsgiref.types import WSGIEnvironment

from flask import Flask

from cms.access.proxies import FORWARDED_FOR, TrustedProxies
from cms.api.entrance import added_headers
from cms.api.limits import READING
from cms.api.request import IS_GONE
from cms.api.request_ids import HEADER, REQUEST_ID, choose_id, give_id
from cms.api.request_log import Asked, current_environ
from cms.api.response import respond_error
from cms.asgi.cached_answers import FindCached, is_conditional
from cms.asgi.environ import Scope, build_environ, has_body
from cms.asgi.exchange import Exchange, Head, encode_headers
from cms.asgi.pool import Pool
from cms.asgi.sending import Send, send_body, send_streamed, send_whole
from cms.asgi.streams import Body, ClientGone, Receive, Room
from cms.errors import ApiError
from cms.i18n import ENGLISH, _
from cms.site import Site

#: How many requests wait for each thread at most.
WAITING = 64
#: How many threads work on requests that don't take long, where the database is a file.
BRISK = 1
#: Seconds after which a client whose request isn't answered yet, or whose answer is long, is watched.
PATIENCE = 0.1
#: Where a server's scope has the request that it has begun to have answered.
BEGUN = "cms.exchange"
#: Seconds after which those come again who found no room.
RETRY_AFTER = 1
#: The header of a request's id, as it comes and as it is sent.
SENT_HEADER, RAW_HEADER = HEADER.lower().encode(), HEADER.encode()
#: The header in which proxies tell for whom they ask.
FORWARDED_HEADER = b"x-forwarded-for"

log = logging.getLogger("cms")


class Begun(NamedTuple):
    """A request that a thread answers, and its variables: the log tells of it what the application made of these."""

    exchange: Exchange
    environ: WSGIEnvironment


class CachedLines(NamedTuple):
    """A kept answer as a server sends it, and the id of the request that it answers."""

    lines: bytes
    body: bytes
    id: str


class Bridge:
    """The ASGI application of a Flask application with a site."""

    def __init__(self, application: Flask, find_cached: FindCached | None = None) -> None:
        """Wrap an application; `find_cached` is asked in the event loop before a thread is, and must not wait."""
        self._application, self._find_cached = application, find_cached
        #: As Flask's: hooks of a server find the site here, whichever kind of worker it has.
        self.extensions = application.extensions
        site: Site = application.extensions["cms"]
        self._site = site
        self._proxies = TrustedProxies(site.config["trusted_proxies"])
        self._added = encode_headers(added_headers(site.config))
        self._added_lines = b"".join(b"%b: %b\r\n" % header for header in self._added)
        threads = site.config["threads"]
        # A thread that waits for a server of the database keeps no other from running.
        brisk = threads if site.database.server else BRISK
        self._pool = Pool(threads, threads * WAITING, brisk, site.context.close)
        self._room = Room()
        #: That of cached answers, so that slow clients of these keep no other answer from being made.
        self.cached_room = Room()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or begin and end with the process; raises what the application does."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            self._site.start()
            self._pool.start()
        except Exception as error:
            log.exception("the site can't start")
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._pool.stop()
        self._site.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun: Begun | None = scope.get(BEGUN)
        if begun is not None:
            current_environ.set(begun.environ)
            await _attend(begun.exchange, None, receive, send, scope["method"])
            return
        if self._find_cached is not None:
            kept = self._find_cached(scope)
            if kept is not None:
                id = self._id_of(scope)
                current_environ.set(partial(self.asked, scope, id))
                # What is kept stays without it: it is that of this request alone.
                headers = [*kept.headers, *self._added, (RAW_HEADER, id.encode())]
                await send({"type": "http.response.start", "status": kept.status, "headers": headers})
                await send_body(send, kept.body)
                return
        environ = self._environ(scope)
        current_environ.set(environ)
        body = await _receive_into(environ, scope, receive)
        await _attend(self._begin(environ).exchange, body, receive, send, scope["method"])

    def _environ(self, scope: Scope) -> WSGIEnvironment:
        """Return the variables of a request, its id among them."""
        environ = build_environ(scope, io.BytesIO())
        give_id(environ, environ["REMOTE_ADDR"], self._proxies)
        return environ

    def _begin(self, environ: WSGIEnvironment) -> Begun:
        """Have a thread answer a request, unless too many wait for one: then its answer is there already."""
        pool, refuse = self._pool, partial(_busy, environ[REQUEST_ID])
        loop = asyncio.get_running_loop()
        exchange = Exchange(self._application, environ, loop, pool.deliver, self._room, refuse)
        environ[IS_GONE] = exchange.is_gone
        pool.start()
        if not pool.run(exchange.run, is_write=environ["REQUEST_METHOD"] not in READING):
            exchange.head.set_result(refuse())
        return Begun(exchange, environ)

    def begin_read(self, scope: Scope) -> Begun | None:
        """Begin to answer a read without a body, whose answer the server takes by itself where it is whole.

        None where it has to call the application, since the client may have the answer.
        """
        if is_conditional(scope["headers"]):
            return None
        return self._begin(self._environ(scope))

    async def begin_write(self, scope: Scope, receive: Receive) -> Begun:
        """Begin to answer a write once its body has come, which is to be a short one; as `begin_read`."""
        environ = self._environ(scope)
        await _receive_into(environ, scope, receive)
        return self._begin(environ)

    def find_lines(self, scope: Scope) -> CachedLines | None:
        """Return a kept answer of status 200, for a server that sends its lines and its body as they are.

        None where the application has to be called: there is no such answer, or the client may have it already.
        """
        if self._find_cached is None or is_conditional(scope["headers"]):
            return None
        kept = self._find_cached(scope)
        if kept is None or kept.lines is None:
            return None
        id = self._id_of(scope)
        lines = b"%b%b%b: %b\r\n" % (kept.lines, self._added_lines, RAW_HEADER, id.encode())
        return CachedLines(lines, kept.body, id)

    def _id_of(self, scope: Scope) -> str:
        """Return the id of a request that needs no variables."""
        sent = _joined(scope, SENT_HEADER) if self._proxies else ""
        return choose_id(sent, _peer(scope), self._proxies)

    def asked(self, scope: Scope, id: str) -> Asked:
        """Return for the log what the application would have found out of a request that it doesn't get."""
        address = _peer(scope)
        if self._proxies:
            headers = {FORWARDED_FOR: _joined(scope, FORWARDED_HEADER)}
            address = self._proxies.origin(address, "", headers).address
        path = scope["raw_path"].decode("latin-1").partition("?")[0]
        return Asked(address, scope["method"], path, id)


def _peer(scope: Scope) -> str:
    """Return the address of who has connected, nothing where that is a socket file."""
    client = scope.get("client")
    return client[0] if client else ""


def _joined(scope: Scope, header: bytes) -> str:
    """Return the values of a header as WSGI has them."""
    return ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == header)


async def _receive_into(environ: WSGIEnvironment, scope: Scope, receive: Receive) -> Body | None:
    """Give a request's variables what comes of its body, and return that; None for a request without one."""
    if not has_body(scope["headers"]):
        return None
    body = Body(receive, asyncio.get_running_loop())
    if "HTTP_EXPECT" not in environ:
        await body.begin()
    environ["wsgi.input"] = body.stream()
    return body


async def _attend(exchange: Exchange, body: Body | None, receive: Receive, send: Send, method: str) -> None:
    """Send the answer when it comes, and let its thread know when nobody waits for it any more."""
    watch = Watch(exchange, body, receive)
    try:
        head = await exchange.head
        if head.is_whole:
            await send_whole(send, method, head)
        else:
            await send_streamed(send, head, exchange)
    except ClientGone:
        return
    except BaseException:
        exchange.leave()
        raise
    finally:
        watch.end()
        exchange.end()


class Watch:
    """Notices that the client of a request has gone, once the request takes its time."""

    def __init__(self, exchange: Exchange, body: Body | None, receive: Receive) -> None:
        self._exchange, self._body, self._receive = exchange, body, receive
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None
        self._timer = self._loop.call_later(PATIENCE, self._begin)

    def end(self) -> None:
        """Watch no longer."""
        self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            # What ends the task remembers this object: request and answer would stay until somebody looks for cycles.
            self._task = None

    def _begin(self) -> None:
        # While a body is coming, who reads it gets the server's messages.
        if self._body is None or self._body.is_complete:
            self._task = self._loop.create_task(self._wait())
        else:
            self._timer = self._loop.call_later(PATIENCE, self._begin)

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._exchange.leave()


def _busy(id: str) -> Head:
    """Return the answer of a process that has more to do than it should promise."""
    message = _("The site has too much to do at the moment. Ask again soon.")
    error = ApiError("rest_busy", message, 503, retry_after=RETRY_AFTER, request_id=id)
    # Which language the site speaks stands in the database, and the event loop doesn't wait for that.
    answer: Any = respond_error(error, lambda: ENGLISH)
    return Head(answer.status, [*answer.headers.to_wsgi_list(), (HEADER, id)], answer.data, True)
