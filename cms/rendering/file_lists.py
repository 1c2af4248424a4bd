"""Galleries and playlists: their placeholders in stored HTML, filled when it is read, since files change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import orjson

#: What makes a comment a placeholder: no character of texts, and replaced in them, so that nobody can write one.
SIGN = "\ufdd0"
#: How many placeholders of a text are filled, with how many files in all.
MOST_PLACEHOLDERS = 100
MOST_FILES = 1_000

_PLACEHOLDER = re.compile(rf"<div><!--{SIGN}(\{{[^{{}}<>]*+\}})--></div>(\n?)")
_ANY_SIGN = re.compile(rf"{SIGN}|&#(?:[xX]0*+[fF][dD][dD]0|0*+64976)(?![0-9a-fA-F])")
_ID = re.compile(r"[0-9]{1,15}")
_NOT_IN_CLASS = re.compile(r"[^A-Za-z0-9_-]")
#: Columns to order by, by the names that shortcodes have for them, without `post_`.
_ORDERS = {
    "id": "id",
    "menu_order": "menu_order",
    "title": "sort_title",
    "name": "slug",
    "date": "date_gmt",
    "modified": "modified_gmt",
    "author": "author_id",
    "rand": "rand",
}


@dataclass(frozen=True)
class FileList:
    """What a gallery or playlist shows: the files of `ids`, or those attached to an item, and how.

    `item` is 0 for the item whose text it is in. `order` has columns, or `rand`; without any the files of `ids` are in
    their own order.
    """

    kind: str = "image"
    ids: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()
    item: int = 0
    order: tuple[str, ...] = ()
    is_descending: bool = False
    columns: int = 3
    size: str = "thumbnail"
    link: str = ""
    style: str = "light"
    item_tag: str = "figure"
    icon_tag: str = "div"
    caption_tag: str = "figcaption"
    has_track_list: bool = True
    has_numbers: bool = True


#: The attributes that name elements of a gallery, with what stands for names that aren't allowed.
_TAGS = {"item_tag": ("itemtag", "dl"), "icon_tag": ("icontag", "dt"), "caption_tag": ("captiontag", "dd")}
#: Elements that may hold a picture or what is written below it, and do nothing themselves.
_NAMES = """
address article aside b blockquote cite code dd del div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header
i ins li main mark nav ol p pre q s section small span strong sub sup u ul
"""
_CONTAINERS = frozenset(_NAMES.split())
_NOT_IN_TAG = re.compile(r"[^a-z0-9_:]")
_USUAL = asdict(FileList())


def gallery(attributes: Mapping[str, str], content: str) -> str:
    """Return the placeholder of a gallery."""
    columns = attributes.get("columns", "3")
    return _placeholder(
        {
            **_choice(attributes),
            "columns": int(columns) if _ID.fullmatch(columns) else 0,
            "size": _NOT_IN_CLASS.sub("", attributes.get("size", "thumbnail")),
            "link": attributes["link"] if attributes.get("link") in ("file", "none") else "",
            **_tags(attributes),
        }
    )


def playlist(attributes: Mapping[str, str], content: str) -> str:
    """Return the placeholder of a playlist."""
    kind = "audio" if attributes.get("type", "audio") == "audio" else "video"
    style = _NOT_IN_CLASS.sub("", attributes.get("style", "light"))
    shown = {
        "has_track_list": _is_on(attributes.get("tracklist", "true")),
        "has_numbers": _is_on(attributes.get("tracknumbers", "true")),
    }
    return _placeholder({**_choice(attributes), "kind": kind, "style": style, **shown})


def replace_signs(raw: str) -> str:
    """Return a text without the sign of placeholders and references to it, which leave a place so that none arises."""
    if SIGN in raw or "&#" in raw:
        return _ANY_SIGN.sub("\ufffd", raw)
    return raw


def read_placeholders(html: str) -> list[FileList]:
    """Return what the placeholders in HTML stand for, as far as they are filled."""
    found: list[FileList] = []
    room = MOST_FILES
    for match in islice(_PLACEHOLDER.finditer(html), MOST_PLACEHOLDERS):
        wanted = FileList(**orjson.loads(match[1]))
        room -= len(wanted.ids)
        if room < 0:
            break
        found.append(wanted)
    return found


def fill_placeholders(html: str, made: Iterable[str]) -> str:
    """Return HTML with the placeholders replaced by what was made for them, one after the other; others go."""
    left = iter(made)

    def fill(match: re.Match[str]) -> str:
        filling = next(left, "")
        return filling + match[2] if filling else ""

    return _PLACEHOLDER.sub(fill, html) if SIGN in html else html


def _choice(attributes: Mapping[str, str]) -> dict[str, Any]:
    """Return the parts of a list that say which files it has, in which order."""
    listed, included = (_ids(attributes.get(name, "")) for name in ("ids", "include"))
    names = attributes.get("orderby", "").lower().replace(",", " ").split()
    known = [_ORDERS.get(name.removeprefix("post_")) for name in names]
    order = tuple(name for name in known if name)
    if not order and included and not listed and "post__in" not in names:
        order = ("menu_order",)
    return {
        "ids": listed or included,
        "excluded": _ids(attributes.get("exclude", "")),
        "item": next(iter(_ids(attributes.get("id", ""))), 0),
        "order": order,
        "is_descending": attributes.get("order", "").strip().lower() == "desc",
    }


def _tags(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return the elements of a gallery that its attributes name."""
    found: dict[str, str] = {}
    for part, (attribute, instead) in _TAGS.items():
        if attribute in attributes:
            name = _NOT_IN_TAG.sub("", attributes[attribute].lower())
            found[part] = name if name in _CONTAINERS else instead
    return found


def _is_on(value: str) -> bool:
    return value.lower() not in ("false", "0", "")


def _ids(text: str) -> tuple[int, ...]:
    found = dict.fromkeys(int(id) for id in _ID.findall(text))
    return tuple(islice(found, MOST_FILES))


def _placeholder(given: Mapping[str, Any]) -> str:
    told = {name: value for name, value in given.items() if value != _USUAL[name]}
    return f"<div><!--{SIGN}{orjson.dumps(told).decode()}--></div>"
