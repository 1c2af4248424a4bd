"""The log of requests that `cms serve` writes: a line each, for people or as JSON, with what one looks for later.

Of an address the path alone is written: passwords of posts and signed links stand behind the question mark.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from datetime import timedelta
from time import time
from typing import Any, NamedTuple
from wsgiref.types import WSGIEnvironment

import orjson
from gunicorn.glogging import Logger

from cms.api.request import IS_GONE
from cms.api.request_ids import REQUEST_ID
from cms.dates import format_seconds

CLIENT_GONE = 499
#: How long lines of an event loop are gathered: to write each by itself costs as much as a kept answer.
GATHERED_SECONDS = 0.1


class Asked(NamedTuple):
    """What the log says of a request."""

    address: str
    method: str
    path: str
    id: str

    @classmethod
    def of(cls, environ: WSGIEnvironment) -> Asked:
        """Return that of a request's variables, after the application has seen who asks."""
        return cls(
            environ.get("REMOTE_ADDR", ""),
            environ.get("REQUEST_METHOD", ""),
            environ.get("RAW_URI", "").partition("?")[0],
            environ.get(REQUEST_ID, "-"),
        )


#: The request that a task of the event loop answers, or what tells of it when its line is written: workers for ASGI
#: don't know what the application does of it.
current_environ: ContextVar[WSGIEnvironment | Callable[[], Asked] | None] = ContextVar(
    "current_environ", default=None
)


class Answered(NamedTuple):
    """What the log says of an answer: its status, the bytes of its body that were sent, when, and how long it took."""

    status: int
    size: int
    #: Seconds since 1970.
    moment: float
    seconds: float


class RequestLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Writes a line for each request, in the style that the setting `request_log` says."""

    style = "off"

    def __init__(self, cfg: Any) -> None:
        super().__init__(cfg)
        self._gathered: list[tuple[Asked, Answered]] = []

    @property
    def access_log_enabled(self) -> bool:
        """Whether a line is written: where none is, gunicorn's worker for ASGI need not gather what it would say."""
        return self.style != "off"

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        """Write the line of a request that was answered."""
        if self.style == "off":
            return
        known = current_environ.get() or environ
        if callable(known):
            asked, status = known(), int(resp.status)
        else:
            asked, status = Asked.of(known), _status(resp, known)
        self.write_gathered()
        self._write([(asked, Answered(status, resp.sent, time(), _seconds(request_time)))])

    def gather(self, asked: Asked, answered: Answered) -> None:
        """Have the event loop write a line soon, together with those of the requests that are answered meanwhile."""
        if not self._gathered:
            asyncio.get_running_loop().call_later(GATHERED_SECONDS, self.write_gathered)
        self._gathered.append((asked, answered))

    def write_gathered(self) -> None:
        """Write the lines that wait to be written."""
        if self._gathered:
            gathered, self._gathered = self._gathered, []
            self._write(gathered)

    def _write(self, entries: list[tuple[Asked, Answered]]) -> None:
        as_line = as_json if self.style == "json" else as_text
        self.access_log.info("%s", "\n".join([as_line(asked, answered) for asked, answered in entries]))


def _seconds(request_time: timedelta) -> float:
    """Return how long a request took; a worker for ASGI gives something that has only these two of a timedelta."""
    return request_time.seconds + request_time.microseconds / 1_000_000


def _status(resp: Any, environ: WSGIEnvironment) -> int:
    """Return the status of an answer, and what nginx writes where nobody waited for one."""
    if IS_GONE in environ and not resp.sent and environ[IS_GONE]():
        return CLIENT_GONE
    return int(getattr(resp, "status_code", resp.status))


def as_json(asked: Asked, answered: Answered) -> str:
    """Return the line for programs."""
    entry = {
        "time": _moment(answered.moment),
        "level": "info",
        "address": asked.address or "-",
        "method": asked.method,
        "path": asked.path,
        "status": answered.status,
        "bytes": answered.size,
        "milliseconds": round(answered.seconds * 1000, 1),
        "request_id": asked.id,
    }
    return orjson.dumps(entry).decode()


def as_text(asked: Asked, answered: Answered) -> str:
    """Return the line for people."""
    what = f'{asked.address or "-"} "{asked.method} {asked.path}"'
    took = f"{round(answered.seconds * 1000, 1)} ms"
    return f"{_moment(answered.moment)} {what} {answered.status} {answered.size} B {took} {asked.id}"


def _moment(seconds: float) -> str:
    return f"{format_seconds(seconds)}.{int(seconds * 1000) % 1000:03}Z"
