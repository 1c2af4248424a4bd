"""What a write drops is told in a header, or refused where the request asks for that."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest
from media.uploading import send_raw
from sites import Client

HEADER = "X-CMS-Ignored"
#: What is sent where, with what of it isn't taken.
DROPPED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("/posts", {"title": "A", "categories": [9999]}, ["categories=9999"]),
    ("/posts", {"title": "A", "categories": [1, 9999], "tags": [8, 8, 9]}, ["categories=9999", "tags=8", "tags=9"]),
    ("/posts", {"title": "A", "featured_media": 9999}, ["featured_media=9999"]),
    ("/posts", {"titel": "A", "content": "x"}, ["titel"]),
    ("/posts", {"title": "A", "kategorien": [1], "Title": "B"}, ["kategorien", "Title"]),
    ("/posts", {"title": "A", "größe": 1, "a,b\r\nSet-Cookie: x": 1}, ["gr%C3%B6%C3%9Fe", "a%2Cb%0D%0ASet-Cookie%3A%20x"]),
    ("/pages", {"title": "A", "sticky": True, "categories": [1]}, ["sticky", "categories"]),
    ("/tags", {"name": "A", "colour": "red"}, ["colour"]),
    ("/users/me", {"url": "javascript:alert(1)", "nick": "x"}, ["nick", "url=javascript%3Aalert%281%29"]),
    ("/settings", {"title": "A", "tagline": "B"}, ["tagline"]),
    ("/comments", {"content": "A", "author_name": "N", "author_email": "n@example.org", "author_url": "data:x"},
     ["author_url=data%3Ax"]),
]
TAKEN: list[tuple[str, dict[str, Any]]] = [
    ("/posts", {"title": "A", "categories": [1], "featured_media": 0, "tags": []}),
    ("/posts", {"title": {"raw": "A", "rendered": "A"}, "link": "x", "_links": {}, "_embedded": {}, "modified": "x", "password": None}),
    ("/users/me", {"url": "mailto:me@example.org", "id": 1}),
    ("/comments", {"content": "A"}),
]


@pytest.fixture
def client(make_client: Any) -> Client:
    made: Client = make_client(comment_interval=0)
    made.post_id = made.new("/posts", title="Item", status="publish")["id"]  # type: ignore[attr-defined]
    return made


def send(client: Any, path: str, values: dict[str, Any], query: str = "", **options: Any) -> Any:
    more = {"post": client.post_id} if path == "/comments" else {}
    return client.send("POST", f"{path}{query}", "administrator", json={**values, **more}, **options)


@pytest.mark.parametrize(("path", "values", "ignored"), DROPPED)
def test_the_answer_names_what_was_dropped(client: Client, path: str, values: dict[str, Any], ignored: list[str]) -> None:
    answer = send(client, path, values)

    assert answer.status_code in (200, 201)
    assert sorted(answer.headers[HEADER].split(", ")) == sorted(ignored)
    assert HEADER in answer.headers["Access-Control-Expose-Headers"]
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("way", ["address", "body"])
@pytest.mark.parametrize(("path", "values", "ignored"), DROPPED)
def test_a_strict_write_is_refused_with_these_names_and_stores_nothing(
        client: Client, path: str, values: dict[str, Any], ignored: list[str], way: str) -> None:
    before = client.site.database.scalar("SELECT (SELECT COUNT(*) FROM content) + (SELECT COUNT(*) FROM terms)")
    strict = {"strict": True} if way == "body" else {}
    answer = send(client, path, values | strict, "?strict=1" if way == "address" else "")

    assert (answer.status_code, answer.json["code"]) == (400, "rest_invalid_param")
    told = {unquote(name.split("=")[0]) for name in ignored}
    assert set(answer.json["data"]["params"]) <= told
    assert client.site.database.scalar("SELECT (SELECT COUNT(*) FROM content) + (SELECT COUNT(*) FROM terms)") == before
    assert HEADER not in answer.headers


@pytest.mark.parametrize("query", ["", "?strict=1", "?strict=1&_locale=user&_fields=id&whatever=1"])
@pytest.mark.parametrize(("path", "values"), TAKEN)
def test_what_is_taken_or_read_only_is_not_named(client: Client, path: str, values: dict[str, Any], query: str) -> None:
    answer = send(client, path, values, query)

    assert answer.status_code in (200, 201), answer.text
    assert HEADER not in answer.headers


@pytest.mark.parametrize("path", ["/posts", "/pages", "/tags", "/categories", "/comments", "/media"])
def test_an_item_is_written_back_whole_and_strictly(client: Client, path: str) -> None:
    fields = {"name": "A"} if path in ("/tags", "/categories") else {"title": "A", "content": "B"}
    made = send_raw(client, "a.txt", b"text", "administrator") if path == "/media" else send(client, path, fields)
    whole = client.get(f"{path}/{made.json['id']}?context=edit", "administrator").json

    answer = client.post(f"{path}/{made.json['id']}?strict=1", whole, "administrator")

    assert answer.status_code == 200, answer.text
    assert HEADER not in answer.headers


def test_values_of_no_use_are_named(client: Client) -> None:
    id = send_raw(client, "a.txt", b"text", "administrator").json["id"]

    assert client.post(f"/media/{id}", {"caption": 7, "title": "x"}).headers[HEADER] == "caption"


def test_a_parent_below_the_item_is_named(client: Client) -> None:
    top = client.new("/pages", title="Top")["id"]
    below = client.new("/pages", title="Below", parent=top)["id"]

    assert client.post(f"/pages/{top}", {"parent": below}).headers[HEADER] == f"parent={below}"
    assert client.post(f"/pages/{top}?strict=1", {"parent": below}).status_code == 400


def test_the_header_has_a_greatest_length(client: Client) -> None:
    answer = send(client, "/posts", {"title": "A", **{f"name{number}" * 20: 1 for number in range(200)}})

    assert len(answer.headers[HEADER]) < 1_100
    assert answer.headers[HEADER].endswith(", ...")


def test_discovery_and_reads_know_nothing_of_it(client: Client) -> None:
    assert '"strict"' not in client.get("//api/").text
    assert HEADER not in client.get("/posts?strict=1&unknown=1").headers
