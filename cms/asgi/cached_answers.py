"""Kept answers in the event loop: a request that one fits is answered without a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from flask import Flask

from cms.api.cached_answers import EXTENSION, AnswerCacheMiddleware, answer_to
from cms.api.hosts import AllowedHosts
from cms.asgi.environ import Scope, path_info
from cms.site import Site

#: The headers that tell whether a kept answer fits, by their variables.
VARIABLES = {
    b"authorization": "HTTP_AUTHORIZATION",
    b"if-match": "HTTP_IF_MATCH",
    b"if-none-match": "HTTP_IF_NONE_MATCH",
    b"origin": "HTTP_ORIGIN",
    b"host": "HTTP_HOST",
}


class CachedResponse(NamedTuple):
    """An answer that is known already, as ASGI has it."""

    status: int
    headers: Sequence[tuple[bytes, bytes]]
    body: bytes


FindCached = Callable[[Scope], CachedResponse | None]


def cached_answers_of(application: Flask) -> FindCached | None:
    """Return what finds kept answers; None where each request has to pass the application.

    So it has to where a plugin wraps the application, or where the application has more than the site.
    """
    door: AnswerCacheMiddleware | None = application.extensions.get(EXTENSION)
    if door is None:
        return None
    site: Site = application.extensions["cms"]
    hosts = AllowedHosts(site.config["allowed_hosts"], site.url)

    def find(scope: Scope) -> CachedResponse | None:
        """Return the kept answer to a request."""
        variables = _variables(scope)
        if not hosts.admit(variables.get("HTTP_HOST")):
            return None
        found = door.find(variables)
        if found is None:
            return None
        method, if_none_match = scope["method"], variables.get("HTTP_IF_NONE_MATCH")
        if method == "GET" and if_none_match is None:
            return CachedResponse(200, found.raw_headers, found.body)
        status, headers, body = answer_to(found, method, if_none_match)
        return CachedResponse(
            int(status[:3]), [(name.encode(), value.encode("latin-1")) for name, value in headers], body
        )

    return find


def _variables(scope: Scope) -> dict[str, Any]:
    variables: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "PATH_INFO": path_info(scope["raw_path"].decode("latin-1")),
    }
    for name, value in scope["headers"]:
        variable = VARIABLES.get(name)
        if variable is not None:
            variables[variable] = value.decode("latin-1")
    return variables
