"""Pages of other origins that write with what a browser sends by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sites import URL, Client, basic

from cms.testing import make_client as make_site

LISTED, EVIL = "https://editor.example", "https://evil.example"

#: What a browser says of the page that sends a request, and whether that page may write with a remembered password.
PAGES = [
    ({}, True),
    ({"Origin": URL}, True),
    ({"Origin": "http://cms.example:80"}, True),
    ({"Origin": LISTED}, True),
    ({"Origin": LISTED, "Sec-Fetch-Site": "cross-site"}, True),
    ({"Origin": URL, "Sec-Fetch-Site": "same-origin"}, True),
    ({"Sec-Fetch-Site": "same-origin"}, True),
    ({"Sec-Fetch-Site": "none"}, True),
    ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, True),
    ({"Origin": "http://localhost:8000", "Host": "localhost:8000"}, True),
    ({"Origin": "http://localhost:8000", "Host": "localhost:8000", "Sec-Fetch-Site": "same-origin"}, True),
    ({"Origin": EVIL}, False),
    ({"Origin": EVIL, "Sec-Fetch-Site": "cross-site"}, False),
    ({"Origin": EVIL, "Sec-Fetch-Site": "same-site"}, False),
    ({"Sec-Fetch-Site": "cross-site"}, False),
    ({"Sec-Fetch-Site": "same-site"}, False),
    ({"Sec-Fetch-Site": ""}, False),
    ({"Origin": "null"}, False),
    ({"Origin": ""}, False),
    ({"Origin": "https://cms.example"}, False),
    ({"Origin": "http://cms.example:8080"}, False),
    ({"Origin": "http://cms.example.evil.example"}, False),
    ({"Origin": "http://cms.example@evil.example"}, False),
    ({"Origin": f"{LISTED}.evil.example"}, False),
    ({"Origin": "http://[::1"}, False),
    ({"Origin": EVIL, "Host": "localhost:8000"}, False),
]


@pytest.fixture
def site(make_client: Callable[..., Client]) -> Client:
    return make_client(cors_origins=[LISTED])


def credentials(site: Client) -> dict[str, str]:
    return {"Authorization": basic(*site.account("administrator"))}


@pytest.mark.parametrize(("page", "allowed"), PAGES)
def test_a_remembered_password_writes_for_pages_of_the_site_alone(site: Client, page: dict[str, str], allowed: bool) -> None:
    form = {"username": "mallory", "email": "m@example.org", "password": "correct-horse", "roles": "administrator"}
    answer = site.send("POST", "/users", data=form, headers={**credentials(site), **page})

    assert answer.status_code == (201 if allowed else 403)
    if not allowed:
        assert answer.json["code"] == "rest_foreign_origin"
        assert "WWW-Authenticate" not in answer.headers
    listed = site.get("/users", "administrator").json
    assert ("mallory" in [account["slug"] for account in listed]) == allowed


@pytest.mark.parametrize(("method", "path", "headers", "status"), [
    ("GET", "/users/me", {}, 200), ("HEAD", "/posts", {}, 200), ("OPTIONS", "/posts", {}, 200),
    ("POST", "/posts?_method=GET", {}, 200),
    ("POST", "/posts", {}, 403), ("PUT", "/posts/1", {}, 403), ("PATCH", "/posts/1", {}, 403),
    ("DELETE", "/posts/1", {}, 403), ("POST", "/posts/1?_method=DELETE", {}, 403),
    ("POST", "/posts/1", {"X-HTTP-Method-Override": "DELETE"}, 403), ("POST", "/settings", {}, 403),
    ("POST", "/media", {"Content-Type": "image/png"}, 403),
])
def test_every_write_is_refused_and_no_read(site: Client, method: str, path: str, headers: dict[str, str],
                                            status: int) -> None:
    sent = {**credentials(site), "Origin": EVIL, "Sec-Fetch-Site": "cross-site", **headers}

    assert site.send(method, path, headers=sent).status_code == status


def test_tokens_as_bearer_write_from_anywhere_and_as_passwords_dont(site: Client) -> None:
    token = site.site.tokens.create(1, "Name", "all", None)[1]
    body = {"json": {"title": "Title"}}

    def write(authorization: str) -> int:
        headers = {"Authorization": authorization, "Origin": EVIL, "Sec-Fetch-Site": "cross-site"}
        return site.send("POST", "/posts", headers=headers, **body).status_code

    assert (write(f"Bearer {token}"), write(basic("admin", token))) == (201, 403)


def test_visitors_comment_from_pages_of_any_origin(make_client: Callable[..., Client]) -> None:
    site = make_client(anonymous_comments=True, comment_interval=0)
    post = site.new("/posts", title="Item", status="publish")["id"]
    body = {"post": post, "author_name": "A", "author_email": "a@example.org", "content": "Text"}

    answer = site.app.test_client(use_cookies=False).post("/api/cms/v2/comments", json=body, headers={
        "Origin": EVIL, "Sec-Fetch-Site": "cross-site", "Cookie": "theirs=1"})

    assert answer.status_code == 201


SIGNS_IN_BY_COOKIE = """
@hookimpl
def authenticate(request):
    if request.cookies.get("session") or request.headers.get("x-key"):
        return Principal(1, "admin", ("administrator",), frozenset({"edit_posts"}))
"""


@pytest.mark.parametrize(("headers", "status"), [
    ({"Cookie": "session=1"}, 201), ({"Cookie": "session=1", "Origin": URL}, 201),
    ({"Cookie": "session=1", "Origin": EVIL}, 403), ({"Cookie": "session=1", "Sec-Fetch-Site": "cross-site"}, 403),
    ({"X-Key": "1", "Origin": EVIL}, 201), ({"Cookie": "other=1", "Origin": EVIL}, 401),
])
def test_a_plugins_cookie_is_a_credential_of_this_kind(extended: Callable[..., Client], headers: dict[str, str],
                                                       status: int) -> None:
    site = extended(SIGNS_IN_BY_COOKIE)
    http = site.app.test_client(use_cookies=False)  # else it sends those of its jar alone

    answer = http.post("/api/cms/v2/posts", json={"title": "Title"}, headers=headers)

    assert answer.status_code == status


@pytest.mark.parametrize("plugin", ["wp_compat", "application_passwords", "editorial", "menus"])
def test_routes_of_plugins_follow_the_rule(tmp_path: Path, plugin: str) -> None:
    site = make_site(tmp_path, plugins=[plugin])
    sent: dict[str, Any] = {"headers": {**credentials(site), "Sec-Fetch-Site": "cross-site"}, "json": {"name": "N"}}
    paths = {"wp_compat": "/wp-json/wp/v2/posts", "application_passwords": "/api/cms/v2/users/me/application-passwords",
             "editorial": "/api/cms/v2/posts/1/autosaves", "menus": "/api/cms/v2/menus"}

    answer = site.http.post(paths[plugin], **sent)
    site.close()

    assert answer.json["code"] == "rest_foreign_origin"


@pytest.mark.parametrize(("headers", "asks"), [
    ({}, True), ({"Sec-Fetch-Mode": "navigate"}, True), ({"Sec-Fetch-Mode": "cors"}, False),
    ({"Sec-Fetch-Mode": "no-cors"}, False), ({"Sec-Fetch-Mode": "same-origin"}, False), ({"Origin": EVIL}, False),
    ({"X-Requested-With": "XMLHttpRequest"}, False),
])
@pytest.mark.parametrize("authorization", [None, basic("admin", "wrong")])
def test_no_page_makes_its_reader_enter_a_password(site: Client, headers: dict[str, str], asks: bool,
                                                   authorization: str | None) -> None:
    sent = headers if authorization is None else {**headers, "Authorization": authorization}
    answer = site.get("/users/me", headers=sent)

    assert answer.status_code == 401
    assert ("WWW-Authenticate" in answer.headers) == asks
