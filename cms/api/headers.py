"""Headers of versions: the tag that an answer has, and those that a request names."""

from __future__ import annotations

import hashlib
import re

#: What servers add to the tag of an answer that they have compressed: Apache and Caddy one hyphen, Jetty two.
COMPRESSED = re.compile(r'[-;]{1,2}(?:gzip|br|zstd|deflate)"$')


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
