"""The page at /admin: its files and nothing else, below a base too, and not where it is switched off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from sites import Client

import cms
from cms.admin.files import FOLDER, TYPES


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client(admin=True)


def test_the_address_leads_to_the_page(client: Client) -> None:
    first = client.get("//admin")

    assert (first.status_code, first.headers["Location"]) == (308, "admin/")
    assert client.get("//admin/").mimetype == "text/html"
    assert client.get("//admin/").data == (FOLDER / "index.html").read_bytes()


def test_nothing_of_the_page_comes_from_elsewhere(client: Client) -> None:
    headers = client.get("//admin/").headers

    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy == {
        "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "font-src": "'self'", "img-src": "'self' data: blob:",
        "media-src": "'self'", "connect-src": "'self'", "frame-src": "'none'", "base-uri": "'none'", "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-cache"


def test_the_front_end_may_stand_in_a_frame(make_client: Callable[..., Client]) -> None:
    client = make_client(admin=True, preview_url="https://www.example.org:8443/preview/{id}?token={token}")

    assert "frame-src https://www.example.org:8443;" in client.get("//admin/").headers["Content-Security-Policy"]


def test_each_file_is_served_once_to_each_browser(client: Client) -> None:
    for path in FOLDER.rglob("*"):
        if path.suffix in TYPES:
            address = f"//admin/assets/{path.relative_to(FOLDER).as_posix()}"
            first = client.get(address)
            again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
            assert (first.status_code, first.mimetype, again.status_code) == (200, TYPES[path.suffix], 304)
            assert first.headers["Content-Security-Policy"]
            assert first.data == path.read_bytes()


@pytest.mark.parametrize("path", [
    "", "nothing.js", "index.html", "../files.py", "..%2ffiles.py", "%2e%2e/files.py", "/etc/passwd", "//main.js", "main.js/", "./main.js", "main.js%00"])
def test_nothing_else_is_served(client: Client, path: str) -> None:
    assert client.get(f"//admin/assets/{path}").status_code == 404


def test_the_page_is_read_alone(client: Client) -> None:
    assert client.send("HEAD", "//admin/").status_code == 200
    assert client.send("POST", "//admin/", "administrator").status_code == 405


@pytest.mark.parametrize("path", ["/admin", "/admin/", "/admin/assets/main.js", "/admin/api/session"])
def test_the_page_can_be_switched_off(make_client: Callable[..., Client], path: str) -> None:
    assert make_client(admin=False).get(f"/{path}").status_code == 404


def test_the_page_lies_below_the_base(client: Client) -> None:
    app = Flask("other")
    settings = {"password_cost": "low", "background": False, "admin": True}
    site = cms.init_app(app, settings, Path(client.site.config.instance), base="/backend")
    browser = app.test_client()

    assert browser.get("/backend/admin").headers["Location"] == "admin/"
    assert browser.get("/backend/admin/").status_code == 200
    assert browser.get("/backend/admin/assets/main.js").status_code == 200
    assert browser.get("/admin/").status_code == 404
    site.close()


def test_discovery_is_the_same_with_the_page_and_without(client: Client, make_client: Callable[..., Client]) -> None:
    with_page = client.get("//api/").json
    assert with_page == make_client(admin=False).get("//api/").json
    assert "admin" not in " ".join(with_page["routes"])
