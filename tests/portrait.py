"""What a site tells over HTTP, with names in place of its ids, so that two sites can be held against one another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from sites import Client

#: The lists of everything that there is, in the order of ids.
LISTS = {
    "users": "/users?context=edit&orderby=id",
    "categories": "/categories?context=edit&orderby=id",
    "tags": "/tags?context=edit&orderby=id",
    "posts": "/posts?context=edit&orderby=id&order=asc&status=publish,future,draft,pending,private,trash",
    "pages": "/pages?context=edit&orderby=id&order=asc&status=publish,future,draft,pending,private,trash",
    "media": "/media?context=edit&orderby=id&order=asc&status=inherit,private,trash",
    "comments": "/comments?context=edit&orderby=id&order=asc&status=any&type=all",
}
CONTENT = ("posts", "pages", "media")
#: Fields that hold ids, with the lists that they are of.
REFERENCES = {"author": "users", "post": "content", "categories": "categories", "tags": "tags",
              "featured_media": "content"}
#: Ids inside texts, with the lists that they are of.
IN_TEXTS = (("content", re.compile(r"(?<=\?p=)\d+|(?<=\?attachment_id=)\d+|(?<=\bwp-image-)\d+|(?<=\bdata-id=\")\d+")),
            ("content", re.compile(r"\[gallery [^\]]*?\bids=\"([\d, ]+)\"")),
            ("comments", re.compile(r"(?<=#comment-)\d+")))
#: Pictures of people are found by a digest that ids go into; links repeat ids.
DROPPED = ("avatar_urls", "author_avatar_urls", "_links")


def everything(client: Client, address: str) -> Iterator[dict[str, Any]]:
    """Yield all items of a list, page by page."""
    page, pages = 1, 1
    while page <= pages:
        answer = client.get(f"{address}&per_page=100&page={page}", "administrator")
        assert answer.status_code == 200, answer.text
        yield from answer.json
        page, pages = page + 1, int(answer.headers["X-WP-TotalPages"])


def portray(client: Client) -> dict[str, Any]:
    """Return everything that a site's administrator can read, in its editable form."""
    items = {name: list(everything(client, address)) for name, address in LISTS.items()}
    for kind in ("categories", "tags"):  # none stands before its parent in an export, so the ids may be in another order
        items[kind].sort(key=lambda item: item["slug"])
    names = {kind: {item["id"]: item["slug"] for item in items[kind]} for kind in ("users", "categories", "tags")}
    names["comments"] = {item["id"]: f"comment {place}" for place, item in enumerate(items["comments"])}
    names["content"] = {item["id"]: f"{kind} {place}" for kind in CONTENT for place, item in enumerate(items[kind])}
    told: dict[str, Any] = {kind: [_named(item, kind, names) for item in found] for kind, found in items.items()}
    return told | {"settings": client.get("/settings", "administrator").json}


def _named(item: dict[str, Any], kind: str, names: dict[str, dict[int, str]]) -> dict[str, Any]:
    own = "content" if kind in CONTENT else kind
    told = {field: _without_ids(value, names) for field, value in item.items() if field not in DROPPED}
    for field, of in {"id": own, "parent": own, **REFERENCES}.items():
        value = item.get(field)
        if isinstance(value, list):
            told[field] = [names[of][id] for id in value]
        elif value:
            told[field] = names[of][value]
    return told


def _without_ids(value: Any, names: dict[str, dict[int, str]]) -> Any:
    if isinstance(value, dict):
        return {name: _without_ids(part, names) for name, part in value.items()}
    if isinstance(value, str):
        for of, pattern in IN_TEXTS:
            value = pattern.sub(partial(_name_ids, names[of]), value)
    return value


def _name_ids(names: dict[int, str], found: re.Match[str]) -> str:
    return re.sub(r"\d+", lambda id: names.get(int(id[0]), id[0]), found[0])
