"""Responses whose bytes and headers are complete when they are made, so that neither is gone through again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from wsgiref.types import WSGIEnvironment

from flask import Response
from werkzeug.datastructures import Headers

#: Statuses of answers that have all that they are sent with.
WHOLE = frozenset((200, 201))
#: Addresses that are sent as they are, whatever asks for them.
PLAIN_ADDRESS = re.compile(r"https?://[A-Za-z0-9.:/_-]+")


class ReadyHeaders(Headers):
    """Headers of texts that werkzeug need not look at one by one."""

    def __init__(self, values: Mapping[str, str]) -> None:
        """Take headers by name; raises ValueError for a line feed in one, which would begin another header."""
        super().__init__()
        joined = "".join(values.values())
        if "\n" in joined or "\r" in joined:
            raise ValueError("Header values must not contain newline characters.")
        self._list = list(values.items())


class ReadyResponse(Response):
    """A response with its length; what changes it on its way out finds a response as any other."""

    _closes = False

    def __init__(self, data: bytes, status: int, headers: Mapping[str, str]) -> None:
        """Take bytes and headers, of which Content-Type must be one; raises ValueError as `ReadyHeaders` does."""
        super().__init__([data], status, ReadyHeaders({**headers, "Content-Length": str(len(data))}))

    def call_on_close(self, func: Callable[[], Any]) -> Callable[[], Any]:
        """Call something when the response is sent."""
        self._closes = True
        return super().call_on_close(func)

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        """Return the headers: as they are, but for those whose form depends on the request."""
        location = self.headers.get("Location")
        is_address_ready = location is None or PLAIN_ADDRESS.fullmatch(location) is not None
        if self.status_code in WHOLE and is_address_ready and "Content-Length" in self.headers:
            return self.headers
        return super().get_wsgi_headers(environ)

    def get_app_iter(self, environ: WSGIEnvironment) -> Iterable[bytes]:
        """Return the bytes, as a list where nothing waits for their end."""
        body = self.response
        is_plain = self.status_code in WHOLE and environ["REQUEST_METHOD"] != "HEAD" and not self._closes
        if is_plain and type(body) is list and len(body) == 1 and isinstance(body[0], bytes):
            return body
        return super().get_app_iter(environ)
