"""Addresses of the old site's files inside texts, led to the files that are here now."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

import orjson

from cms.transfer.importing.media.file_index import Files

#: An address in HTML, CSS, plain text or JSON, whose slashes may be escaped. One that stands inside another's path or
#: query, as archives have them, isn't taken: what surrounds it would lead nowhere.
_ADDRESS = re.compile(
    r"""
    (?: (?<![\w/\\]) https?: | (?<![\w:/\\]) )
    (?P<slash> \\?/ ) (?P=slash)
    (?P<host> [a-z0-9.-]+ (?: :[0-9]+ )? )
    (?P<path> (?: \\?/ [^\s"'<>()\[\]{}\\/?\#,;&|]* )+ )
    (?P<query> \? (?: &\#?\w+; | \\u0026 | [\w%=+~:/*&-] | \.(?=\w) | ,(?=\d) )* )?
""",
    re.VERBOSE | re.IGNORECASE,
)
#: A service that shows pictures of other sites in any size; the first part of the path is their host.
_PICTURE_SERVICE = re.compile(r"i[0-9]\.wp\.com")
_SIZED = re.compile(r"-([0-9]{1,5})x([0-9]{1,5})(\.[^./]+)$")
_ASKED = (
    re.compile(r"(?<![a-z])(?:resize|fit)=([0-9]{1,5})(?:,|%2c)([0-9]{1,5})", re.IGNORECASE),
    re.compile(r"(?<![a-z])w=([0-9]{1,5})", re.IGNORECASE),
    re.compile(r"(?<![a-z])h=()([0-9]{1,5})", re.IGNORECASE),
)
#: Ends a sentence rather than an address.
_AFTER = ".:!"


@dataclass(frozen=True, slots=True)
class _Shown:
    """A file of a picture, with its measures in pixels."""

    name: str
    width: int
    height: int


class Addresses:
    """Leads addresses of one old site's files to those here, with the one that shows a picture at the size asked for.

    `fresh` takes those files alone that this import brought.
    """

    def __init__(self, files: Files, address_of: Callable[[str], str], fresh: bool = False) -> None:
        self.count = 0
        self._files, self._address_of, self._fresh = files, address_of, fresh
        self._hosts = files.get_hosts()
        self._find = lru_cache(maxsize=2_000)(self._look_up)

    def rewrite(self, text: str) -> str:
        """Return a text with the addresses of files that are here; the rest of it stays as it is."""
        return _ADDRESS.sub(self._replace, text) if self._hosts and "/" in text else text

    def _replace(self, match: re.Match[str]) -> str:
        host, path = match["host"].lower().removeprefix("www."), match["path"].replace("\\/", "/")
        if _PICTURE_SERVICE.fullmatch(host):
            host, _, path = path[1:].partition("/")
            path = f"/{path}"
        if host not in self._hosts:
            return match[0]
        clean = path if match["query"] else path.rstrip(_AFTER)
        found = self._find(host + unicodedata.normalize("NFC", unquote(clean)), match["query"] or "")
        if found is None:
            return match[0]
        self.count += 1
        return found.replace("/", match["slash"]) + path[len(clean) :]

    def _look_up(self, place: str, query: str) -> str | None:
        for candidate, size in _candidates(place):
            row = self._files.find_by_place(candidate)
            if row is not None and (row["fresh"] or not self._fresh):
                name = _choose(row["key"], orjson.loads(row["details"]), size or _asked_size(query))
                return self._address_of((PurePosixPath(row["key"]).parent / name).as_posix())
        return None


def _candidates(place: str) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Yield the places that a file may have been known by, with the size that the name asks for.

    A file may be named like a rendition and be none; a large picture was replaced by one that is marked as scaled.
    """
    yield place, None
    yield _scaled(place), None
    if match := _SIZED.search(place):
        original = place[: match.start()] + match[3]
        for candidate in (original, _scaled(original)):
            yield candidate, (int(match[1]), int(match[2]))


def _scaled(place: str) -> str:
    stem, dot, ending = place.rpartition(".")
    return f"{stem}-scaled{dot}{ending}"


def _asked_size(query: str) -> tuple[int, int] | None:
    """Return the width and height that a query asks for, 0 for what it leaves open."""
    width = height = 0
    for pattern in _ASKED:
        if match := pattern.search(query):
            given = [int(group or 0) for group in match.groups()]
            width, height = width or given[0], height or (given[1] if len(given) > 1 else 0)
    return (width, height) if width or height else None


def _choose(key: str, details: dict[str, Any], size: tuple[int, int] | None) -> str:
    """Return the name of the file that shows a picture at a size: the same one, else the nearest of its shape."""
    full = _Shown(PurePosixPath(key).name, details.get("width", 0), details.get("height", 0))
    if size is None or not full.width or not full.height:
        return full.name
    shown = [
        full,
        *(_Shown(each["file"], each["width"], each["height"]) for each in details.get("sizes", {}).values()),
    ]
    whole = [each for each in shown if _has_shape(each.width, each.height, full)]
    pool = [each for each in shown if (each.width, each.height) == size]
    pool = pool or (whole if 0 in size or _has_shape(*size, full) else shown)
    return min(pool, key=partial(_distance, size)).name


def _has_shape(width: int, height: int, full: _Shown) -> bool:
    """Tell whether measures are those of the whole picture made smaller, with a pixel for rounding."""
    return (
        abs(height - width * full.height / full.width) <= 1
        or abs(width - height * full.width / full.height) <= 1
    )


def _distance(size: tuple[int, int], each: _Shown) -> int:
    return sum(
        abs(asked - given) for asked, given in zip(size, (each.width, each.height), strict=True) if asked
    )
