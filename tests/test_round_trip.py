"""What was read and is written back changes nothing: every writable field of every resource."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

#: What a write sets by itself.
SET_BY_WRITING = {"modified", "modified_gmt"}
#: What is written and never read.
WRITE_ONLY = {"password"}
TEXT = "Ärger & <b>“Zitat”</b> \\ 'x' <!-- wp:paragraph -->\n\n[a] %d — 日本 👩‍👧 &amp; &lt;"


def some(client: Client, kind: str) -> str:
    """Make an item of a kind with a value in every field that takes one, and return its address."""
    other = {name: client.new(f"/{name}", "administrator", name=f"Other {name}", title="Other", status="publish")["id"]
             for name in ("pages", "categories", "tags")}
    author = client.id_of("author")
    content = {"title": TEXT, "content": TEXT, "excerpt": TEXT, "slug": "größe", "status": "publish", "author": author,
               "comment_status": "closed", "ping_status": "closed", "date_gmt": "2021-11-07T06:30:00"}
    post = client.new("/posts", "administrator", title="Post", status="publish")["id"]
    made: dict[str, dict[str, Any]] = {
        "posts": {**content, "sticky": True, "format": "aside", "categories": [other["categories"]],
                  "tags": [other["tags"]]},
        "pages": {**content, "parent": other["pages"], "menu_order": -3, "template": "wide.html", "password": "p w"},
        "comments": {"post": post, "author": author, "author_name": "N & <n>", "author_email": "n@example.org",
                     "author_url": "http://example.org/?a=1&b=2", "author_ip": "10.0.0.1", "content": TEXT,
                     "author_user_agent": "A <b>", "date_gmt": "2021-11-07T06:30:00", "status": "spam"},
        "categories": {"name": "A & B 'c'", "slug": "größe", "description": TEXT, "parent": other["categories"]},
        "tags": {"name": "A & B 'c'", "slug": "größe", "description": TEXT},
        "users": {"username": "someone", "email": "someone@example.org", "password": "secret words", "name": "N & n",
                  "first_name": "F 'f'", "last_name": "L", "nickname": "Nick", "description": TEXT, "slug": "some-one",
                  "url": "http://example.org/?a=1&b=2", "roles": ["editor"], "locale": "en_US"},
    }
    return f"/{kind}/{client.new(f'/{kind}', 'administrator', **made[kind])['id']}"


def read(client: Client, path: str) -> dict[str, Any]:
    found = client.get(f"{path}?context=edit", "administrator").json
    return {name: value for name, value in found.items() if name not in SET_BY_WRITING}


def as_sent(value: Any) -> Any:
    """Return a value as it is written: the raw text of what is shown rendered."""
    return value["raw"] if isinstance(value, dict) and "raw" in value else value


def writable(client: Client, path: str) -> set[str]:
    """Return which fields the resource says that it takes."""
    endpoints = client.send("OPTIONS", path).json["endpoints"]
    names = {name for endpoint in endpoints if "PUT" in endpoint["methods"] for name in endpoint["args"]}
    return names - WRITE_ONLY if path.startswith("/users") else names


KINDS = ["posts", "pages", "comments", "categories", "tags", "users", "settings"]


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu", "America/New_York"])
@pytest.mark.parametrize("kind", KINDS)
def test_writing_back_what_was_read_changes_nothing(make_client: Callable[..., Client], kind: str, zone: str) -> None:
    client = make_client(templates=["wide.html"])
    client.post("/settings", {"timezone": zone, "title": "A & B", "description": "“T”"}, "administrator")
    path = "/settings" if kind == "settings" else some(client, kind)
    before = read(client, path)
    names = writable(client, path) & set(before)
    assert len(names) >= (5 if kind in ("categories", "tags") else 8) - (kind == "tags")

    whole = {name: as_sent(before[name]) for name in names}
    for sent in (*({name: value} for name, value in whole.items()), whole):
        answer = client.post(path, sent, "administrator")
        assert answer.status_code == 200, (sent, answer.text)
        assert read(client, path) == before, sent
