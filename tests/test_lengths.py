"""How long texts may be: each has a bound, in characters or in bytes, wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

from cms.errors import ApiError

WIDE = "字"
#: Field, what is sent beside it, the longest text that is taken, the unit in which it counts, the code of the refusal.
BOUNDS: list[tuple[str, str, dict[str, Any], int, str, str]] = [
    ("/posts", "title", {}, 65_535, "bytes", "rest_invalid_param"),
    ("/posts", "excerpt", {}, 65_535, "bytes", "rest_invalid_param"),
    ("/posts", "password", {"title": "T"}, 255, "characters", "rest_invalid_param"),
    ("/categories", "name", {}, 200, "characters", "rest_invalid_param"),
    ("/tags", "name", {}, 200, "characters", "rest_invalid_param"),
    ("/tags", "description", {"name": "T"}, 65_535, "bytes", "rest_invalid_param"),
    ("/users", "name", {}, 250, "characters", "rest_invalid_param"),
    ("/users", "nickname", {}, 250, "characters", "rest_invalid_param"),
    ("/users", "first_name", {}, 250, "characters", "rest_invalid_param"),
    ("/users", "last_name", {}, 250, "characters", "rest_invalid_param"),
    ("/users", "description", {}, 20_000, "bytes", "rest_invalid_param"),
    ("/users", "password", {}, 4096, "bytes", "rest_invalid_param"),
    ("/comments", "content", {}, 65_525, "bytes", "comment_content_column_length"),
    ("/comments", "author_name", {"content": "C", "author_email": "n@example.org"}, 245, "bytes",
     "comment_author_column_length"),
]
NEEDED = {"/users": {"username": "new", "email": "new@example.org", "password": "pass-word-5"}}


def needed(client: Client, path: str) -> dict[str, Any]:
    if path == "/comments":
        return {"post": client.new("/posts", title="Item", status="publish")["id"]}
    return NEEDED.get(path, {})


def longest(sign: str, most: int, unit: str) -> str:
    width = len(sign.encode()) if unit == "bytes" else 1
    count = most // width - 2
    return sign * count + "bcdefghij"[: most - width * count]


@pytest.mark.parametrize(("path", "field", "others", "most", "unit", "code"), BOUNDS,
                         ids=[f"{bound[0]}-{bound[1]}" for bound in BOUNDS])
def test_a_text_is_taken_up_to_its_bound(
        quiet: Client, path: str, field: str, others: dict[str, Any], most: int, unit: str, code: str) -> None:
    values = {**needed(quiet, path), **others}
    text = longest(WIDE, most, unit)

    refused = quiet.post(path, {**values, field: text + "a"}, "administrator")
    taken = quiet.post(path, {**values, field: text}, "administrator")

    assert (refused.status_code, refused.json["code"]) == (400, code)
    told = str(refused.json["data"].get("params", {}).get(field, refused.json["message"]))
    assert field in told
    assert str(most) in told
    assert unit in told
    assert taken.status_code == 201, taken.text
    address = f"{path}/{taken.json['id']}"
    assert quiet.post(address, {field: text + "a"}, "administrator").status_code == 400


@pytest.mark.parametrize(("path", "field"), [("/posts", "content"), ("/pages", "content"), ("/media/{media}", "description")])
def test_a_setting_bounds_the_bytes_of_long_texts(make_client: Callable[..., Client], path: str, field: str) -> None:
    client = make_client(max_text=2_000)
    picture = client.send("POST", "/media", "editor", data=b"Words", headers={
        "Content-Type": "text/plain", "Content-Disposition": 'attachment; filename="words.txt"'})
    address = path.format(media=picture.json["id"])
    text = longest(WIDE, 2_000, "bytes")

    refused = client.post(address, {field: text + "a"})
    taken = client.post(address, {field: text})

    assert taken.status_code in (200, 201), taken.text
    assert (refused.status_code, refused.json["code"]) == (413, "rest_text_too_large")
    assert refused.json["message"] == (
        f"This is too large: {field}. It has 2001 bytes, and the setting max_text allows 2000.")
    shown = client.get(f"{path.split('/{')[0]}/{taken.json['id']}?context=edit", "editor").json
    assert shown[field]["raw"] == text
    assert client.post(f"{path.split('/{')[0]}/{taken.json['id']}", {field: text + "a"}).status_code == 413


def test_texts_of_two_million_bytes_are_taken_unless_a_setting_says_otherwise(client: Client) -> None:
    text = "<p>" + "words " * 333_332 + "</p>"

    assert len(text) == 1_999_999
    assert client.post("/posts", {"content": text}).status_code == 201
    assert client.post("/posts", {"content": text + "ab"}).json["code"] == "rest_text_too_large"


@pytest.mark.parametrize("form", [lambda text: text, lambda text: {"raw": text}])
def test_both_notations_of_a_text_have_its_bound(client: Client, form: Any) -> None:
    answer = client.post("/posts", {"title": form("a" * 65_536)})

    assert answer.json["data"]["params"] == {"title": "This is too long: title. It may have 65535 bytes."}


def test_python_calls_have_the_same_bounds(client: Client) -> None:
    with pytest.raises(ApiError) as refused:
        client.site.posts.create(user="admin", title="T", content="a" * 2_000_001)
    assert (refused.value.code, refused.value.status) == ("rest_text_too_large", 413)

    with pytest.raises(ApiError) as coded:
        client.site.comments.create(user="admin", post=1, content="a" * 65_526)
    assert coded.value.code == "comment_content_column_length"


def test_what_plugins_change_has_the_same_bounds(extended: Any) -> None:
    client = extended("@hookimpl\ndef before_write(resource, values):\n"
                      "    if resource == 'post':\n        values['title'] = 'a' * 70_000\n")

    assert client.post("/posts", {"title": "T"}).status_code == 500
    assert client.get("/posts", "editor", query_string={"status": "any"}).json == []


def test_a_plugin_s_field_has_a_bound_of_its_own_or_the_usual_one(extended: Any) -> None:
    client = extended("""
from cms.schema.fields import String
@hookimpl
def register_fields():
    return {"post": {"usual": String(_("A text.")), "short": String(_("A text."), max_length=3, max_bytes=6),
                     "long": String(_("A text."), max_bytes=100_000)}}
""")

    for field, text, taken in [("usual", "a" * 65_535, True), ("usual", "a" * 65_536, False), ("short", "äöü", True),
                               ("short", "aaaa", False), ("short", "字字字", False), ("long", "a" * 100_000, True)]:
        assert (client.post("/posts", {"title": "T", field: text}).status_code == 201) is taken, (field, len(text))


def test_no_argument_of_any_write_takes_a_text_without_end(client: Client) -> None:
    endless = "a" * 2_000_001
    routes = client.get("//api/").json["routes"]
    asked = 0
    for path, route in routes.items():
        if "(?P" in path or not path.startswith("/cms/v2/") or path == "/cms/v2/media":
            continue
        for endpoint in route["endpoints"]:
            for name in endpoint["args"] if "POST" in endpoint["methods"] else ():
                answer = client.post(f"//api{path}", {"title": "x", "name": "y", name: endless}, "administrator")
                assert answer.status_code in (400, 413), (path, name)
                asked += 1
    assert asked > 80


def test_the_bounds_stand_in_no_document(client: Client) -> None:
    for document in (client.get("//api/").text, client.send("OPTIONS", "/posts").text):
        assert not [word for word in ("maxLength", "max_length", "max_bytes", "too_long") if word in document]


def test_a_text_from_before_the_bounds_stays(client: Client) -> None:
    id = client.new("/posts", title="T", content="Text")["id"]
    client.site.database.execute("UPDATE content SET content = ? WHERE id = ?", ("a" * 1_200_000, id))

    assert client.post(f"/posts/{id}", {"title": "Other"}).status_code == 200
    assert len(client.get(f"/posts/{id}", "editor", query_string={"context": "edit"}).json["content"]["raw"]) == 1_200_000


@pytest.mark.parametrize("path", ["/posts", "/media", "/comments", "/users", "/tags"])
def test_a_search_has_the_bound_that_its_field_declares(client: Client, path: str) -> None:
    assert client.get(f"{path}?search={'a' * 1_000}").status_code == 200
    refused = client.get(f"{path}?search={'a' * 1_001}")

    assert (refused.status_code, refused.json["code"]) == (400, "rest_invalid_param")
    assert refused.json["data"]["params"] == {"search": "This is too long: search. It may have 1000 characters."}
