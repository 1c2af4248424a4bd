"""Two sites that differ in hidden values alone answer visitors alike, whatever they ask: right guesses and wrong ones are one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from werkzeug.test import TestResponse

from cms.testing import SETTINGS, Client, make_client
from fuzzing.running import PLUGINS

#: What the sites differ in; each guess is right on one of them.
GUESSES = ("aaahidden", "zzzhidden")
HIDDEN = [
    "UPDATE users SET email = ? || id || '@example.org', login = ? || id, password_hash = ? WHERE id > 1",
    "UPDATE content SET title = ?, title_html = ?, sort_title = ?, slug = ? || id, excerpt = ? WHERE status IN ('draft', 'pending', 'private', 'future')",
    "UPDATE content SET content = ?, excerpt = ?, password = ? WHERE password != ''",
    "UPDATE comments SET author_email = ? || '@example.org', author_ip = ?, author_user_agent = ?",
    "UPDATE comments SET content = ?, author_name = ?, author_url = ? WHERE status IN ('hold', 'spam')",
]
#: Private on one site, drafts on the other, under another parent.
MOVED = "UPDATE content SET status = 'private', parent_id = 0 WHERE status IN ('draft', 'pending') AND type = 'page'"
SHOWN_HEADERS = ("X-WP-Total", "X-WP-TotalPages", "ETag", "Link", "Allow", "Location", "Last-Modified")
VARYING = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|DTSTAMP:\w+")


class Pair(NamedTuple):
    """The two sites."""

    one: Client
    other: Client

    def answers(self, path: str) -> tuple[Any, Any]:
        return _told(self.one.get(path)), _told(self.other.get(path))


def _told(answer: TestResponse) -> tuple[Any, ...]:
    """Return all that a visitor is told, times aside."""
    headers = [answer.headers.get(name) for name in SHOWN_HEADERS]
    return answer.status_code, VARYING.sub("", answer.text), headers


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("hidden")
    _fill(folder / "one")
    shutil.copytree(folder / "one", folder / "other")
    sites = [Client(folder / name, {**SETTINGS, "plugins": PLUGINS}) for name in ("one", "other")]
    for site, guess in zip(sites, GUESSES, strict=True):
        for statement in HIDDEN:
            assert site.site.database.execute(statement, (guess,) * statement.count("?")) > 0, statement
    assert sites[1].site.database.execute(MOVED) > 0
    yield Pair(*sites)
    for site in sites:
        site.close()


def _fill(folder: Path) -> None:
    """Make a site where accounts and items are in view, and others of each kind aren't."""
    folder.mkdir()
    client = make_client(folder, plugins=PLUGINS)
    for writer, path in product(("author", "author2"), ("/posts", "/pages", "/events")):
        author = client.id_of(writer)
        for status in ("publish", "draft", "pending", "private"):
            client.new(path, "administrator", title=f"{writer} {status}", content="seen", status=status, author=author, start="2030-01-01T10:00:00")
        on_item = {"comment_status": "open"}
        locked = client.new(path, "administrator", title="Locked", content="locked", password="pw", status="publish", author=author, **on_item)["id"]
        if path != "/events":
            client.new("/comments", "administrator", post=locked, content="locked")
        client.new(path, "administrator", title="Child", content="x", status="draft", **({"parent": locked} if path == "/pages" else {}))
        item = client.new(path, "administrator", title="Open", content="seen", status="publish", author=author, **on_item)["id"]
        for number, status in enumerate(("approve", "hold", "spam") if path != "/events" else ()):
            comment = client.new("/comments", "administrator", post=item, content=f"{writer}{number}", author=author)["id"]
            client.send("POST", f"/comments/{comment}", "administrator", json={"status": status})
    client.close()


def _reads(client: Client) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    for pattern, route in client.get("//api/").json["routes"].items():
        for endpoint in route["endpoints"]:
            if "GET" in endpoint["methods"] and pattern.startswith("/cms/v2/"):
                yield pattern.removeprefix("/cms/v2"), endpoint["args"] or {}


def _values(argument: dict[str, Any]) -> list[str]:
    of = argument.get("items", argument)
    if "enum" in of:
        return list(map(str, of["enum"]))
    if of.get("type") == "integer":
        return ["1", "2", "3", "7", "0", "99999"]
    if of.get("type") == "boolean":
        return ["true", "false"]
    own = [f"{guess}{end}" for guess in GUESSES for end in ("", "2", "2@example.org", "@example.org", "9")]
    return ["2030-01-01T00:00:00", "seen", "locked", "pw", *own]


def _queries(args: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield "_embed&per_page=100"
    for name, argument in args.items():
        for value in _values(argument):
            yield f"{name}={quote(value)}&_embed"
            if name in ("orderby", "status", "include", "author", "parent", "post"):
                yield from (f"{name}={quote(value)}&order={order}&search={guess}" for order in ("asc", "desc") for guess in (*GUESSES, "seen"))
                yield f"{name}={quote(value)}&order=asc&per_page=2&page=2"


def _paths(client: Client) -> Iterator[str]:
    """Yield what visitors ask: each list with each value of each argument, and items by id, with a wrong password too."""
    for pattern, args in _reads(client):
        is_item = "(?P" in pattern
        queries = ["_embed", "password=wrong", "context=edit"] if is_item else list(_queries(args))
        for id, query in product(range(1, 45) if is_item else (0,), queries):
            yield re.sub(r"\(\?P<\w+>\[.*?\]\+\)", str(id), pattern) + f"?{query}"


@pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.long)])
def test_visitors_are_told_the_same_whatever_is_hidden(pair: Pair, step: int) -> None:
    differing, asked = [], list(_paths(pair.one))[::step]
    for path in asked:
        one, other = pair.answers(path)
        if one != other:
            differing.append((path, one[0], other[0], one[2], other[2]))
    print(len(asked), "requests")
    assert len(asked) > 5_000 // step
    assert differing == []
