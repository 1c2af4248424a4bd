"""Aliases: namespace `wp/v2` below `/wp-json`, for clients that know no others.

No route is copied: a request to an alias is answered by the route that it stands for, then the addresses in the
answer are turned into aliases. What there is in newer versions of WordPress alone has routes of its own (`routes.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl, urlencode
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import orjson

from cms.plugin import Site

OURS, THEIRS = "cms/v2", "wp/v2"
RELATION = "https://api.w.org/"
Headers = list[tuple[str, str]]


class Aliases:
    """A WSGI application around the site's own."""

    def __init__(self, application: WSGIApplication, site: Site) -> None:
        self._application, self._base = application, site.base
        self._home = f"{site.url}{site.base}"
        prefixes = "|".join(map(re.escape, site.content_registry.locales))
        self._alias = re.compile(rf"(?P<language>(?:/(?:{prefixes}))?)/wp-json(?P<rest>/.*)?", re.DOTALL)
        self._link = f'<{self._home}/wp-json/>; rel="{RELATION}"'

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer an alias as the route that it stands for; hand everything else on."""
        path = environ.get("PATH_INFO", "")
        if not path.startswith(self._base):
            return self._application(environ, start_response)
        path = path[len(self._base) :]
        if path in ("", "/", "/index.php") and "rest_route" in environ.get("QUERY_STRING", ""):
            pairs = parse_qsl(environ["QUERY_STRING"], keep_blank_values=True, encoding="latin-1")
            if "rest_route" in dict(pairs):
                return self._by_argument(environ, pairs, start_response)
        found = self._alias.fullmatch(path)
        if found is None:
            return self._application(environ, self._linking(start_response))
        return self._answer(environ, found["language"], found["rest"] or "", start_response)

    def _by_argument(
        self, environ: WSGIEnvironment, pairs: list[tuple[str, str]], start_response: StartResponse
    ) -> Iterable[bytes]:
        route = dict(pairs)["rest_route"]
        query = urlencode([pair for pair in pairs if pair[0] != "rest_route"], encoding="latin-1")
        # The variable of a server that keeps the address as it was sent would win over the path.
        inner = {**environ, "QUERY_STRING": query, "REQUEST_URI": "", "RAW_URI": ""}
        return self._answer(inner, "", route if route.startswith("/") else f"/{route}", start_response)

    def _answer(
        self, environ: WSGIEnvironment, language: str, rest: str, start_response: StartResponse
    ) -> Iterable[bytes]:
        ours, theirs = f"{self._home}{language}/api", f"{self._home}{language}/wp-json"
        route = _swap(rest, THEIRS, OURS)
        inner = {**environ, "PATH_INFO": f"{self._base}{language}/api{route}"}
        status, headers, body = _run(self._application, inner)
        is_json = any(name.lower() == "content-type" and "json" in value for name, value in headers)
        turned = Turned(ours, theirs)
        if body and is_json:
            whole = route.rstrip("/") in ("", f"/{OURS}")
            body = turned.document(body) if whole and status.startswith("200") else turned.body(body)
        renamed = []
        for name, value in headers:
            if name.lower() != "content-length":
                renamed.append((name, turned.header(value)))
        # To HEAD nothing is sent, so that nobody knows how long it would be.
        if environ["REQUEST_METHOD"] != "HEAD":
            renamed.append(("Content-Length", str(len(body))))
        start_response(status, self._named(renamed))
        return [body]

    def _named(self, headers: Headers) -> Headers:
        others = []
        for name, value in headers:
            if name.lower() != "link" or RELATION not in value:
                others.append((name, value))
        return [*others, ("Link", self._link)]

    def _linking(self, start_response: StartResponse) -> StartResponse:
        def start(status: str, headers: Headers, exc_info: Any = None) -> Callable[[bytes], object]:
            return start_response(status, self._named(headers), exc_info)

        return start


class Turned:
    """Turns the addresses of an answer into aliases."""

    def __init__(self, ours: str, theirs: str) -> None:
        self._ours, self._theirs = ours, theirs
        # JSON of ours has one form: a text can't hold these, since its quotes are escaped.
        self._places = [
            (f'"href":"{ours}/{OURS}'.encode(), f'"href":"{theirs}/{THEIRS}'.encode()),
            (f'"href":"{ours}/'.encode(), f'"href":"{theirs}/'.encode()),
            (f'"rest_namespace":"{OURS}"'.encode(), f'"rest_namespace":"{THEIRS}"'.encode()),
            (f'"namespace":"{OURS}"'.encode(), f'"namespace":"{THEIRS}"'.encode()),
            (f'"Link":"<{ours}/{OURS}'.encode(), f'"Link":"<{theirs}/{THEIRS}'.encode()),
        ]

    def body(self, body: bytes) -> bytes:
        """Return the JSON of an answer with the aliases' addresses."""
        for ours, theirs in self._places:
            body = body.replace(ours, theirs)
        return body

    def header(self, value: str) -> str:
        """Return a header's value with the aliases' addresses."""
        return value.replace(f"{self._ours}/{OURS}", f"{self._theirs}/{THEIRS}")

    def document(self, body: bytes) -> bytes:
        """Return a discovery document, or what was picked of it, that describes the aliases."""
        answer = orjson.loads(body)
        document = answer["body"] if isinstance(answer.get("body"), dict) else answer  # with `_envelope`
        if "routes" in document:
            document["routes"] = {
                _swap(rule, OURS, THEIRS): self._route(route) for rule, route in document["routes"].items()
            }
        if "namespaces" in document:
            document["namespaces"] = [THEIRS if name == OURS else name for name in document["namespaces"]]
        _name_default(document.get("endpoints", ()))  # of the answer to OPTIONS
        return self.body(orjson.dumps(answer))

    def _route(self, route: dict[str, Any]) -> dict[str, Any]:
        if route["namespace"] == OURS:
            route["namespace"] = THEIRS
        _name_default(route["endpoints"])
        own = route.get("_links", {}).get("self")
        if own:
            route["_links"]["self"] = self.header(own).replace(f"{self._ours}/", f"{self._theirs}/")
        return route


def _name_default(endpoints: Iterable[dict[str, Any]]) -> None:
    for endpoint in endpoints:
        if endpoint["args"] and endpoint["args"].get("namespace", {}).get("default") == OURS:
            endpoint["args"]["namespace"]["default"] = THEIRS


def _swap(path: str, one: str, other: str) -> str:
    return re.sub(rf"^/{one}(?=/|$)", f"/{other}", path)


def _run(application: WSGIApplication, environ: WSGIEnvironment) -> tuple[str, Headers, bytes]:
    started: list[Any] = []

    def start(status: str, headers: Headers, exc_info: Any = None) -> Callable[[bytes], object]:
        started[:] = [status, headers]
        return written.append

    written: list[bytes] = []
    answer = application(environ, start)
    try:
        body = b"".join([*written, *answer])
    finally:
        close = getattr(answer, "close", None)
        if close is not None:
            close()
    return started[0], started[1], body
