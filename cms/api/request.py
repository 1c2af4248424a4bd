"""Arguments of a request: from query, form and JSON, in the notations that clients use for lists and objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl

import orjson
from flask import Request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import ClientDisconnected, HTTPException

from cms.api.limits import body_too_large
from cms.db.limits import never
from cms.errors import ApiError
from cms.i18n import _

JSON = re.compile(r"application/([\w.+-]+\+)?json", re.ASCII)
DEEPEST = 8
ENCODED, MULTIPART = FORMS = "application/x-www-form-urlencoded", "multipart/form-data"
#: Where it is noted how a form begins: programs call JSON one unless they are told.
BEGINNING = "cms.body_begins"
JSON_BEGINS = (b"{", b"[")
#: What is raised while a body is read that doesn't come to its end: by werkzeug, by gunicorn, by others.
UNREADABLE = (OSError, ClientDisconnected, ParseException)
#: Where a server that notices it has a function which tells whether the client of a request has gone.
IS_GONE = "cms.is_gone"


def query_arguments(request: Request) -> dict[str, Any]:
    """Return what stands in the address."""
    return nest(_pairs(request.query_string.decode("latin-1")))


def arguments(request: Request, most: int) -> dict[str, Any]:
    """Return all that a request sends: the body counts before the address; `most` bounds the body in bytes.

    Raises ApiError for what is too large or can't be read.
    """
    sent = query_arguments(request) if request.query_string else {}
    if request.method in ("GET", "HEAD"):
        return sent
    return {**sent, **_body(request, most)}


def _pairs(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text, keep_blank_values=True, max_num_fields=2_000)
    except ValueError:
        raise ApiError("rest_too_many_arguments", _("The request has more than 2000 arguments.")) from None


def _body(request: Request, most: int) -> dict[str, Any]:
    kind = request.mimetype
    if (request.content_length or 0) > most:
        raise body_too_large(most)
    if JSON.fullmatch(kind):
        return _json(_read(request, most))
    if kind == ENCODED:
        data = _read(request, most)
        request.environ[BEGINNING] = data[:1]
        return nest(_pairs(data.decode("latin-1")))
    if kind == MULTIPART:
        request.max_content_length = most
        with readable():
            return form_arguments(request.form.items(multi=True))
    return {}


def _read(request: Request, most: int) -> bytes:
    with readable():
        data = request.stream.read(most + 1)
    if len(data) > most:
        raise body_too_large(most)
    return data


def is_undeclared_json(request: Request) -> bool:
    """Tell whether a body looks like JSON, but wasn't read as such for lack of its content type."""
    if request.method in ("GET", "HEAD") or JSON.fullmatch(request.mimetype):
        return False
    if request.mimetype in FORMS:
        return request.environ.get(BEGINNING) in JSON_BEGINS
    if not request.content_length:
        return False
    try:
        return request.stream.read(100).lstrip()[:1] in JSON_BEGINS
    except (*UNREADABLE, HTTPException):
        return False


def interruption(request: Request) -> Callable[[], bool]:
    """Return what tells whether a request may be given up: a read whose client has gone.

    Writes are done to their end.
    """
    if request.method not in ("GET", "HEAD"):
        return never
    is_gone: Callable[[], bool] = request.environ.get(IS_GONE, never)
    return is_gone


@contextmanager
def readable() -> Iterator[None]:
    """Raise ApiError where a body ends before its length, or is sent in pieces that aren't what they say."""
    try:
        yield
    except UNREADABLE:
        message = _("The body can't be read to its end. Send it again.")
        raise ApiError("rest_invalid_body", message) from None


def _json(data: bytes) -> dict[str, Any]:
    if not data.strip():
        return {}
    try:
        sent = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise ApiError(
            "rest_invalid_json", _("The body isn't valid JSON: %(fault)s.", fault=str(error))
        ) from None
    if sent is None or sent == []:
        return {}
    if not isinstance(sent, dict):
        raise ApiError("rest_invalid_json", _("The body must be a JSON object."))
    return sent


def form_arguments(parts: Iterable[tuple[str | None, str]]) -> dict[str, Any]:
    """Return the fields of a form, which clients may send without names; raises ApiError for one of these."""
    pairs = []
    for name, value in parts:
        if name is None:
            raise ApiError("rest_invalid_form", _("The form can't be read. Send it as multipart/form-data."))
        pairs.append((name, value))
    return nest(pairs)


def nest(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Put `a[]=1&a[]=2&b[c]=3` together as `{"a": ["1", "2"], "b": {"c": "3"}}`; a repeated plain name: the last."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        head, *keys = re.split(
            r"\]?\[", name[:-1] if name.endswith("]") and "[" in name else name, maxsplit=DEEPEST
        )
        _put(found, [head, *keys], value)
    return {name: _lists(value) for name, value in found.items()}


def _put(found: dict[str, Any], keys: list[str], value: str) -> None:
    for key in keys[:-1]:
        inner = found.get(key or str(len(found)))
        if not isinstance(inner, dict):
            inner = found[key or str(len(found))] = {}
        found = inner
    found[keys[-1] or str(len(found))] = value


def _lists(value: Any) -> Any:
    """Turn objects whose keys are 0, 1, 2, … into lists."""
    if not isinstance(value, dict):
        return value
    values = [_lists(inner) for inner in value.values()]
    if list(value) == [str(index) for index in range(len(value))]:
        return values
    return dict(zip(value, values, strict=True))
