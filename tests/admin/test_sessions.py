"""Sessions of the editing page: how they begin and end, and that nothing but cookie and nonce together counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from servers import SERVER
from serving.test_cached_answers import ask
from sites import Client, Clock, basic

import cms
from admin.pages import Browser
from cms.asgi.bridge import Bridge
from cms.asgi.cached_answers import cached_answers_of

DAY = 86_400


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client(admin=True)


@pytest.fixture
def browser(client: Client) -> Browser:
    return Browser(client)


def signed_in(client: Client, role: str = "editor") -> Browser:
    browser = Browser(client)
    assert browser.sign_in(role).status_code == 200
    return browser


def test_a_visitor_is_told_what_signing_in_needs(browser: Browser) -> None:
    answer = browser.send("GET", "session")

    assert answer.json == {
        "signed_in": False, "title": "A new site", "language": "en_US", "sends_mail": False,
        "languages": [{"code": "en_US", "prefix": "en", "name": "English"}, {"code": "id_ID", "prefix": "id", "name": "Bahasa Indonesia"}]}
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


def test_who_signs_in_is_told_what_the_page_needs(browser: Browser) -> None:
    answer = browser.sign_in("editor")

    told = answer.json
    assert told["signed_in"] is True
    assert (told["user"]["username"], told["user"]["roles"], told["user"]["capabilities"]["edit_others_posts"]) == ("editor", ["editor"], True)
    assert "edit_users" not in told["user"]["capabilities"]
    assert (told["api"], told["root"], told["zone"], told["preview"], told["two_factor"]) == ("/api/cms/v2", "/api", "UTC", None, False)
    assert browser.send("GET", "session").json == told


@pytest.mark.parametrize(("settings", "has_one"), [
    ({"url": "http://127.0.0.1:8000"}, False), ({"url": "http://127.0.0.1:8000", "front_url": "http://127.0.0.1:3000"}, True),
    ({"url": "https://www.example.org"}, True),
])
def test_the_page_leads_to_items_where_there_is_more_than_json_alone(
    make_client: Callable[..., Client], settings: dict[str, str], has_one: bool
) -> None:
    browser = Browser(make_client(admin=True, **settings))

    assert browser.sign_in().json["has_front_end"] is has_one


def test_the_cookie_is_for_the_server_alone(browser: Browser) -> None:
    answer = browser.sign_in()

    name, _is, value = answer.headers["Set-Cookie"].partition("=")
    parts = value.split("; ")
    assert {"HttpOnly", "Path=/", "SameSite=Lax", f"Max-Age={30 * DAY}"} <= set(parts)
    assert "Secure" not in parts
    assert name.startswith("cms_session_")
    assert parts[0] not in answer.text


@pytest.mark.parametrize(("config", "scheme"), [({}, "https"), ({"url": "https://cms.example"}, "http")])
def test_the_cookie_is_sent_by_https_alone_where_the_site_is(make_client: Callable[..., Client], config: dict[str, Any], scheme: str) -> None:
    client = make_client(admin=True, **config)
    login, password = client.account("editor")
    answer = client.http.post("/admin/api/session", json={"username": login, "password": password}, base_url=f"{scheme}://cms.example")

    assert "; Secure;" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(("config", "environ", "path"), [
    ({}, {"SCRIPT_NAME": "/blog"}, "/blog"), ({"url": "http://cms.example/news"}, {}, "/news"), ({}, {}, "/")])
def test_the_cookie_lies_below_the_prefix_of_a_proxy(make_client: Callable[..., Client], config: dict[str, Any], environ: dict[str, str], path: str) -> None:
    client = make_client(admin=True, **config)
    login, password = client.account("editor")
    answer = client.http.post("/admin/api/session", json={"username": login, "password": password}, environ_overrides=environ)

    assert f"; Path={path};" in f"{answer.headers['Set-Cookie']};"
    assert answer.json["api"] == f"{path.rstrip('/')}/api/cms/v2"


def test_a_session_below_a_base(client: Client) -> None:
    app = Flask("other")
    settings = {"password_cost": "low", "background": False, "admin": True}
    login, password = client.account("editor")
    site = cms.init_app(app, settings, Path(client.site.config.instance), base="/backend")
    http = app.test_client()

    answer = http.post("/backend/admin/api/session", json={"username": login, "password": password})

    assert "; Path=/backend;" in f"{answer.headers['Set-Cookie']};"
    assert answer.json["api"] == "/backend/api/cms/v2"
    assert http.get(f"{answer.json['api']}/users/me", headers={"X-CMS-Nonce": answer.json["nonce"]}).json["slug"] == "editor"
    site.close()


def test_what_is_stored_opens_no_session(client: Client) -> None:
    browser = signed_in(client)

    select = "SELECT * FROM sessions"
    stored = client.site.database.tuples(select) if SERVER else sqlite3.connect(client.site.config.state).execute(select).fetchall()
    cookie = next(iter(browser.http._cookies.values())).value
    assert len(stored) == 1
    assert cookie not in repr(stored)
    assert browser.nonce not in repr(stored)


def test_each_sign_in_is_another_session_and_ends_the_one_before(client: Client) -> None:
    browser = signed_in(client)
    first, nonce = next(iter(browser.http._cookies.values())).value, browser.nonce
    browser.sign_in()

    assert next(iter(browser.http._cookies.values())).value != first
    assert browser.nonce != nonce
    assert len(browser.send("GET", "sessions").json) == 1


@pytest.mark.parametrize("body", [{"username": "editor", "password": "wrong"}, {"username": "nobody", "password": "wrong"}])
def test_wrong_credentials_get_the_apis_answer(client: Client, browser: Browser, body: dict[str, str]) -> None:
    client.account("editor")
    answer = browser.send("POST", "session", body)

    of_api = client.http.get("/api/cms/v2/users/me", headers={"Authorization": basic(body["username"], body["password"])})
    assert (answer.status_code, answer.json) == (401, of_api.json)
    assert "Set-Cookie" not in answer.headers
    assert "WWW-Authenticate" not in answer.headers


def test_guesses_are_counted_with_those_at_the_api(make_client: Callable[..., Client]) -> None:
    client = make_client(admin=True, sign_in_failures=3, sign_in_memory=0)
    browser, wrong = Browser(client), {"username": "editor", "password": "wrong"}
    login, password = client.account("editor")
    from_here = {"REMOTE_ADDR": "192.0.2.1"}

    statuses = [browser.send("POST", "session", wrong).status_code for _time in range(2)]
    statuses.append(client.get("/users/me", headers={"Authorization": basic(login, "wrong")}, environ_base=from_here).status_code)

    assert statuses == [401, 401, 401]
    refused = browser.sign_in("editor")
    assert (refused.status_code, refused.json["code"]) == (429, "rest_too_many_attempts")
    assert client.get("/users/me", headers={"Authorization": basic(login, password)}, environ_base=from_here).status_code == 429


def test_a_session_reads_and_writes_as_its_account(client: Client) -> None:
    browser = signed_in(client, "author")

    made = browser.send("POST", "/api/cms/v2/posts", {"title": "By the page", "status": "publish"})
    assert (made.status_code, made.json["author"]) == (201, client.id_of("author"))
    assert browser.send("GET", "/api/cms/v2/posts?context=edit&status=draft").status_code == 200
    assert browser.send("POST", "/api/cms/v2/users", {"username": "x", "email": "x@example.org", "password": "long-enough-one"}).status_code == 403
    assert browser.send("GET", "/api/cms/v2/users/me").headers["Cache-Control"] == "no-store"


def test_a_cookie_alone_counts_for_nothing(client: Client) -> None:
    browser = signed_in(client, "administrator")
    browser.nonce = ""

    assert browser.send("GET", "/api/cms/v2/users/me").status_code == 401
    assert browser.send("POST", "/api/cms/v2/posts", {"title": "x"}).status_code == 401
    assert browser.send("GET", "sessions").status_code == 401
    assert browser.send("DELETE", "session").status_code == 401
    assert client.get("/posts?status=any&search=x", "administrator").json == []


@pytest.mark.parametrize(("method", "path"), [
    ("GET", "/api/cms/v2/users/me"), ("GET", "/api/cms/v2/posts"), ("POST", "/api/cms/v2/posts"), ("GET", "sessions"), ("DELETE", "sessions"), ("DELETE", "session")])
def test_another_nonce_is_refused(client: Client, method: str, path: str) -> None:
    browser, other = signed_in(client, "administrator"), signed_in(client, "administrator")
    browser.nonce = other.nonce

    answer = browser.send(method, path, {"title": "x"} if method == "POST" else None)
    assert (answer.status_code, answer.json["code"]) == (403, "cms_wrong_nonce")


@pytest.mark.parametrize("path", ["/api/cms/v2/posts", "sessions"])
def test_a_nonce_without_a_cookie_is_refused(client: Client, path: str) -> None:
    nonce, stranger = signed_in(client).nonce, Browser(client)
    stranger.nonce = nonce

    answer = stranger.send("GET", path)
    assert (answer.status_code, answer.json["code"]) == (401, "cms_session_ended")


def test_a_remembered_password_doesnt_count_on_the_page(client: Client) -> None:
    browser = signed_in(client, "author")
    header = basic(*client.account("administrator"))

    assert browser.send("GET", "/api/cms/v2/users/me", Authorization=header).json["slug"] == "author"
    assert Browser(client).send("GET", "sessions", Authorization=header).status_code == 401
    assert Browser(client).send("GET", "session", Authorization="Basic broken").json["signed_in"] is False


@pytest.mark.parametrize("headers", [
    {"Origin": "https://evil.example"}, {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}, {"Origin": "null"}])
@pytest.mark.parametrize(("method", "path"), [("POST", "session"), ("DELETE", "session"), ("DELETE", "sessions"), ("POST", "/api/cms/v2/posts")])
def test_a_page_of_another_site_does_nothing(client: Client, method: str, path: str, headers: dict[str, str]) -> None:
    browser = signed_in(client)
    login, password = client.account("editor")

    answer = browser.send(method, path, {"username": login, "password": password, "title": "x"}, **headers)
    assert answer.status_code == 403
    assert answer.json["code"] in ("cms_foreign_page", "rest_foreign_origin")
    assert "Set-Cookie" not in answer.headers
    assert browser.send("GET", "session").json["signed_in"]


def test_no_page_of_another_site_reads_the_nonce(make_client: Callable[..., Client]) -> None:
    client = make_client(admin=True, cors_origins=["https://editor.example"])
    browser = signed_in(client)

    for origin in ("https://editor.example", "https://evil.example"):
        headers = browser.send("GET", "session", Origin=origin).headers
        assert not [name for name, _value in headers if name.startswith("Access-Control")]


@pytest.mark.parametrize("path", ["/api/cms/v2/posts", "/api/cms/v2/posts?per_page=2"])
def test_answers_to_visitors_are_not_given_to_sessions(client: Client, path: str) -> None:
    private = client.new("/posts", "administrator", title="Private", status="private")
    visitor = client.http.get(path)
    browser = signed_in(client, "administrator")
    visible = [item["id"] for item in client.http.get(path).json]

    assert private["id"] not in visible
    assert private["id"] in [item["id"] for item in browser.send("GET", f"{path.partition('?')[0]}?status=private").json]
    assert browser.send("GET", path).headers["Cache-Control"] == "no-store"
    assert client.http.get(path).data == visitor.data


def test_the_event_loop_keeps_sessions_and_visitors_apart(client: Client) -> None:
    browser = signed_in(client)
    bridge, path = Bridge(client.app, cached_answers_of(client.app)), "/api/cms/v2/posts"
    cookie = next(iter(browser.http._cookies.values()))
    client.http.get(path)

    def cache_control(**headers: str) -> bytes:
        return dict(ask(bridge, "GET", path, **headers)[0]["headers"])[b"Cache-Control"]

    own = {"x_cms_nonce": browser.nonce, "cookie": f"{cookie.key}={cookie.value}"}
    assert [cache_control(), cache_control(**own), cache_control()] == [b"no-cache", b"no-store", b"no-cache"]
    assert ask(bridge, "GET", path, x_cms_nonce="wrong")[0]["status"] == 401


def test_sessions_are_listed_and_ended(client: Client) -> None:
    here, there, other = signed_in(client), Browser(client, "192.0.2.9"), signed_in(client, "author")
    there.sign_in()

    listed = here.send("GET", "sessions").json
    assert {(each["address"], each["current"]) for each in listed} == {("192.0.2.1", True), ("192.0.2.9", False)}
    far = next(each["id"] for each in listed if not each["current"])
    assert here.send("DELETE", f"sessions/{far}").json == {"deleted": True}
    assert there.send("GET", "/api/cms/v2/users/me").json["code"] == "cms_session_ended"
    assert here.send("DELETE", f"sessions/{far}").status_code == 404

    theirs = other.send("GET", "sessions").json[0]["id"]
    assert here.send("DELETE", f"sessions/{theirs}").status_code == 404
    assert other.send("GET", "/api/cms/v2/users/me").status_code == 200


def test_signing_out_ends_the_session(client: Client) -> None:
    browser = signed_in(client)
    cookie = next(iter(browser.http._cookies.values()))
    answer = browser.send("DELETE", "session")

    assert answer.json["signed_in"] is False
    assert "Max-Age=0" in answer.headers["Set-Cookie"]
    browser.http.set_cookie(cookie.key, cookie.value)
    assert browser.send("GET", "/api/cms/v2/users/me").status_code == 401
    assert browser.send("GET", "session").json["signed_in"] is False


def test_signing_out_everywhere(client: Client) -> None:
    browsers, other = [signed_in(client) for _time in range(3)], signed_in(client, "author")

    assert browsers[1].send("DELETE", "sessions").json == {"deleted": True}
    assert [each.send("GET", "session").json["signed_in"] for each in browsers] == [False] * 3
    assert other.send("GET", "session").json["signed_in"]


@pytest.mark.parametrize("change", ["by the API", "by Python"])
def test_a_new_password_ends_all_sessions(client: Client, change: str) -> None:
    browsers = [signed_in(client), signed_in(client)]
    if change == "by the API":
        browsers[0].send("POST", "/api/cms/v2/users/me", {"password": "another-long-one"})
    else:
        client.site.users.update(client.id_of("editor"), user="admin", password="another-long-one")

    for each in browsers:
        assert each.send("GET", "/api/cms/v2/users/me").json["code"] == "cms_session_ended"
        assert each.send("GET", "session").json["signed_in"] is False


def test_roles_count_at_once_and_a_deleted_account_no_more(client: Client) -> None:
    browser, id = signed_in(client), client.id_of("editor")
    client.post(f"/users/{id}", {"roles": ["subscriber"]}, "administrator")
    assert browser.send("POST", "/api/cms/v2/posts", {"title": "x"}).status_code == 403

    client.delete(f"/users/{id}?force=true&reassign=1", "administrator")
    assert browser.send("GET", "/api/cms/v2/posts").json["code"] == "cms_session_ended"


@pytest.mark.parametrize(("visits", "lasts"), [([6, 12, 18, 24, 29], True), ([8], False), ([6, 12, 18, 24, 29, 30], False)])
def test_a_session_lasts_for_its_days(client: Client, visits: list[int], lasts: bool) -> None:
    clock = Clock()
    client.site.context.runtime.now = clock
    browser, begin = signed_in(client), Clock.now
    statuses = []
    for days in visits:
        clock.now = begin + days * DAY
        statuses.append(browser.send("GET", "/api/cms/v2/posts").status_code)

    assert statuses == [*[200] * (len(visits) - 1), 200 if lasts else 401]


def test_a_use_is_noted_every_few_minutes(client: Client) -> None:
    clock = Clock()
    client.site.context.runtime.now = clock
    browser = signed_in(client)
    seen = []
    for seconds in (0, 200, 400, 500):
        clock.now = Clock.now + seconds
        seen.append(browser.send("GET", "sessions").json[0]["used_gmt"][-8:])

    assert [seen[0] == seen[1], seen[1] == seen[2], seen[2] == seen[3]] == [True, False, True]


@pytest.mark.files_only  # a server has them in the site's database
def test_without_their_file_nobody_signs_in(client: Client) -> None:
    browser = signed_in(client)
    client.site.context.runtime.close()
    client.site.config.state.unlink()
    client.site.config.state.mkdir()

    answer = Browser(client).sign_in()
    assert (answer.status_code, answer.json["code"]) == (503, "cms_sessions_unavailable")
    assert browser.send("GET", "session").json["signed_in"] is False


def test_without_the_page_no_session_counts(client: Client, make_client: Callable[..., Client]) -> None:
    browser = signed_in(client, "administrator")
    cookie = next(iter(browser.http._cookies.values()))
    off = make_client(admin=False)
    headers = {"X-CMS-Nonce": browser.nonce, "Cookie": f"{cookie.key}={cookie.value}"}

    assert off.http.get("/api/cms/v2/posts", headers=headers).status_code == 200
    assert off.http.get("/api/cms/v2/users/me", headers=headers).status_code == 401


@pytest.mark.parametrize(("language", "message"), [
    ("id-ID", "kata sandinya salah"), ("en-US", "password"), ("xx", "password"), ("", "password")])
def test_refusals_are_in_the_language_of_the_page(client: Client, language: str, message: str) -> None:
    refused = Browser(client).send("POST", "session", {"username": "editor", "password": "wrong"}, Accept_Language=language)
    assert refused.status_code == 401
    assert message in refused.json["message"]


def test_the_page_is_told_where_its_languages_are_and_how_fields_of_terms_are_called(client: Client) -> None:
    browser = Browser(client)
    assert {"code": "id_ID", "prefix": "id", "name": "Bahasa Indonesia"} in browser.send("GET", "session").json["languages"]
    described = browser.sign_in("editor").json
    assert described["term_fields"] == {"category": "categories", "post_tag": "tags"}
