"""The page at /docs: from files of the site alone, in each language, below a base, and not where it is switched off."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from sites import Client

import cms
from cms.api.docs_page import FOLDER, SERVED


def test_the_page_loads_what_lies_here_and_nothing_else(client: Client) -> None:
    page = client.get("//docs")

    assert page.mimetype == "text/html"
    assert re.findall(r'(?:src|href)="([^"]*)"', page.text) == [
        "data:,", "docs/swagger-ui.css", "api/openapi.json", "docs/swagger-ui-bundle.js", "docs/page.js"]
    assert "<script>" not in page.text
    assert "//" not in re.sub(r"// .*", "", (FOLDER / "page.js").read_text(encoding="utf-8"))
    policy = dict(part.strip().split(" ", 1) for part in page.headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert {policy[name] for name in ("script-src", "style-src", "connect-src")} == {"'self'"}
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", SERVED)
def test_files_are_served_once_to_each_browser(client: Client, name: str) -> None:
    first = client.get(f"//docs/{name}")
    again = client.get(f"//docs/{name}", headers={"If-None-Match": first.headers["ETag"]})

    assert (first.status_code, again.status_code) == (200, 304)
    assert first.headers["X-Content-Type-Options"] == "nosniff"
    assert first.data == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("path", ["LICENSE", "nothing.js", "..%2f__init__.py", "../__init__.py"])
def test_nothing_else_is_served(client: Client, path: str) -> None:
    assert client.get(f"//docs/{path}").status_code == 404


def test_the_viewers_licence_lies_beside_it() -> None:
    assert "Apache License" in (FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert (FOLDER / "NOTICE").exists()
    assert (FOLDER / "swagger-ui-bundle.js.LICENSE.txt").exists()


def test_each_language_has_the_page(client: Client) -> None:
    client.send("POST", "//id/api/cms/v2/settings", "administrator", json={"title": "Sungai <b>"})

    assert "<title>Sungai &lt;b&gt;: API</title>" in client.get("//id/docs").text
    assert client.get("//id/docs/page.js").status_code == 200
    assert client.get("//xx/docs").status_code == 404


def test_the_page_is_read_alone(client: Client) -> None:
    assert client.send("HEAD", "//docs").status_code == 200
    assert client.send("POST", "//docs", "administrator").status_code == 405


def test_the_page_can_be_switched_off(make_client: Callable[..., Client]) -> None:
    client = make_client(api_docs=False)

    assert client.get("//docs").status_code == 404
    assert client.get("//docs/page.js").status_code == 404
    assert client.get("//api/openapi.json").status_code == 200


def test_the_page_lies_below_the_base(client: Client, tmp_path: Path) -> None:
    app = Flask("other")
    site = cms.init_app(app, {"password_cost": "low", "background": False}, client.site.config.instance, base="/backend")
    browser = app.test_client()

    assert browser.get("/backend/docs").status_code == 200
    assert browser.get("/backend/docs/page.js").status_code == 200
    assert browser.get("/docs").status_code == 404
    assert browser.get("/backend/api/openapi.json").json["servers"] == [{"url": f"{site.url}/backend/api"}]
    site.close()


@pytest.mark.parametrize(("first", "config", "answer"), [
    ("application", {}, "mine"), ("site", {}, "swagger-ui"), ("site", {"api_docs": False}, "mine"),
], ids=["its own first", "the site first", "switched off"])
def test_an_application_with_docs_of_its_own(client: Client, first: str, config: dict[str, bool], answer: str) -> None:
    """Of two routes for one address Flask takes the one that was added first."""
    app = Flask("other")

    def add_site() -> None:
        cms.init_app(app, {"password_cost": "low", "background": False, **config}, client.site.config.instance)

    def add_own() -> None:
        app.add_url_rule("/docs", "mine", lambda: "mine")

    for add in (add_own, add_site) if first == "application" else (add_site, add_own):
        add()
    browser = app.test_client()

    assert answer in browser.get("/docs").text
    assert browser.get("/api/openapi.json").status_code == 200
