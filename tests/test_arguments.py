"""Arguments as clients and attackers send them: never a server error, never a silent surprise."""

from __future__ import annotations

from typing import Any

import pytest
from sites import Client

from cms.errors import ApiError

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


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None, "application/xml"])
@pytest.mark.parametrize(("path", "code"), [("/posts", "empty_content"), ("/tags", "rest_missing_callback_param")])
def test_json_without_its_header_is_told_of(client: Client, path: str, code: str, kind: str | None) -> None:
    hint = "Send JSON with the header Content-Type: application/json."

    answer = client.send("POST", path, "editor", data='{"title": "x", "name": "x"}', content_type=kind)
    other = client.send("POST", path, "editor", data="title", content_type="text/plain")

    assert (answer.status_code, answer.json["code"]) == (400, code)
    assert answer.json["message"].endswith(hint)
    assert other.json["code"] == code
    assert hint not in other.json["message"]


@pytest.mark.parametrize(("path", "method"), [("/posts", "POST"), ("/tags", "POST"), ("/users", "POST"), ("/settings", "POST"),
                                              ("/posts/{id}", "PATCH"), ("/posts/{id}", "DELETE")])
def test_a_visitor_who_writes_is_told_to_sign_in(client: Client, path: str, method: str) -> None:
    post = client.new("/posts", title="T", status="publish")["id"]
    body = {"title": "T", "name": "N", "username": "u1", "email": "u1@example.org", "password": "secret words"}

    answer = client.send(method, path.format(id=post), json=body)
    known = client.send(method, path.format(id=post), "subscriber", json=body)

    assert answer.status_code == 401
    assert answer.json["message"].endswith("Sign in with an account that may.")
    assert known.status_code == 403
    assert "Sign in" not in known.json["message"]


TEXTS = [("a\x01b", "ab"), ("\x0ba\x1f", "a"), ("a\ufffeb\uffff", "ab"), ("a\tb", "a\tb"), ("\U0001f469\u200d", "\U0001f469\u200d")]


@pytest.mark.parametrize(("sent", "stored"), TEXTS)
def test_characters_that_no_export_can_hold_are_left_out(client: Client, sent: str, stored: str) -> None:
    made = client.new("/posts", "administrator", title="T", content=sent, password=f"p{sent}")

    assert made["content"]["raw"] == stored
    assert made["password"] == f"p{stored}"


@pytest.mark.parametrize("sent", ["a\0b", "a\ud800b"])
@pytest.mark.parametrize(("path", "name"), [
    ("/posts", "title"), ("/posts", "content"), ("/posts", "slug"), ("/posts", "password"), ("/tags", "description"),
    ("/users/me", "description"), ("/users/me", "first_name"), ("/comments", "content"), ("/settings", "title"),
])
def test_no_text_holds_nul_or_half_a_character(client: Client, path: str, name: str, sent: str) -> None:
    with_form = client.send("POST", path, "administrator", data={"post": "1", "name": "N", name: "a\0b"})

    assert (with_form.status_code, set(with_form.json["data"]["params"])) == (400, {name})
    if sent == "a\0b":  # JSON holds no half characters
        answer = client.post(path, {"post": 1, "name": "N", name: sent}, "administrator")
        assert (answer.status_code, set(answer.json["data"]["params"])) == (400, {name})
    else:
        assert client.send("POST", path, "administrator", data=f'{{"{name}": "\\ud800"}}',
                           content_type="application/json").status_code == 400


def test_a_password_with_characters_that_would_go_is_refused(client: Client) -> None:
    account = {"username": "u1", "email": "u1@example.org", "password": "secret\x01 words"}

    assert set(client.post("/users", account, "administrator").json["data"]["params"]) == {"password"}


def test_python_calls_know_the_same_bounds(client: Client) -> None:
    for call in (lambda: client.site.posts.get(2**70), lambda: client.site.posts.get(-2**70)):
        with pytest.raises(ApiError) as refused:
            call()
        assert (refused.value.status, refused.value.code) == (404, "rest_post_invalid_id")
    for arguments in ({"search": "a\ud800"}, {"search": "a" * 1_001}, {"page": 2**63 - 1}, {"include": [2**70]}):
        with pytest.raises(ApiError) as refused:
            client.site.posts.list(**arguments)
        assert (refused.value.status, set(refused.value.data["params"])) == (400, set(arguments))


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
