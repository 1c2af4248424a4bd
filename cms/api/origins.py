"""Pages of other origins: which of them may read answers, and which may write with what a browser sends by itself."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Request, Response

from cms.access.capabilities import Principal
from cms.errors import ApiError
from cms.i18n import _

EXPOSED = "X-WP-Total, X-WP-TotalPages, X-CMS-Cursor, Link, Location, ETag, Allow, Retry-After, X-CMS-Ignored"
OPEN_HEADERS = (
    "Content-Type",
    "Content-Disposition",
    "Content-MD5",
    "If-Match",
    "If-None-Match",
    "X-HTTP-Method-Override",
    "X-WP-Nonce",
)
METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
DEFAULT_PORTS = {"http": 80, "https": 443}


def origin_headers(request: Request, listed: Collection[str], signed_in: bool) -> dict[str, str]:
    """Return what opens an answer to pages of other origins: to those listed with credentials, without any to all.

    Where no origin is listed an anonymous answer is the same for all, so that caches keep one of it.
    """
    origin = request.environ.get("HTTP_ORIGIN", "")
    headers = opening(origin, listed, to_all=not signed_in)
    headers["Access-Control-Expose-Headers"] = EXPOSED
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        allowed = list(OPEN_HEADERS)
        if origin in listed:
            allowed.append("Authorization")
        headers["Access-Control-Allow-Methods"] = METHODS
        headers["Access-Control-Allow-Headers"] = ", ".join(allowed)
        headers["Access-Control-Max-Age"] = "600"
    return headers


def opening(origin: str, listed: Collection[str], to_all: bool) -> dict[str, str]:
    """Return who may read an answer: a listed origin with credentials, or where it is open to all, anybody."""
    headers = {}
    if listed:
        headers["Vary"] = "Origin"
    if origin in listed:
        headers["Access-Control-Allow-Origin"] = origin
        headers["Access-Control-Allow-Credentials"] = "true"
    elif to_all:
        headers["Access-Control-Allow-Origin"] = "*"
    return headers


def refuse_foreign_write(request: Request, principal: Principal, url: str, listed: Collection[str]) -> None:
    """Raise ApiError for a write that a page of another origin makes with a remembered password or a cookie.

    A program that isn't a browser sends neither Origin nor Sec-Fetch-Site. `url` is the site's own address.
    """
    if not principal.id or not _sent_by_itself(request):
        return
    origin = request.headers.get("Origin")
    if origin in listed or is_own(request, origin, url):
        return
    message = _(
        "This comes from a page of another origin. Name it in cors_origins, or sign in with a token as Bearer."
    )
    raise ApiError("rest_foreign_origin", message, 403)


def is_own(request: Request, origin: str | None, url: str) -> bool:
    """Tell whether a request comes from a page of the site itself, or none; `origin` is its header of this name."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    if origin is None:
        return True
    page = _origin(origin)
    if page is None:
        return False
    # Older browsers: the page's host is the site's own, or the one that was asked.
    return page in (_origin(url), _origin(f"{page[0]}://{request.host}"))


def ask_for_password(response: Response, request: Request) -> None:
    """Have programs and browsers ask for the password that is needed, but no browser for a script of a page."""
    mode = request.headers.get("Sec-Fetch-Mode", "navigate")
    if mode == "navigate" and "Origin" not in request.headers and "X-Requested-With" not in request.headers:
        response.headers["WWW-Authenticate"] = 'Basic realm="cms", charset="UTF-8"'


def _sent_by_itself(request: Request) -> bool:
    """Tell whether the credentials are of a kind that browsers add to requests of any page."""
    scheme = request.headers.get("Authorization", "").partition(" ")[0].lower()
    return scheme == "basic" or (not scheme and "Cookie" in request.headers)


def _origin(address: str) -> tuple[str, str | None, int | None] | None:
    """Return scheme, host and port of an address, None for one of another kind."""
    try:
        parts = urlsplit(address)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return parts.scheme, parts.hostname, port
