"""Attacks on people who are signed in on the editing page, and on its routes."""

from __future__ import annotations

import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sites import Client, Clock

import cms
from admin.pages import Browser
from admin.test_two_factor import turned_on

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{}<rect width="9" height="9" {}/></svg>'
SETTINGS = {"password_cost": "low", "background": False, "admin": True, "url": "http://localhost"}


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client(admin=True)


def cookie_of(browser: Browser) -> Any:
    return next(iter(browser.http._cookies.values()))




@pytest.mark.parametrize("is_real", [True, False])
def test_a_cookie_that_was_planted_is_nobodys_session(client: Client, is_real: bool) -> None:
    attacker, victim = Browser(client), Browser(client)
    attacker.sign_in("subscriber")
    planted = cookie_of(attacker).value if is_real else "chosen by an attacker"
    victim.http.set_cookie(cookie_of(attacker).key, planted, domain="localhost")
    victim.sign_in("administrator")

    assert cookie_of(victim).value != planted
    attacker.http.set_cookie(cookie_of(attacker).key, planted, domain="localhost")
    assert attacker.send("GET", "session").json.get("user", {}).get("username") in (None, "subscriber")


@pytest.mark.parametrize(("method", "headers"), [
    ("GET", {}), ("HEAD", {}), ("POST", {"Origin": "null"}), ("POST", {"Sec-Fetch-Site": "same-site"}), ("POST", {"Sec-Fetch-Site": "cross-site"}),
    ("POST", {"Origin": "http://cms.example.evil.example"}),
])
def test_a_page_of_another_site_signs_nobody_in(client: Client, method: str, headers: dict[str, str]) -> None:
    login, password = client.account("subscriber")
    query = {"username": login, "password": password, "_method": "POST"}
    answer = client.app.test_client().open("/admin/api/session", method=method, query_string=query, headers=headers)

    assert "Set-Cookie" not in answer.headers
    assert answer.status_code == (403 if method == "POST" else 200)


def test_a_code_that_is_sent_at_once_by_many_signs_one_in(make_client: Callable[..., Client]) -> None:
    client, clock = make_client(admin=True), Clock()
    client.site.context.runtime.now = clock
    _browser, phone, recovery = turned_on(client, clock)
    for code in (phone.code(), recovery[0]):
        clock.now += 601
        sent = phone.code() if code != recovery[0] else code
        with ThreadPoolExecutor(4) as pool:
            answers = [pool.submit(Browser(client).sign_in, code=sent) for _time in range(4)]
        assert sorted(answer.result().status_code for answer in answers) == [200, 401, 401, 401]


def test_sites_of_one_application_take_no_session_of_another(tmp_path: Path) -> None:
    app, sites, accounts = Flask("other"), [], []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        accounts.append(Client(tmp_path / name, admin=True).account("administrator"))
        sites.append(cms.init_app(app, SETTINGS, tmp_path / name, base=f"/{name}"))
    signed_in = []
    for name, (login, password) in zip(("one", "two"), accounts, strict=True):
        body = {"username": login, "password": password}
        signed_in.append(app.test_client().post(f"/{name}/admin/api/session", json=body))
    cookie, own = (answer.headers["Set-Cookie"].partition(";")[0] for answer in signed_in)
    renamed = f"{own.partition('=')[0]}={cookie.partition('=')[2]}"
    nonce = signed_in[0].json["nonce"]

    statuses = []
    for path, sent in (("/one", cookie), ("/two", cookie), ("/two", renamed)):
        headers = {"X-CMS-Nonce": nonce, "Cookie": sent}
        statuses.append(app.test_client(use_cookies=False).get(f"{path}/api/cms/v2/users/me", headers=headers).status_code)
    assert statuses == [200, 401, 401]
    for site in sites:
        site.close()


@pytest.mark.parametrize("path", ["/wp-json/wp/v2", "/api/cms/v2"])
@pytest.mark.parametrize("sent", [{}, {"X-WP-Nonce": "{nonce}"}, {"X-CMS-Nonce": "wrong"}])
def test_no_alias_takes_a_cookie_without_the_sessions_nonce(make_client: Callable[..., Client], path: str, sent: dict[str, str]) -> None:
    client = make_client(admin=True, plugins=["wp_compat"])
    browser = Browser(client)
    browser.sign_in("administrator")
    id = client.post("/posts", {"title": "Private", "status": "private"}, "administrator").json["id"]
    headers = {name: value.format(nonce=browser.nonce) for name, value in sent.items()}

    own = browser.http.get(f"{path}/posts/{id}", headers={"X-CMS-Nonce": browser.nonce})
    assert (own.status_code, own.headers["Cache-Control"]) == (200, "no-store")
    assert browser.http.get(f"{path}/posts/{id}?_wpnonce={browser.nonce}", headers=headers).status_code in (401, 403)
    assert browser.http.post(f"{path}/posts", json={"title": "Forged"}, headers=headers).status_code in (401, 403)


def test_a_drawing_that_takes_anothers_place_is_cleaned_too(make_client: Callable[..., Client]) -> None:
    client = make_client(admin=True, upload_types=["svg"])
    plain, active = SVG.format("", ""), SVG.format("<script>alert(1)</script>", 'onclick="alert(2)"')
    made = client.send("POST", "/media", "editor", data={"file": (io.BytesIO(plain.encode()), "drawing.svg")}).json
    browser = Browser(client)
    browser.sign_in("editor")
    body, headers = {"file": (io.BytesIO(active.encode()), "../../drawing.svg")}, {"X-CMS-Nonce": browser.nonce}
    replaced = browser.http.post(f"/admin/api/media/{made['id']}/file", data=body, headers=headers)

    assert (replaced.status_code, replaced.json["source_url"]) == (200, made["source_url"])
    with client.http.get(made["source_url"].removeprefix("http://cms.example")) as served:
        assert ("<rect" in served.text, "alert" in served.text) == (True, False)
        assert "sandbox" in served.headers["Content-Security-Policy"]
