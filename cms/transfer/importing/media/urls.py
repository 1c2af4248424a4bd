"""Addresses of the old site's files in texts, replaced by those of the imported files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import PurePosixPath
from typing import TypedDict
from urllib.parse import unquote

import orjson

from cms.transfer.importing.media.file_index import Files

#: An address in HTML, CSS, plain text or JSON, whose slashes may be escaped. One inside another's path or query, as
#: archives have them, doesn't match: the address around it would no longer work.
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
#: An address in an attribute that the other pattern doesn't find: without a host, or with spaces in it.
_IN_ATTRIBUTE = re.compile(
    r"""
    (?P<before> \b(?: src | href | poster | data-(?![\w-]*srcset)[\w-]+ ) \s*+=\s*+ (?P<quote>["']) \s*+ )
    (?: (?:https?:)? // (?P<host>[a-z0-9.-]+(?: :[0-9]+)?) (?P<spaced> /[^"'<>?\#]*+ )
      | (?P<path> /(?!/) [^"'<>?\#]*+ ) )
    (?P<query> \?[^"'<>\#]*+ )?+
    (?= (?P=quote) )
""",
    re.VERBOSE | re.IGNORECASE,
)
#: What may be an address and nothing else.
_LONE_ADDRESS = re.compile(r"""(?:https?:)?/[^"'<>\s][^"'<>\n]*""", re.IGNORECASE)
#: Addresses without a host in JSON, in block comments and attributes too, whose quotes and slashes may be escaped.
_IN_JSON = re.compile(
    r"""
    (?P<before> [:\[,] \s*+ (?P<quote> \\?["'] | &quot; | &\#0?3[49]; ) )
    (?P<path> (?P<slash> \\?/ ) (?!\\?/) (?: [^"'<>\\?\#&;\n] | \\/ )*+ )
    (?P<query> \? [^"'<>\\\#;\n]*? )?
    (?= (?P=quote) )
""",
    re.VERBOSE | re.IGNORECASE,
)
_IN_STYLE = re.compile(
    r"""(?P<before>\burl\(\s*+(?:["']|&quot;|&\#0?3[49];)?)(?P<path>/(?!/)[^\s"'<>()\\?\#&;]*+)(?P<query>\?[^\s"'<>()\#]*+)?""",
    re.IGNORECASE,
)
#: Lists of pictures of several sizes, and an address without a host in one.
_SRCSET = re.compile(
    r"""srcset\s*+=\s*+(?P<quote>["'])(?!(?P=quote))[^"'<>]++(?=(?P=quote))""", re.IGNORECASE
)
_IN_SRCSET = re.compile(
    r"""(?P<before>(?<=[\s,"']))(?P<path>/(?!/)[^\s"'?\#]*[^\s"'?\#,])(?P<query>\?[^\s"'\#]*[^\s"'\#,])?"""
)
#: A service that serves pictures of other sites in any size; the first part of the path is their host.
_PICTURE_SERVICE = re.compile(r"i[0-9]\.wp\.com")
_SIZED = re.compile(r"-([0-9]{1,5})x([0-9]{1,5})(\.[^./]+)$")
_SIZE_IN_QUERY = (
    re.compile(
        r"(?<![a-z])(?:resize|fit)=(?P<width>[0-9]{1,5})(?:,|%2c)(?P<height>[0-9]{1,5})", re.IGNORECASE
    ),
    re.compile(r"(?<![a-z])w=(?P<width>[0-9]{1,5})(?P<height>)", re.IGNORECASE),
    re.compile(r"(?<![a-z])h=(?P<width>)(?P<height>[0-9]{1,5})", re.IGNORECASE),
)
#: Characters that end a sentence rather than an address.
_SENTENCE_ENDS = ".:!"


class _Rendition(TypedDict):
    """A rendition in the details of a picture; its measures are in pixels."""

    file: str
    width: int
    height: int


class _Details(TypedDict, total=False):
    """The details of a file; those of other files than pictures have none of these."""

    width: int
    height: int
    sizes: dict[str, _Rendition]


@dataclass(frozen=True, slots=True)
class _Picture:
    """A file of a picture, the whole one or a rendition, with its measures in pixels."""

    name: str
    width: int
    height: int


class UrlRewriter:
    """Replaces addresses of one old site's files in texts; a picture gets the rendition of the requested size.

    `count` is the number of replaced addresses. With `fresh` only files count that this import brought.
    """

    def __init__(self, files: Files, address_of: Callable[[str], str], fresh: bool = False) -> None:
        self.count = 0
        self._files, self._address_of, self._fresh = files, address_of, fresh
        self._hosts = files.get_hosts()
        self._find = lru_cache(maxsize=2_000)(self._look_up)

    def rewrite(self, text: str) -> str:
        """Return a text with the new addresses of the files that the site has; nothing else in it is changed."""
        if not self._hosts or "/" not in text:
            return text
        found = _ADDRESS.sub(self._replace, text)
        found = _IN_ATTRIBUTE.sub(self._replace_in_attribute, found)
        found = _IN_JSON.sub(self._replace_rooted, found)
        if "srcset" in found:
            found = _SRCSET.sub(self._replace_in_list, found)
        if "url(" in found:
            found = _IN_STYLE.sub(self._replace_rooted, found)
        return found

    def rewrite_value(self, text: str) -> str:
        """Return what `rewrite` makes of a text that may be an address alone, without a host or with spaces."""
        if _LONE_ADDRESS.fullmatch(text):
            return self.rewrite(f'src="{text}"').removeprefix('src="').removesuffix('"')
        return self.rewrite(text)

    def _replace_in_list(self, match: re.Match[str]) -> str:
        return _IN_SRCSET.sub(self._replace_rooted, match[0])

    def _replace_rooted(self, match: re.Match[str]) -> str:
        path = unquote(match["path"].replace("\\/", "/"))
        found = self._find_on(self._hosts, unicodedata.normalize("NFC", path), match["query"] or "")
        if found is None:
            return match[0]
        if match["path"].startswith("\\"):
            found = found.replace("/", "\\/")
        return match["before"] + found

    def _replace_in_attribute(self, match: re.Match[str]) -> str:
        hosts = self._hosts
        if match["host"]:
            hosts = hosts & {match["host"].lower().removeprefix("www.")}
        path = unicodedata.normalize("NFC", unquote((match["spaced"] or match["path"]).strip()))
        found = self._find_on(hosts, path, match["query"] or "")
        return match[0] if found is None else match["before"] + found

    def _find_on(self, hosts: set[str], path: str, query: str) -> str | None:
        """Return the new address of a file that one of these hosts had at a path, None where none had."""
        for host in sorted(hosts):
            found = self._find(host + path, query)
            if found is not None:
                self.count += 1
                return found
        return None

    def _replace(self, match: re.Match[str]) -> str:
        host, path = match["host"].lower().removeprefix("www."), match["path"].replace("\\/", "/")
        if _PICTURE_SERVICE.fullmatch(host):
            host, _, path = path[1:].partition("/")
            path = f"/{path}"
        if host not in self._hosts:
            return match[0]
        clean = path
        if not match["query"]:
            clean = path.rstrip(_SENTENCE_ENDS)
        found = self._find(host + unicodedata.normalize("NFC", unquote(clean)), match["query"] or "")
        if found is None:
            return match[0]
        self.count += 1
        return found.replace("/", match["slash"]) + path[len(clean) :]

    def _look_up(self, place: str, query: str) -> str | None:
        for candidate, size in _candidates(place):
            row = self._files.find_by_place(candidate)
            if row is not None and (row["fresh"] or not self._fresh):
                name = _choose(row["key"], orjson.loads(row["details"]), size or _requested_size(query))
                return self._address_of((PurePosixPath(row["key"]).parent / name).as_posix())
        return None


def _candidates(place: str) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Yield the places that a file may have in the index, with the width and height that the name asks for.

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


def _requested_size(query: str) -> tuple[int, int] | None:
    """Return the width and height that a query asks for, 0 for one that it leaves open, or None for neither."""
    width = height = 0
    for pattern in _SIZE_IN_QUERY:
        if match := pattern.search(query):
            width = width or int(match["width"] or 0)
            height = height or int(match["height"] or 0)
    if not width and not height:
        return None
    return width, height


def _choose(key: str, details: _Details, size: tuple[int, int] | None) -> str:
    """Return the name of the file that shows a picture at a size: the same one, else the nearest of its shape."""
    whole = _Picture(PurePosixPath(key).name, details.get("width", 0), details.get("height", 0))
    if size is None or not whole.width or not whole.height:
        return whole.name
    pictures = [whole]
    for rendition in details.get("sizes", {}).values():
        pictures.append(_Picture(rendition["file"], rendition["width"], rendition["height"]))
    return min(_suitable(pictures, whole, size), key=partial(_distance, size)).name


def _suitable(pictures: list[_Picture], whole: _Picture, size: tuple[int, int]) -> list[_Picture]:
    """Return the pictures of a size; without any, those of the whole picture's shape if the size has it, else all."""
    exact = [each for each in pictures if (each.width, each.height) == size]
    if exact:
        return exact
    if 0 in size or _has_shape(*size, whole):
        return [each for each in pictures if _has_shape(each.width, each.height, whole)]
    return pictures


def _has_shape(width: int, height: int, whole: _Picture) -> bool:
    """Tell whether measures are those of the whole picture made smaller, with a pixel for rounding."""
    return (
        abs(height - width * whole.height / whole.width) <= 1
        or abs(width - height * whole.width / whole.height) <= 1
    )


def _distance(size: tuple[int, int], picture: _Picture) -> int:
    """Return how many pixels a picture's measures differ from the requested ones, those that are open apart."""
    width, height = size
    distance = 0
    if width:
        distance += abs(width - picture.width)
    if height:
        distance += abs(height - picture.height)
    return distance
