"""Headers that answers share: who may read them from other origins, and the tag of their version."""

from __future__ import annotations

import hashlib
import re

from flask import Request, Response

EXPOSED = "X-WP-Total, X-WP-TotalPages, Link, Location, ETag, Allow, Retry-After"
OPEN_HEADERS = (
    "Content-Type",
    "Content-Disposition",
    "Content-MD5",
    "If-Match",
    "If-None-Match",
    "X-HTTP-Method-Override",
    "X-WP-Nonce",
)
#: What servers add to the tag of an answer that they have compressed: Apache and Caddy one hyphen, Jetty two.
COMPRESSED = re.compile(r'[-;]{1,2}(?:gzip|br|zstd|deflate)"$')
METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"


def allow_origins(response: Response, request: Request, listed: tuple[str, ...], signed_in: bool) -> None:
    """Open an answer to other origins: anonymous ones to all, those to accounts to the origins on the list.

    An anonymous answer is the same whatever the origin, so that caches may keep it.
    """
    origin = request.headers.get("Origin", "")
    preflight = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
    headers = response.headers
    if listed and (signed_in or preflight):
        headers.add("Vary", "Origin")
    known = origin in listed
    if known and (signed_in or preflight):
        headers["Access-Control-Allow-Origin"] = origin
        headers["Access-Control-Allow-Credentials"] = "true"
    elif not signed_in:
        headers["Access-Control-Allow-Origin"] = "*"
    headers["Access-Control-Expose-Headers"] = EXPOSED
    if preflight:
        allowed = (*OPEN_HEADERS, "Authorization") if known else OPEN_HEADERS
        headers["Access-Control-Allow-Methods"] = METHODS
        headers["Access-Control-Allow-Headers"] = ", ".join(allowed)
        headers["Access-Control-Max-Age"] = "600"


def version_tag(version: int, body: bytes) -> str:
    """Return an item's strong ETag: its row's version, and a digest of the bytes that this answer has."""
    return f'"{version}-{hashlib.blake2b(body, digest_size=8).hexdigest()}"'


def matches(header: str, tag: str) -> bool:
    """Tell whether a tag is on the list of an If-None-Match header.

    What a proxy that compresses does to tags doesn't count: it weakens them or adds the name of its method.
    """
    named = (COMPRESSED.sub('"', each) for each in re.findall(r'"[^"]*"', header))
    return header.strip() == "*" or tag in named


def versions(header: str | None) -> frozenset[int] | None:
    """Return the row versions that an If-Match header names; None where there is no such header, or any will do."""
    if header is None or header.strip() == "*":
        return None
    return frozenset(int(number) for number in re.findall(r'"(\d{1,18})(?:-[^"]*)?"', header, re.ASCII))
