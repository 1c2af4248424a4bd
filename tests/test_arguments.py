"""Arguments as clients and attackers send them: never a server error, never a silent surprise."""

from __future__ import annotations

from typing import Any

import pytest
from sites import Client

HOSTILE: list[Any] = [
    None, True, False, 0, -1, 1.5, 2**63, 2**70, 1e308, "", "0", "abc", "1; DROP TABLE content", "' OR 1=1 --", "\x00",
    "\ud7ff", "٥", "%", "a" * 10_000, [], [1], ["x"], [[1]], [None], {}, {"a": 1}, {"raw": None}, {"raw": [1]},
    "2021-01-01T00:00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
]
PATHS = ["/posts", "/categories", "/tags", "/users"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_no_value_of_any_field_makes_a_server_error(client: Client, path: str, method: str) -> None:
    endpoints = client.get("//api/").json["routes"][f"/cms/v2{path}"]["endpoints"]
    names = next(e["args"] for e in endpoints if e["methods"] == ["POST"])
    made = {"/posts": {"title": "T"}, "/users": {"username": "u1", "email": "u1@example.org", "password": "pass-word"}}
    id = client.new(path, as_="administrator", **made.get(path, {"name": "N"}))["id"]
    address = path if method == "POST" else f"{path}/{id}"

    for name in names:
        for value in HOSTILE:
            answer = client.send(method, address, "administrator", json={"title": "x", "name": "y", name: value})
            assert answer.status_code < 500, (name, value, answer.text)


@pytest.mark.parametrize("path", PATHS)
def test_no_value_of_any_filter_makes_a_server_error(client: Client, path: str) -> None:
    endpoints = client.get("//api/").json["routes"][f"/cms/v2{path}"]["endpoints"]
    names = next(e["args"] for e in endpoints if e["methods"] == ["GET"])

    for name in [*names, "bogus", "search[]", "include[a]", "a[b][c][d]"]:
        for value in HOSTILE:
            answer = client.get(path, "administrator", query_string={name: str(value)})
            assert answer.status_code < 500, (name, value, answer.text)


@pytest.mark.parametrize("id", ["5abc", "5%20", "+5", "1e1", "-1", "%D9%A5", "1.0", "%00"])
def test_what_is_no_plain_number_is_no_address(client: Client, id: str) -> None:
    answer = client.get(f"/posts/{id}")

    assert (answer.status_code, answer.json["code"]) == (404, "rest_no_route")


def test_the_id_of_the_path_counts(client: Client) -> None:
    mine, other = client.new("/posts", title="Mine"), client.new("/posts", title="Other")

    client.post(f"/posts/{mine['id']}?id={other['id']}", {"id": other["id"], "title": "Changed"})

    assert client.get(f"/posts/{mine['id']}", "editor").json["title"]["rendered"] == "Changed"
    assert client.get(f"/posts/{other['id']}", "editor").json["title"]["rendered"] == "Other"


@pytest.mark.parametrize(("body", "kind", "status", "code"), [
    ('{"title": "x', "application/json", 400, "rest_invalid_json"),
    ("[1]", "application/json", 400, "rest_invalid_json"),
    ('"x"', "application/json; charset=utf-8", 400, "rest_invalid_json"),
    ("", "application/json", 400, "empty_content"),
    ("title=x", "text/plain", 400, "empty_content"),
    ("title=x", "application/x-www-form-urlencoded", 201, None),
    ('{"title": "x"}', "application/vnd.api+json", 201, None),
    ("{" * 100_000, "application/json", 400, "rest_invalid_json"),
])
def test_bodies(client: Client, body: str, kind: str, status: int, code: str | None) -> None:
    answer = client.send("POST", "/posts", "editor", data=body, content_type=kind)

    assert (answer.status_code, answer.json.get("code")) == (status, code)


def test_a_body_that_is_too_large_is_refused(client: Client) -> None:
    answer = client.post("/posts", {"title": "x" * 10_000_001})

    assert (answer.status_code, answer.json["code"]) == (413, "rest_body_too_large")


def test_lists_travel_in_every_notation(client: Client) -> None:
    ids = [client.new("/posts", title=f"P{n}", status="publish")["id"] for n in range(3)]
    a, b = ids[:2]

    for query in (f"include={a},{b}", f"include[]={a}&include[]={b}", f"include[0]={a}&include[1]={b}",
                  f"include%5B%5D={a}&include%5B%5D={b}", f"include={a}%20{b}"):
        assert {item["id"] for item in client.get(f"/posts?{query}").json} == {a, b}, query


def test_terms_that_can_not_be_ids_are_named(client: Client) -> None:
    answer = client.post("/posts", {"title": "x", "categories": [0, -1, 5]})

    assert answer.status_code == 400
    assert "0, -1" in answer.json["data"]["params"]["categories"]
