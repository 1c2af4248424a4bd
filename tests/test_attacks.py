"""Attacks that no other subject's tests stand for: what a class of them tries gets nowhere by any route that could serve it."""

from __future__ import annotations

from typing import Any

import pytest
from sites import Client

ATTACK = '<img src=x onerror=alert(1)><script>alert(1)</script><a href="javascript:alert(1)">x</a>'
#: Whether a text of a request could act in a browser that shows it as HTML.
ACTIVE = ("<script", "onerror=", "javascript:")
ELSEWHERE = ("https://evil.example/", "//evil.example", "/\\evil.example", "https://site.example@evil.example/", "/%5cevil.example",
             "javascript:alert(1)")


def strings(value: Any) -> list[str]:
    """Return all texts in an answer."""
    if isinstance(value, str):
        return [value]
    found = []
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        found += strings(part)
    return found


@pytest.mark.parametrize("taxonomy", ["tags", "categories"])
@pytest.mark.parametrize("fields", [{"status": "private"}, {"status": "draft"}, {"status": "publish", "date": "2099-01-01T00:00:00"}])
def test_terms_of_a_hidden_item_are_not_listed_for_those_who_cant_read_it(client: Client, taxonomy: str, fields: dict[str, Any]) -> None:
    term = client.new(f"/{taxonomy}", name="Merger")["id"]
    post = client.new("/posts", title="Plan", **{taxonomy: [term]}, **fields)["id"]
    for role, status in ((None, 401), ("subscriber", 403)):
        refused = client.get(f"/{taxonomy}?post={post}", role)
        assert refused.status_code == status
        assert "Merger" not in refused.text
    assert [each["id"] for each in client.get(f"/{taxonomy}?post={post}", "editor").json] == [term]


@pytest.mark.parametrize(("path", "role", "field"), [
    *(("/posts", "author", field) for field in ("title", "content", "excerpt", "slug")),
    *(("/posts", "contributor", field) for field in ("title", "content", "excerpt", "slug")),
    ("/comments", "subscriber", "content"),
    *(("/users/me", "subscriber", field) for field in ("name", "first_name", "last_name", "nickname", "description")),
])
def test_markup_of_people_without_the_right_to_it_acts_in_no_browser(
        make_client: Any, path: str, role: str, field: str) -> None:
    client = make_client(comment_interval=0)
    post = client.new("/posts", title="Item", status="publish")["id"]
    fields = {"/posts": {"title": "Item"}, "/comments": {"post": post}}.get(path, {})
    answer = client.post(path, {**fields, field: f"Harmless {ATTACK}"}, role)
    assert answer.status_code in (200, 201)
    place = f"{path.replace('/me', '')}/{answer.json['id']}"
    edited = client.get(place, "administrator", query_string={"context": "edit"})
    assert "harmless" in edited.text.lower()
    for shown in (answer, client.get(place, role), edited):
        assert [text for text in strings(shown.json) if any(sign in text.lower() for sign in ACTIVE)] == []


@pytest.mark.parametrize("field", ["title", "content", "excerpt"])
def test_who_has_the_right_to_markup_writes_it_as_it_is(client: Client, field: str) -> None:
    fields = {"title": "Item", "status": "publish", field: "<iframe src='https://map.example/'></iframe>"}
    made = client.new("/posts", **fields)
    assert "<iframe" in client.get(f"/posts/{made['id']}", query_string={"_fields": field}).text


@pytest.mark.parametrize("flag", [
    {"status": "approved"}, {"status": "approve"}, {"approved": True}, {"comment_approved": 1}, {"type": "pingback"},
    {"author": 1}, {"skip_moderation": True}, {"verdict": "approve"},
])
def test_no_field_of_a_request_skips_moderation(make_client: Any, flag: dict[str, Any]) -> None:
    client = make_client(anonymous_comments=True, comment_interval=0)
    post = client.new("/posts", title="Item", status="publish")["id"]
    body = {"post": post, "content": "Words", "author_name": "V", "author_email": "v@example.org", **flag}
    for query in ({}, flag):
        client.post("/comments", body, None, query_string=query)
    assert client.get(f"/comments?post={post}").json == []
    assert {row["status"] for row in client.site.database.rows("SELECT status FROM comments")} <= {"hold"}


@pytest.mark.parametrize("name", ["_jsonp", "callback", "jsonp", "_callback"])
def test_no_argument_makes_a_script_of_an_answer(client: Client, name: str) -> None:
    id = client.new("/posts", title="Item", status="publish")["id"]
    for role in (None, "editor"):
        answer = client.get("/posts", role, query_string={name: "steal"})
        assert answer.content_type.startswith("application/json")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert b"steal" not in answer.data
        assert answer.json[0]["id"] == id


@pytest.mark.parametrize("target", ELSEWHERE)
def test_no_request_is_led_to_an_address_that_it_names(client: Client, target: str) -> None:
    arguments = dict.fromkeys(("redirect_to", "redirect", "next", "url", "return_to", "continue", "_wp_http_referer"), target)
    paths = ("/", "/api/", "/api", f"/{target}", f"//{target}", f"/api/{target}", "/uploads/", "/api/cms/v2/posts", "/api/cms/v2/posts/",
             "/api/cms/v2/users/me", "/readyz")
    for path in paths:
        for role in (None, "editor"):
            headers = {"Referer": target}
            answer = client.http.get("/", query_string=arguments, headers=headers, environ_overrides={"PATH_INFO": path})
            assert answer.status_code not in range(300, 400), (path, role)
            assert "Location" not in answer.headers
    created = client.post("/posts", {"title": "Item"}, query_string=arguments)
    assert created.headers["Location"].startswith("http://cms.example/api/cms/v2/posts/")


def test_a_plugin_that_fails_in_one_request_fails_no_other(extended: Any) -> None:
    client = extended('''
@hookimpl
def prepare_items(items):
    if any(item.get("slug") == "poison" for item in items):
        raise MemoryError("as planned")
    return items

@hookimpl
def on_event(event):
    raise SystemExit("as planned")
''')
    harmless = client.new("/posts", title="Harmless", status="publish")["id"]
    client.post("/posts", {"title": "Poison", "slug": "poison", "status": "publish"})
    for _again in range(3):
        assert client.get("/posts?slug=poison").status_code == 500
        assert client.get("/posts").status_code == 500
        assert client.get(f"/posts/{harmless}").status_code == 200
        assert client.post("/posts", {"title": "More"}).status_code == 201
