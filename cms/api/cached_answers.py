"""Answers kept from before: which requests they may answer, and what of them such a request gets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import unquote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response
from werkzeug.http import remove_entity_headers

from cms.access.capabilities import VISITOR, Principal
from cms.api.headers import matches, version_tag
from cms.db.answer_cache import CachedAnswer, Generation, Key
from cms.db.errors import ServerUnavailable
from cms.site import Site

READS = ("GET", "HEAD")
#: The header with which a request says that it acts in a session, by its variable.
NONCE = "HTTP_X_CMS_NONCE"
#: The longest query whose answer is kept: longer ones are rarely sent twice.
LONGEST = 512

#: What may open something in a query, and has to be looked up where it can't be too old.
SECRETS = re.compile("password|preview|token|key|nonce", re.IGNORECASE)

#: The name under which an application has what finds its kept answers.
EXTENSION = "cms_answer_cache"
#: And that of what counts a request (method, path, status, seconds), where requests are counted.
COUNTED = "cms_count"
Sent = tuple[str, list[tuple[str, str]], bytes]


def key_of(environ: Mapping[str, Any], origins: Collection[str]) -> Key | None:
    """Return what an answer to a visitor depends on, from the variables of WSGI; None where it is made anew.

    `origins` are those that are named in answers to them.
    """
    query: str = environ.get("QUERY_STRING", "")
    if environ["REQUEST_METHOD"] not in READS or len(query) > LONGEST:
        return None
    if "HTTP_AUTHORIZATION" in environ or NONCE in environ or "HTTP_IF_MATCH" in environ:
        return None
    if has_password(query):
        return None
    origin = environ.get("HTTP_ORIGIN", "")
    if origin not in origins:
        origin = ""
    return environ["PATH_INFO"], query, origin


def has_password(query: str) -> bool:
    """Tell whether a query may hold the password of an item, whose guesses are counted."""
    return "password" in query or ("%" in query and "password" in unquote(query))


def may_ask_replica(principal: Principal, environ: Mapping[str, Any]) -> bool:
    """Tell whether a request is a visitor's plain read, which a replica may answer."""
    if principal != VISITOR or environ["REQUEST_METHOD"] not in READS:
        return False
    if "HTTP_AUTHORIZATION" in environ or NONCE in environ:
        return False
    query: str = environ.get("QUERY_STRING", "")
    return SECRETS.search(unquote(query) if "%" in query else query) is None


def answer_to(kept: CachedAnswer, method: str, if_none_match: str | None) -> Sent:
    """Return status, headers and bytes of a kept answer for somebody who may have it already."""
    if if_none_match is not None and matches(if_none_match, kept.etag):
        headers = list(kept.headers)
        remove_entity_headers(headers)
        return "304 NOT MODIFIED", headers, b""
    if method == "HEAD":
        return kept.status, list(kept.headers), b""
    return kept.status, list(kept.headers), kept.body


@dataclass(frozen=True, slots=True)
class Place:
    """Where the answer to one request is kept."""

    generation: Generation
    key: Key

    def response(self, environ: Mapping[str, Any]) -> Response | None:
        """Return the answer that is there already."""
        kept = self.generation.get(self.key)
        return None if kept is None else _response(kept, environ)

    def store(self, response: Response, environ: Mapping[str, Any]) -> Response:
        """Keep an answer that follows from the stored data alone, and return what its request gets."""
        if response.status_code != 200 or "Set-Cookie" in response.headers:
            return response
        body = response.get_data()
        if "ETag" not in response.headers:
            # How many items there are stands in a header alone, and a copy with another number is another one.
            response.headers["ETag"] = version_tag(0, body + repr(list(response.headers)).encode())
        kept = CachedAnswer(response.status, list(response.headers), body, response.headers["ETag"])
        self.generation.put(self.key, kept)
        return _response(kept, environ)


def place_for(site: Site, principal: Principal, environ: Mapping[str, Any]) -> Place | None:
    """Return where the answer to a request may be kept; None for one that is made for it alone."""
    if not site.answers or principal != VISITOR:
        return None
    key = key_of(environ, site.config["cors_origins"])
    if key is None:
        return None
    cache = site.cache
    return Place(site.answers.generation(cache.version(), cache.is_behind()), key)


def _response(kept: CachedAnswer, environ: Mapping[str, Any]) -> Response:
    status, headers, body = answer_to(kept, "GET", environ.get("HTTP_IF_NONE_MATCH"))
    return Response(body, status, headers)


def surrogate_keys(rule: str, body: object) -> str:
    """Return the names under which caches in front may drop an answer: its collection, and each item in it.

    They are `posts` and `posts-12`, by the segment of the address. Embedded items have theirs too.
    """
    collection = rule.split("/")[3] if rule.count("/") > 2 else "root"
    keys = [collection]
    for item in body if isinstance(body, list) else [body]:
        if isinstance(item, dict) and isinstance(item.get("id"), int):
            keys.append(f"{collection}-{item['id']}")
        if isinstance(item, dict):
            keys += _embedded_keys(item.get("_embedded", {}))
    return " ".join(dict.fromkeys(keys))


def _embedded_keys(embedded: Mapping[str, Any]) -> Iterator[str]:
    for parts in embedded.values():
        for part in _flat(parts):
            for link in part.get("_links", {}).get("self", ()):
                yield "-".join(link["href"].rsplit("/", 2)[1:])


def _flat(parts: Any) -> Iterator[dict[str, Any]]:
    if isinstance(parts, dict):
        yield parts
    elif isinstance(parts, list):
        for part in parts:
            yield from _flat(part)


class AnswerCacheMiddleware:
    """A WSGI application around a site's own, which answers what it can without asking it."""

    def __init__(self, app: Flask, application: WSGIApplication, site: Site) -> None:
        self._app, self._application, self._site = app, application, site
        self._origins: Collection[str] = site.config["cors_origins"]

    @cached_property
    def is_open(self) -> bool:
        """Whether nothing but the site itself has to see a request: no plugin that signs in, nothing of an embedder.

        To be asked when requests come: from the first one on Flask lets nobody add anything.
        """
        before = self._app.before_request_funcs.get(None, [])
        return not (self._site.hooks.has("authenticate") or len(before) > 1 or self._app.after_request_funcs)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer from what was kept, or hand the request on."""
        kept = self.find(environ)
        if kept is None:
            return self._application(environ, start_response)
        status, headers, body = answer_to(kept, environ["REQUEST_METHOD"], environ.get("HTTP_IF_NONE_MATCH"))
        start_response(status, headers)
        return [body]

    def find(self, environ: Mapping[str, Any]) -> CachedAnswer | None:
        """Return the kept answer to a request; None where it is for the application.

        What may be kept was decided when the answer was made. It doesn't wait, so that an event loop may call it.
        """
        if not self.is_open:
            return None
        key = key_of(environ, self._origins)
        try:
            return None if key is None else self._site.answers.find(key)
        except ServerUnavailable:
            return None  # the application has an answer for that
