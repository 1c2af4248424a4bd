"""What browsers are told of every answer: no guessed types, no referrers, HTTPS alone where the settings say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sites import Client
from werkzeug.datastructures import Headers

PATHS = ["/", "/healthz", "/readyz", "/nowhere", "/uploads/nowhere.png", "/uploads/2026/01/a.svg", "/api/", "/api/nowhere",
         "/api/cms/v2/posts", "/id/api/cms/v2/posts", "/api/cms/v2/users", "/api/cms/v2/posts?_envelope"]


def headers_of(client: Client, path: str) -> Headers:
    with client.http.get(path) as answer:
        return answer.headers


@pytest.fixture
def filled(make_client: Callable[..., Client]) -> Callable[..., Client]:
    def make(**settings: Any) -> Client:
        client = make_client(**settings)
        folder = client.site.config.uploads / "2026" / "01"
        folder.mkdir(parents=True)
        for ending in ("svg", "html", "xml", "png", "pdf"):
            (folder / f"a.{ending}").write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
        return client

    return make


@pytest.mark.parametrize("path", PATHS)
def test_types_arent_guessed_and_referrers_arent_sent(filled: Callable[..., Client], path: str) -> None:
    client = filled()
    for _turn in range(2):  # the second one is kept, where answers are
        headers = headers_of(client, path)
        assert headers.getlist("X-Content-Type-Options") == ["nosniff"]
        assert headers.getlist("Referrer-Policy") == ["no-referrer"]
        assert "Strict-Transport-Security" not in headers


@pytest.mark.parametrize("path", PATHS)
def test_browsers_are_told_to_come_by_https(filled: Callable[..., Client], path: str) -> None:
    client = filled(url="https://www.example.org", hsts_seconds=3600)
    for _turn in range(2):
        assert headers_of(client, path).getlist("Strict-Transport-Security") == ["max-age=3600"]


def test_a_site_that_speaks_http_doesnt_tell_them(filled: Callable[..., Client]) -> None:
    client = filled(url="http://www.example.org", hsts_seconds=3600)
    assert "Strict-Transport-Security" not in headers_of(client, "/api/")


@pytest.mark.parametrize(("ending", "opens"), [("svg", True), ("html", False), ("xml", False), ("png", True)])
def test_nothing_in_a_file_is_run(filled: Callable[..., Client], ending: str, opens: bool) -> None:
    headers = headers_of(filled(), f"/uploads/2026/01/a.{ending}")

    assert "sandbox" in headers["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "script-src" not in headers["Content-Security-Policy"]
    assert headers["Content-Disposition"].startswith("inline" if opens else "attachment")
