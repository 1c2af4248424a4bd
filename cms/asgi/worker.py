"""Gunicorn's worker with an event loop, which sends kept answers as they are, without a call of the application."""

from __future__ import annotations

from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

from cms.asgi.streams import ROOM

READ = "GET"


class Protocol(ASGIProtocol):  # type: ignore[misc]  # gunicorn has no types
    """A connection. For a kept answer it needs no task, no messages and no checks of headers, most of its cost."""

    _response_buffer: Any

    async def _serve_http_request(self, request: Any, sockname: Any, peername: Any) -> bool:
        """Answer a request, and return whether the connection goes on; gunicorn calls this once its head is read."""
        found = self._find_lines(request, peername) if self._is_plain(request) else None
        if found is None:
            return bool(await super()._serve_http_request(request, sockname, peername))
        lines, body = found
        closes = self._will_close(request, False)
        self._send_response_start(200, (), request, close=closes)
        # What gunicorn adds to each answer, whose last two bytes end the head.
        self._response_buffer = b"%b%b\r\n" % (self._response_buffer[:-2], lines)
        for place in range(0, len(body) or 1, ROOM):
            self._send_body(body[place : place + ROOM])
            if self._flow_control.write_paused:
                await self._flow_control.drain()
        return not closes

    def _is_plain(self, request: Any) -> bool:
        """Tell whether a request is a read that has come to its end, and nobody else is told of it."""
        receiver = self._body_receiver
        return (
            request.method == READ
            and receiver is not None
            and receiver._complete
            and not receiver.buffered
            and not (self._closed or self._uses_uwsgi or self._pre_request or self._post_request)
        )

    def _find_lines(self, request: Any, peername: Any) -> tuple[bytes, bytes] | None:
        find = getattr(self.app, "find_lines", None)
        if find is None:
            return None
        scope = {
            "method": request.method,
            "raw_path": request.raw_path or b"",
            "query_string": request.query.encode("latin-1") if request.query else b"",
            "headers": request.headers_bytes,
            "client": peername,
        }
        found: tuple[bytes, bytes] | None = find(scope)
        return found


class Worker(gasgi.ASGIWorker):  # type: ignore[misc]  # gunicorn has no types
    """A process with an event loop, whose connections are those above."""

    def init_process(self) -> None:
        """Prepare in the process that answers, and serve."""
        # Gunicorn's worker has no place to name the class of its connections.
        gasgi.ASGIProtocol = Protocol
        super().init_process()
