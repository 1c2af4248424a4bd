"""The log of requests that `cms serve` writes: a line each, for people or as JSON, with what one looks for later.

Of an address the path alone is written: passwords of posts and signed links stand behind the question mark.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Any
from wsgiref.types import WSGIEnvironment

import orjson
from gunicorn.glogging import Logger

from cms.api.request import IS_GONE
from cms.api.request_ids import REQUEST_ID

CLIENT_GONE = 499
#: The request that a task of the event loop answers, or what tells of it when its line is written: workers for ASGI
#: don't know what the application does of it.
current_environ: ContextVar[WSGIEnvironment | Callable[[], WSGIEnvironment] | None] = ContextVar(
    "current_environ", default=None
)


class RequestLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Writes a line for each request, in the style that the setting `request_log` says."""

    style = "off"

    @property
    def access_log_enabled(self) -> bool:
        """Whether a line is written: where none is, gunicorn's worker for ASGI need not gather what it would say."""
        return self.style != "off"

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        """Write the line of a request that was answered."""
        if self.style == "off":
            return
        known = current_environ.get() or environ
        environ = known() if callable(known) else known
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": "info",
            "address": environ.get("REMOTE_ADDR", "") or "-",
            "method": environ.get("REQUEST_METHOD", ""),
            "path": environ.get("RAW_URI", "").partition("?")[0],
            "status": _status(resp, environ),
            "bytes": resp.sent,
            "milliseconds": _milliseconds(request_time),
            "request_id": environ.get(REQUEST_ID, "-"),
        }
        line = as_text(entry)
        if self.style == "json":
            line = orjson.dumps(entry).decode()
        self.access_log.info("%s", line)


def _milliseconds(request_time: timedelta) -> float:
    """Return how long a request took; a worker for ASGI gives something that has only these two of a timedelta."""
    return round(request_time.seconds * 1000 + request_time.microseconds / 1000, 1)


def _status(resp: Any, environ: WSGIEnvironment) -> int:
    """Return the status of an answer, and what nginx writes where nobody waited for one."""
    if IS_GONE in environ and not resp.sent and environ[IS_GONE]():
        return CLIENT_GONE
    return int(getattr(resp, "status_code", resp.status))


def as_text(entry: dict[str, Any]) -> str:
    """Return the line for people."""
    asked = f'"{entry["method"]} {entry["path"]}"'
    answered = f"{entry['status']} {entry['bytes']} B {entry['milliseconds']} ms"
    return f"{entry['time']} {entry['address']} {asked} {answered} {entry['request_id']}"
