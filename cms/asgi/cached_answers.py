"""Kept answers in the event loop: a request that one fits is answered without a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from time import perf_counter
from typing import Any, NamedTuple

from flask import Flask

from cms.api.cached_answers import COUNTED, EXTENSION, NONCE, AnswerCacheMiddleware, answer_to, key_of
from cms.api.hosts import AllowedHosts
from cms.asgi.environ import Scope, path_info
from cms.db.answer_cache import CachedAnswer, Key
from cms.site import Site

IF_NONE_MATCH = b"if-none-match"
#: The headers that tell whether a kept answer fits, by their variables.
VARIABLES = {
    b"authorization": "HTTP_AUTHORIZATION",
    b"x-cms-nonce": NONCE,
    b"if-match": "HTTP_IF_MATCH",
    IF_NONE_MATCH: "HTTP_IF_NONE_MATCH",
    b"origin": "HTTP_ORIGIN",
    b"host": "HTTP_HOST",
}
#: Those that make an answer another one; a host is only admitted or not.
VARYING = frozenset(VARIABLES) - {b"host"}
FIRST = itemgetter(0)


#: Where a server's scope has the count of what its thread has heard from all clients, and of answers that weren't kept.
HEARD = "cms.heard"
#: How many addresses are known by their bytes at most, and how long they are together.
MOST_ADDRESSES, LONGEST = 2_000, 512


class CachedResponse(NamedTuple):
    """An answer that is known already."""

    status: int
    headers: Sequence[tuple[bytes, bytes]]
    body: bytes
    #: The headers as they are sent, None where they are this request's alone.
    lines: bytes | None = None


FindCached = Callable[[Scope], CachedResponse | None]
Count = Callable[[str, str, str, float], None]


def cached_answers_of(application: Flask) -> FindCached | None:
    """Return what finds kept answers; None where each request has to pass the application.

    So it has to where a plugin wraps the application, where the application has more than the site, and where a server
    has the data: the event loop would wait for it.
    """
    door: AnswerCacheMiddleware | None = application.extensions.get(EXTENSION)
    site: Site = application.extensions["cms"]
    if door is None or site.config.server:
        return None
    find = AddressFinder(door, site).find
    count: Count | None = application.extensions.get(COUNTED)
    return find if count is None else partial(_find_counted, find, count)


def _find_counted(find: FindCached, count: Count, scope: Scope) -> CachedResponse | None:
    """Find a kept answer and count the request: the application never hears of it."""
    began = perf_counter()
    found = find(scope)
    if found is not None:
        path = path_info(scope["raw_path"].decode("latin-1"))
        count(scope["method"], path, str(found.status), perf_counter() - began)
    return found


class AddressFinder:
    """Finds kept answers by the bytes of an address, once it is known what these stand for."""

    def __init__(self, door: AnswerCacheMiddleware, site: Site) -> None:
        self._door, self._answers = door, site.answers
        self._hosts = AllowedHosts(site.config["allowed_hosts"], site.url)
        # What bytes stand for never changes, so that nothing here can be older than the data.
        self._keys: dict[tuple[bytes, bytes], Key] = {}

    def find(self, scope: Scope) -> CachedResponse | None:
        """Return the kept answer to a request."""
        headers = scope["headers"]
        if scope["method"] != "GET" or not VARYING.isdisjoint(map(FIRST, headers)):
            return self._find_by_headers(scope)
        address = scope["raw_path"], scope["query_string"]
        key = self._keys.get(address)
        if key is None:
            return self._find_new(scope, address)
        if self._hosts and not self._admits(headers):
            return None
        kept = self._answers.find(key, scope.get(HEARD))
        return None if kept is None else _whole(kept)

    def _find_new(self, scope: Scope, address: tuple[bytes, bytes]) -> CachedResponse | None:
        """Return the kept answer to a plain read, and note what its address stands for."""
        found = self._find_by_headers(scope)
        if found is not None and len(address[0]) + len(address[1]) <= LONGEST:
            if len(self._keys) >= MOST_ADDRESSES:
                self._keys.clear()
            key = key_of(_variables(scope), ())
            if key is not None:
                self._keys[address] = key
        return found

    def _find_by_headers(self, scope: Scope) -> CachedResponse | None:
        variables = _variables(scope)
        if not self._hosts.admit(variables.get("HTTP_HOST")):
            return None
        kept = self._door.find(variables)
        if kept is None:
            return None
        method, if_none_match = scope["method"], variables.get("HTTP_IF_NONE_MATCH")
        if method == "GET" and if_none_match is None:
            return _whole(kept)
        status, headers, body = answer_to(kept, method, if_none_match)
        raw_headers = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        return CachedResponse(int(status[:3]), raw_headers, body)

    def _admits(self, headers: Sequence[tuple[bytes, bytes]]) -> bool:
        host = next((value.decode("latin-1") for name, value in headers if name == b"host"), None)
        return self._hosts.admit(host)


def is_conditional(headers: Sequence[tuple[bytes, bytes]]) -> bool:
    """Tell whether a request names what its client has of the answer."""
    return IF_NONE_MATCH in map(FIRST, headers)


def _whole(kept: CachedAnswer) -> CachedResponse:
    return CachedResponse(200, kept.raw_headers, kept.body, kept.header_lines)


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
