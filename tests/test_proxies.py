"""Behind proxies: whose word counts about the client, what uses its address, which hosts a site answers to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from adapter import copy_ready_site
from flask import Flask, request
from sites import Client, basic

from cms import init_app
from cms.access.proxies import TrustedProxies
from cms.config import ConfigError, load_config, proxies

PROXY, CDN, CLIENT, STRANGER = "127.0.0.1", "10.1.2.3", "192.0.2.7", "198.51.100.9"
TRUSTED = "127.0.0.1, 10.0.0.0/8, 2001:db8::/32"


@pytest.mark.parametrize(("trusted", "peer", "header", "expected"), [
    ("", PROXY, CLIENT, PROXY),
    ("", PROXY, None, PROXY),
    (TRUSTED, PROXY, None, PROXY),
    (TRUSTED, PROXY, "", PROXY),
    (TRUSTED, PROXY, CLIENT, CLIENT),
    (TRUSTED, STRANGER, CLIENT, STRANGER),
    (TRUSTED, PROXY, f"{CLIENT}, {CDN}", CLIENT),
    (TRUSTED, PROXY, f"{STRANGER}, {CLIENT}, {CDN}", CLIENT),
    (TRUSTED, PROXY, f"127.0.0.1, 10.0.0.1, {CLIENT}", CLIENT),
    (TRUSTED, PROXY, f"{CDN},{CDN}", CDN),
    (TRUSTED, PROXY, "127.0.0.1", "127.0.0.1"),
    (TRUSTED, PROXY, f"{CLIENT}, unknown", PROXY),
    (TRUSTED, PROXY, f"{CLIENT}, unknown, {CDN}", CDN),
    (TRUSTED, PROXY, f"{CLIENT}, ", PROXY),
    (TRUSTED, PROXY, "<script>", PROXY),
    (TRUSTED, PROXY, f"{CLIENT}:40312", CLIENT),
    (TRUSTED, PROXY, f'"{CLIENT}"', CLIENT),
    (TRUSTED, PROXY, "[2001:4860::1]:443", "2001:4860::1"),
    (TRUSTED, PROXY, "2001:4860::1", "2001:4860::1"),
    (TRUSTED, "2001:db8::5", CLIENT, CLIENT),
    (TRUSTED, "::ffff:127.0.0.1", f"::ffff:{CLIENT}", CLIENT),
    (TRUSTED, PROXY, f"{CLIENT}, ::ffff:10.0.0.1", CLIENT),
    (TRUSTED, PROXY, "٢.1.1.1", PROXY),
    (TRUSTED, PROXY, "1" * 5000, PROXY),
    (TRUSTED, PROXY, ",".join([STRANGER] * 900), STRANGER),
    (TRUSTED, "", CLIENT, ""),
    ("unix", "", CLIENT, CLIENT),
    ("unix", PROXY, CLIENT, PROXY),
    ("unix", "", f"{STRANGER}, {CLIENT}", CLIENT),
    ("0.0.0.0/0", STRANGER, f"{CLIENT}, {CDN}", CLIENT),
])
def test_the_client_is_the_last_hop_that_isnt_trusted(trusted: str, peer: str, header: str | None,
                                                      expected: str) -> None:
    headers = {} if header is None else {"HTTP_X_FORWARDED_FOR": header}

    assert TrustedProxies(proxies(trusted)).origin(peer, "http", headers).address == expected


@pytest.mark.parametrize(("peer", "told", "expected"), [
    (PROXY, "https", "https"), (PROXY, "HTTPS", "https"), (PROXY, "http", "http"), (PROXY, "http, https", "https"),
    (PROXY, "", "http"), (PROXY, "javascript", "http"), (STRANGER, "https", "http"),
])
def test_the_scheme_is_a_trusted_proxys_word(peer: str, told: str, expected: str) -> None:
    headers = {"HTTP_X_FORWARDED_PROTO": told}

    assert TrustedProxies(proxies(TRUSTED)).origin(peer, "http", headers).scheme == expected


@pytest.mark.parametrize(("name", "value"), [
    ("trusted_proxies", "localhost"), ("trusted_proxies", "10.0.0.1/8"), ("trusted_proxies", "*"),
    ("trusted_proxies", ["127.0.0.1", "300.1.1.1"]), ("trusted_proxies", 7),
    ("allowed_hosts", "https://example.org"), ("allowed_hosts", "example.org:80"), ("allowed_hosts", "*"),
    ("allowed_hosts", "a b"),
])
def test_a_setting_that_isnt_one_stops_the_start(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=name):
        load_config("nowhere", {name: value}, environ={})


# What uses the address.


@pytest.fixture
def behind(make_client: Callable[..., Client]) -> Client:
    """A site that trusts one proxy and has small limits."""
    return make_client(trusted_proxies=["127.0.0.1"], sign_in_failures=2, sign_in_failures_address=3,
                       comment_interval=60, anonymous_comments=True)


def through(client: str, peer: str = PROXY) -> dict[str, Any]:
    return {"environ_base": {"REMOTE_ADDR": peer}, "headers": {"X-Forwarded-For": client}}


def guess(site: Client, sent: dict[str, Any], password: str = "wrong") -> int:
    headers = {**sent["headers"], "Authorization": basic("admin", password)}
    return site.get("/users/me", headers=headers, environ_base=sent["environ_base"]).status_code


def test_failures_of_one_client_bar_no_other_behind_the_proxy(behind: Client) -> None:
    failed = [guess(behind, through(STRANGER), f"wrong {number}") for number in range(4)]

    assert failed == [401, 401, 429, 429]
    assert guess(behind, through(CLIENT)) == 401


def test_a_stranger_isnt_another_client_for_saying_so(behind: Client) -> None:
    failed = [guess(behind, through(f"203.0.113.{number}", STRANGER)) for number in range(4)]
    behind_proxy = [guess(behind, through(f"203.0.113.{number}, {CLIENT}")) for number in range(4)]

    assert failed == behind_proxy == [401, 401, 429, 429]


def test_without_the_setting_nobody_is_believed(make_client: Callable[..., Client]) -> None:
    site = make_client(sign_in_failures=2)

    assert [guess(site, through(f"203.0.113.{number}")) for number in range(3)] == [401, 401, 429]


def test_comments_have_the_clients_address_and_pauses_are_its_own(behind: Client) -> None:
    post = behind.new("/posts", title="Item", status="publish")["id"]
    body = {"post": post, "author_name": "A", "author_email": "a@example.org"}

    codes = [behind.send("POST", "/comments", json={**body, "content": text}, **through(address)).status_code
             for text, address in (("One", CLIENT), ("Two", CLIENT), ("Three", STRANGER))]

    listed = behind.get("/comments?context=edit&status=all&orderby=id&order=asc", "administrator").json
    assert codes == [201, 429, 201]
    assert [comment["author_ip"] for comment in listed] == [CLIENT, STRANGER]


def test_tokens_tell_the_clients_address(behind: Client) -> None:
    token = behind.site.tokens.create(1, "Name", "read", None)[1]
    sent = through(CLIENT)
    behind.get("/users/me", environ_base=sent["environ_base"],
               headers={**sent["headers"], "Authorization": f"Bearer {token}"})

    assert behind.site.tokens.list()[0]["used_from"] == CLIENT


def test_plugins_and_the_servers_log_see_the_client(extended: Callable[..., Client]) -> None:
    client = extended("""
@hookimpl
def authenticate(request):
    seen.append(request.address)

@hookimpl
def wrap_wsgi(application, site):
    def around(environ, start_response):
        seen.append((environ["REMOTE_ADDR"], environ["wsgi.url_scheme"]))
        return application(environ, start_response)
    return around
""", trusted_proxies=["127.0.0.1"])
    environ = {"REMOTE_ADDR": PROXY}
    client.http.get("/api/", environ_overrides=environ,
                    headers={"X-Forwarded-For": CLIENT, "X-Forwarded-Proto": "https"})

    seen = __import__("plugin_one").seen
    assert (CLIENT, "https") in seen
    assert CLIENT in seen


def test_inside_another_application_its_own_routes_are_left_alone(tmp_path: Any) -> None:
    copy_ready_site(tmp_path)
    app = Flask("outer")
    app.add_url_rule("/own", "own", lambda: request.remote_addr or "")
    site = init_app(app, {"trusted_proxies": PROXY, "allowed_hosts": "only.example", "background": False}, tmp_path,
                    base="/backend")
    sent = {"environ_base": {"REMOTE_ADDR": PROXY}, "headers": {"X-Forwarded-For": CLIENT}}
    with app.test_client() as http:
        own, inner = http.get("/own", **sent), http.get("/backend/api/", **sent)
    site.close()

    assert own.text == PROXY
    assert inner.status_code == 400


# Hosts.


HOSTS = [
    ("cms.example", 200), ("CMS.Example", 200), ("cms.example:8443", 200), ("www.front.example", 200),
    ("front.example", 200), ("local", 200), ("evil.example", 400), ("cms.example.evil.example", 400),
    ("xfront.example", 400), ("cms.example@evil.example", 400), ("127.0.0.1", 400), ("[::1]", 400), ("a/b", 400),
]


@pytest.mark.parametrize(("host", "status"), HOSTS)
@pytest.mark.parametrize("path", ["/", "/api/", "/api/cms/v2/posts", "/uploads/a.png", "/nowhere"])
def test_hosts_that_arent_listed_are_refused(make_client: Callable[..., Client], host: str, status: int,
                                             path: str) -> None:
    client = make_client(allowed_hosts=[".front.example", "local"])
    answer = client.http.get(path, headers={"Host": host})

    assert (answer.status_code == 400) == (status == 400)
    if status == 400:
        assert answer.json["code"] == "rest_host_not_allowed"
        assert answer.headers["Cache-Control"] == "no-store"
        assert host not in answer.text


@pytest.fixture(params=["", "wp_compat"])
def aliased(make_client: Callable[..., Client], request: pytest.FixtureRequest) -> Client:
    """A site with and without aliases of its addresses."""
    return make_client(plugins=[request.param] if request.param else [])


@pytest.mark.parametrize("path", [
    "", "//", "//x", "/uploads//x", "//uploads/x", "/uploads", "/uploads/", "/uploads//", "/api", "//api/", "/api//cms/v2",
    "/api/cms//v2/posts", "/api/cms/v2/posts/", "/api/cms/v2//posts/1", "/id//api/", "/id/api", "/wp-json",
    "//wp-json//wp/v2/posts", "/wp-json//", "/%2f%2fevil.example", "/uploads/%2f%2fevil.example/..",
    "/?rest_route=//evil.example", "/\\evil.example", "/uploads/..//x",
])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_address_is_made_of_the_host_that_was_asked(aliased: Client, path: str, method: str) -> None:
    address, _mark, query = path.partition("?")
    answer = aliased.http.open("/", method=method, query_string=query, environ_overrides={"PATH_INFO": unquote(address)}, headers={
        "Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/evil.example"})

    assert answer.status_code not in (301, 302, 303, 307, 308)
    assert "Location" not in answer.headers
    assert "evil.example" not in answer.headers.get("Link", "")
    assert "http://evil.example" not in answer.text
