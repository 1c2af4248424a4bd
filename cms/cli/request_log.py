"""The log of requests that `cms serve` writes: a line each, for people or as JSON, with what one looks for later.

Of an address the path alone is written: passwords of posts and signed links stand behind the question mark.
"""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from gunicorn.glogging import Logger

HEADER = "X-REQUEST-ID"
#: What a proxy may give a request as its id; anything else is replaced.
ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)


def give_id(headers: list[tuple[str, str]]) -> None:
    """Leave a request the id that it came with, or give it one."""
    sent, others = [], []
    for name, value in headers:
        if name == HEADER:
            sent.append(value)
        else:
            others.append((name, value))
    if len(sent) != 1 or not ID.fullmatch(sent[0]):
        headers[:] = [*others, (HEADER, secrets.token_hex(8))]


class RequestLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Writes a line for each request, in the style that the setting `request_log` says."""

    style = "off"

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        """Write the line of a request that was answered."""
        if self.style == "off":
            return
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": "info",
            "address": environ.get("REMOTE_ADDR", "") or "-",
            "method": environ.get("REQUEST_METHOD", ""),
            "path": environ.get("RAW_URI", "").partition("?")[0],
            "status": resp.status_code,
            "bytes": resp.sent,
            "milliseconds": round(request_time / timedelta(milliseconds=1), 1),
            "request_id": environ.get("HTTP_X_REQUEST_ID", "-"),
        }
        line = as_text(entry)
        if self.style == "json":
            line = orjson.dumps(entry).decode()
        self.access_log.info("%s", line)


def as_text(entry: dict[str, Any]) -> str:
    """Return the line for people."""
    asked = f'"{entry["method"]} {entry["path"]}"'
    answered = f"{entry['status']} {entry['bytes']} B {entry['milliseconds']} ms"
    return f"{entry['time']} {entry['address']} {asked} {answered} {entry['request_id']}"
