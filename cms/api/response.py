"""Answers as bytes and headers."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

import orjson
from flask import Request, Response

from cms.api.headers import matches, version_tag
from cms.api.ignored import HEADER, header_value
from cms.api.ready import ReadyResponse
from cms.errors import ApiError
from cms.i18n import Text, _
from cms.operations.results import EmbeddedItem
from cms.schema.endpoint import Answer
from cms.site import Site

Translation = Callable[[], gettext.NullTranslations]
#: The longest query whose links to other pages are kept.
LONGEST_CACHED = 512
#: What browsers are told of whatever they get: not to guess another type, and not to tell others where it was.
SAFETY_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
#: What every answer of the API says; search engines list pages and not this.
COMMON_HEADERS = {**SAFETY_HEADERS, "X-Robots-Tag": "noindex"}


#: The arguments that lead from page to page.
PAGE, CURSOR = "page", "cursor"
#: How many bytes all that is embedded in an answer may have, what stands there repeatedly as often.
MOST_EMBEDDED = 32 * 1024 * 1024


class _Encoder:
    """Encodes one answer."""

    def __init__(self, translation: Translation) -> None:
        self._translation = translation
        self._embedded = 0

    def encode(self, body: Any) -> bytes:
        """Return a value as JSON; raises TypeError for what JSON has no form for, ApiError for too much embedded."""
        try:
            return orjson.dumps(
                body,
                default=self._encode_other,
                option=orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_NON_STR_KEYS,
            )
        except TypeError as error:
            if isinstance(error.__cause__, ApiError):
                raise error.__cause__ from None
            raise

    def _encode_other(self, value: object) -> str | orjson.Fragment:
        if isinstance(value, Text):
            return value.in_language(self._translation())
        if isinstance(value, EmbeddedItem):
            return self._encode_embedded(value)
        if isinstance(value, str):
            return str(value)
        raise TypeError(f"JSON has no form for {type(value).__name__}")

    def _encode_embedded(self, item: EmbeddedItem) -> orjson.Fragment:
        item.encoded = item.encoded or self.encode(dict(item))
        self._embedded += len(item.encoded)
        if self._embedded > MOST_EMBEDDED:
            raise _too_much_embedded()
        return orjson.Fragment(item.encoded)


def _too_much_embedded() -> ApiError:
    message = _(
        "What is to be embedded has more than %(most)s bytes. Ask for fewer items, or name what you need in _embed.",
        most=MOST_EMBEDDED,
    )
    return ApiError("rest_embedded_too_large", message)


def encode(body: Any, translation: Translation) -> bytes:
    """Return a value as JSON; marked texts are said in the language that is asked for when the first one comes.

    Raises TypeError for a value that JSON has no form for, ApiError where too much is embedded.
    """
    return _Encoder(translation).encode(body)


def respond(
    site: Site,
    request: Request,
    answer: Answer,
    translation: Translation,
    common: Mapping[str, str],
    envelope: bool = False,
) -> Response:
    """Return the response to a request that succeeded; `common` are headers that don't depend on the answer."""
    headers = _headers(site, request, answer)
    if answer.content_type:
        return _respond_with_bytes(request, answer, {**headers, **common})
    if envelope:
        return _json_response(encode(_wrap(answer.body, answer.status, headers), translation), 200, common)
    data = encode(answer.body, translation)
    if answer.version is not None:
        headers["ETag"] = version_tag(answer.version, data)
        if _is_known(request, headers["ETag"]):
            return Response(status=304, headers={**headers, **common, **COMMON_HEADERS})
    return _json_response(data, answer.status, {**headers, **common})


def _respond_with_bytes(request: Request, answer: Answer, headers: dict[str, str]) -> Response:
    """Return the response with a body that isn't written here; one with a version has a tag."""
    if answer.version is not None:
        headers["ETag"] = version_tag(answer.version, answer.body)
        if _is_known(request, headers["ETag"]):
            return Response(status=304, headers={**headers, **COMMON_HEADERS})
    return _response(answer.body, answer.status, answer.content_type, headers)


def _is_known(request: Request, tag: str) -> bool:
    """Tell whether who reads has the answer with this tag already."""
    named = request.environ.get("HTTP_IF_NONE_MATCH")
    return named is not None and request.method in ("GET", "HEAD") and matches(named, tag)


def _headers(site: Site, request: Request, answer: Answer) -> dict[str, str]:
    headers: dict[str, str] = {}
    if answer.allow:
        headers["Allow"] = ", ".join(answer.allow)
    if answer.total is not None:
        headers["X-WP-Total"] = str(answer.total)
        headers["X-WP-TotalPages"] = str(answer.pages)
    if answer.cursor:
        headers["X-CMS-Cursor"] = answer.cursor
    links = page_links(site, request, answer)
    if links:
        headers["Link"] = links
    if answer.alternate:
        headers["Link"] = f'<{answer.alternate}>; rel="alternate"; type="text/html"'
    if answer.ignored:
        headers[HEADER] = header_value(answer.ignored)
    if answer.location:
        headers["Location"] = answer.location
    return headers


def _wrap(body: Any, status: int, headers: dict[str, str]) -> dict[str, Any]:
    return {"body": body, "status": status, "headers": headers}


def respond_error(error: ApiError, translation: Translation, envelope: bool = False) -> Response:
    """Return the response to a request that was refused."""
    body = {"code": error.code, "message": error.message, "data": {"status": error.status, **error.data}}
    headers = {"Retry-After": str(error.data["retry_after"])} if "retry_after" in error.data else {}
    if envelope:
        wrapped = _wrap(body, error.status, headers)
        return _json_response(encode(wrapped, translation), 200, {**headers, "Cache-Control": "no-store"})
    return _json_response(encode(body, translation), error.status, {**headers, "Cache-Control": "no-store"})


def _json_response(data: bytes, status: int, headers: Mapping[str, str]) -> Response:
    return ReadyResponse(
        data, status, {"Content-Type": "application/json; charset=UTF-8", **headers, **COMMON_HEADERS}
    )


def _response(data: Any, status: int, content_type: str, headers: Mapping[str, str]) -> Response:
    return Response(data, status, {"Content-Type": content_type, **headers, **COMMON_HEADERS})


def page_links(site: Site, request: Request, answer: Answer) -> str:
    """Return links to the neighbours of a list's page, all other arguments kept; only to pages that exist."""
    if answer.cursor:
        return _link(site, request, CURSOR, answer.cursor, "next")
    found = []
    if answer.page > 1 and answer.total:
        found.append(_link(site, request, PAGE, str(min(answer.page - 1, answer.pages or 0)), "prev"))
    if answer.has_next:
        found.append(_link(site, request, PAGE, str(answer.page + 1), "next"))
    return ", ".join(found)


def _link(site: Site, request: Request, name: str, value: str, rel: str) -> str:
    """Return a link to the same list with another value of an argument."""
    query = request.query_string
    rest = _cached_without(query, name) if len(query) <= LONGEST_CACHED else _without(query, name)
    return f'<{site.url}{request.path}?{rest}{name}={value}>; rel="{rel}"'


def _without(query: bytes, left_out: str) -> str:
    """Return what a query asks for besides one argument, ready for another to follow."""
    arguments = []
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name != left_out:
            arguments.append((name, value))
    return f"{urlencode(arguments)}&" if arguments else ""


_cached_without = lru_cache(maxsize=256)(_without)
