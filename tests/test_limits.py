"""How much a request may send, and how long what it asks for may take."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

MakeClient = Callable[..., Client]


def numbers(most: int) -> str:
    return ",".join(map(str, range(1, most + 1)))


@pytest.mark.parametrize(("path", "name"), [
    ("/posts", "include"), ("/posts", "exclude"), ("/posts", "categories"), ("/posts", "slug"), ("/pages", "parent"),
    ("/comments", "post"), ("/users", "include"), ("/tags", "exclude"), ("/media", "author_exclude"),
])
@pytest.mark.parametrize("form", ["{name}={commas}", "{name}[]={pairs}", "{name}={blanks}"])
def test_a_list_among_the_arguments_of_a_read_has_a_longest_length(
        client: Client, path: str, name: str, form: str) -> None:
    def ask(most: int) -> Any:
        pairs = f"&{name}[]=".join(map(str, range(1, most + 1)))
        query = form.format(name=name, commas=numbers(most), blanks=numbers(most).replace(",", "%20"), pairs=pairs)
        return client.get(f"{path}?{query}", "administrator")

    assert ask(100).status_code == 200
    refused = ask(101)
    assert (refused.status_code, refused.json["code"]) == (400, "rest_invalid_param")
    assert refused.json["data"]["params"] == {name: "This may hold 100 values at most."}


def test_longest_lengths_are_settings(make_client: MakeClient) -> None:
    client = make_client(max_list_items=3, max_written_list_items=2)

    assert client.get("/posts?include=1,2,3").status_code == 200
    assert client.get("/posts?include=1,2,3,4").status_code == 400
    assert client.post("/posts", {"title": "T", "tags": [1, 2]}).status_code == 201
    assert client.post("/posts", {"title": "T", "tags": [1, 2, 3]}).json["data"]["params"] == {
        "tags": "This may hold 2 values at most."}


def test_a_post_may_be_written_with_more_tags_than_a_list_may_name(client: Client) -> None:
    assert client.post("/posts", {"title": "T", "tags": list(range(1, 1_001))}).status_code == 201
    assert client.post("/posts", {"title": "T", "tags": list(range(1, 1_002))}).status_code == 400


@pytest.mark.parametrize("body", [
    {"tags": "1," * 190_000}, {"tags": [1] * 120_000}, {"_fields": "a," * 190_000}, {"_fields": "a." * 190_000},
    {"_embed": "a " * 190_000}, {"status": "a" * 390_000}, {"title": "a", "meta": {"a": [1] * 120_000}},
])
def test_the_largest_body_of_a_visitor_is_refused_at_once(client: Client, body: dict[str, Any]) -> None:
    began = time.perf_counter()
    answer = client.post("/posts", body, None)
    took = time.perf_counter() - began

    assert answer.status_code in (400, 401)
    assert took < 2.0  # on a busy machine; what was a fault took ten


@pytest.mark.parametrize(("as_", "size", "status"), [
    (None, 400_001, 413), (None, 399_000, 401), ("subscriber", 400_001, 403), ("editor", 400_001, 201),
])
def test_visitors_send_small_bodies(client: Client, as_: str | None, size: int, status: int) -> None:
    for path in ("/posts", "/media"):
        data = json.dumps({"title": "T", "content": "a b " * (size // 4)})
        answer = client.send("POST", path, as_, data=data, content_type="application/json")

        assert answer.status_code == (400 if (path, as_) == ("/media", "editor") else status), path


def test_a_post_that_stands_for_a_get_takes_no_more_than_an_address(client: Client) -> None:
    post = client.new("/posts", title="T", status="publish")["id"]

    def ask(text: str) -> int:
        return client.send("POST", "/posts?_method=GET", json={"include": [post], "unknown": text}).status_code

    assert ask("x" * 16_000) == 200
    assert ask("x" * 17_000) == 413
    assert client.send("POST", "/posts", headers={"X-HTTP-Method-Override": "GET"},
                       data={"unknown": "x" * 17_000}).status_code == 413


def test_an_address_has_a_longest_length(client: Client) -> None:
    assert client.get(f"/posts?unknown={'x' * 16_000}").status_code == 200
    answer = client.get(f"/posts?unknown={'x' * 17_000}")
    assert (answer.status_code, answer.json["code"]) == (414, "rest_address_too_long")


@pytest.mark.parametrize("argument", ["_fields", "_embed"])
def test_names_that_are_asked_for_are_counted(client: Client, argument: str) -> None:
    many = ",".join(["id"] * 201)

    assert client.get(f"/posts?{argument}={many[3:]}").status_code == 200
    assert client.get(f"/posts?{argument}={many}").json["data"]["params"] == {
        argument: "This may hold 200 names at most."}


class Broken(io.BytesIO):
    """A body whose pieces aren't what they say, as servers tell it."""

    def read(self, size: int | None = -1, /) -> bytes:
        raise OSError("Invalid chunk size")

    readline = readinto = read  # type: ignore[assignment]


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded",
                                  "multipart/form-data; boundary=x", "image/png", "text/plain"])
@pytest.mark.parametrize("path", ["/posts", "/media"])
def test_a_body_that_breaks_off_is_the_sender_s_fault(client: Client, path: str, kind: str) -> None:
    answer = client.send(
        "POST", path, "administrator", input_stream=Broken(b"x" * 1_000), content_type=kind,
        headers={"Content-Disposition": 'attachment; filename="a.png"'})

    assert (answer.status_code, answer.headers["X-Content-Type-Options"]) == (400, "nosniff")
    assert answer.json["code"] in ("rest_invalid_body", "empty_content")


def test_an_order_by_a_list_is_one_join(client: Client) -> None:
    """Python calls name as many as they like."""
    ids = [client.new("/posts", title=f"P{number}", status="publish")["id"] for number in range(5)]
    wanted = [ids[3], ids[0], ids[3], ids[4], *range(10_000, 60_000)]

    seen = client.statements(lambda: client.site.posts.list(include=wanted, orderby="include"))
    found = client.site.posts.list(include=wanted, orderby="include")
    slugs = client.site.posts.list(slug=["p4", "p1", "p2", "p1"], orderby="include_slugs")

    assert [item["id"] for item in found] == [ids[3], ids[0], ids[4]]
    assert [item["slug"] for item in slugs] == ["p4", "p1", "p2"]
    listing = next(sql for sql in seen if "listed.place" in sql)
    assert listing.count("FROM json_each") == listing.count("GROUP BY value") + 2  # besides, the filter and where to look


@pytest.fixture
def slow(extended: Callable[..., Client]) -> Callable[..., Client]:
    """Make sites on which a search for `slow` takes for ever."""
    return lambda **config: extended("""
from peewee import SQL

ENDLESS = "EXISTS (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 FROM n WHERE i < 0)"

@hookimpl
def filter_query(plan, args):
    if args.get("search") == "slow":
        plan.where("slow", lambda: SQL(ENDLESS))
""", **config)


def test_a_statement_has_a_time_limit(slow: Callable[..., Client]) -> None:
    client = slow(statement_seconds=1)
    client.new("/posts", title="slow", status="publish")

    began = time.perf_counter()
    answer = client.get("/posts?search=slow")
    took = time.perf_counter() - began

    assert (answer.status_code, answer.json["code"]) == (503, "rest_too_slow")
    assert answer.json["message"] == "Finding this takes longer than 1 seconds. Ask for less."
    assert 0.9 < took < 3.0
    assert client.get("/posts").status_code == 200  # the connection goes on
    assert client.new("/posts", title="Next")["id"]


@pytest.mark.parametrize("path", ["/posts", "/media"])
def test_a_part_of_a_form_without_a_name_is_refused(client: Client, path: str) -> None:
    body = b"--x\r\nContent-Disposition: form-data\r\n\r\nSaid\r\n--x--\r\n"

    answer = client.send("POST", path, "administrator", data=body, content_type="multipart/form-data; boundary=x")

    assert (answer.status_code, answer.json["code"]) == (400, "rest_invalid_form")
