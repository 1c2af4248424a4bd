"""What was read and is written back changes nothing: every writable field of every resource."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
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


TEXTS = st.text(max_size=40) | st.text(alphabet="<>&\"'\\ \n\r\t\0[]-!/ab%", max_size=40)
FIELDS = {
    "posts": dict.fromkeys(("title", "content", "excerpt", "slug"), TEXTS),
    "comments": dict.fromkeys(("content", "author_name"), TEXTS),
    "categories": dict.fromkeys(("name", "slug", "description"), TEXTS),
    "users": dict.fromkeys(("name", "first_name", "nickname", "slug", "url", "description"), TEXTS),
}
#: A writer with the right to unfiltered HTML, and one without where such may write.
WRITERS = [("administrator", kind) for kind in FIELDS] + [("author", "posts")]


@pytest.mark.long
@pytest.mark.parametrize(("role", "kind"), WRITERS)
@settings(max_examples=50, deadline=None, database=None, derandomize=True,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_text_that_was_taken_and_read_is_taken_again(
        quiet: Client, role: str, kind: str, data: st.DataObject) -> None:
    fields = {name: data.draw(strategy) for name, strategy in FIELDS[kind].items()}
    account = {"username": "someone", "email": "someone@example.org", "password": "secret words"}
    post = quiet.new("/posts", title="Post", status="publish")["id"] if kind == "comments" else 0
    needed = {"posts": {"status": "publish"}, "comments": {"post": post}, "users": account}.get(kind, {})
    created = quiet.post(f"/{kind}", {**needed, **fields}, role)
    assert created.status_code in (201, 400, 403, 409), created.text
    if created.status_code != 201:
        return

    path = f"/{kind}/{created.json['id']}"
    before = read(quiet, path)
    for name in fields:
        answer = quiet.post(path, {name: as_sent(before[name])}, role)
        assert answer.status_code == 200, answer.text
        assert read(quiet, path) == before, name
    quiet.send("DELETE", f"{path}?force=true&reassign=1", "administrator")
