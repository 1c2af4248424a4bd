"""What no route takes: the site's own JSON, whatever is odd about address and method."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sites import Client
from werkzeug.test import TestResponse

from cms.app import init_app

ODD = [
    ("GET", "/api/cms/v2/posts/1%0a"), ("GET", "/api/cms/v2/posts%0a"), ("FOO", "/api/cms/v2/posts"), ("FOO", "/api/cms/v2/nothing"),
    ("TRACE", "/api/cms/v2/posts"), ("GET", "/api//cms/v2/posts"), ("GET", "/api/cms//v2/posts"),
    ("GET", "/api/cms/v2/posts//1"), ("GET", "/api/cms/v2/posts/1%00"), ("GET", "/api/%0a"), ("GET", "/api/cms/v2/%2e%2e/posts"),
    ("FOO", "/id/api/cms/v2/posts"), ("GET", "/id/api//posts"), ("DELETE", "/api/cms/v2/posts"), ("GET", "/api/cms/v2/%ff%fe"),
]
ELSEWHERE = [
    ("POST", "/", 405), ("FOO", "/", 405), ("GET", "/nothing", 404), ("GET", "//wp-json//wp/v2/posts", 404),
    ("GET", "/wp-json/", 404), ("POST", "/uploads/x.png", 405), ("GET", "/uploads/x.png", 404), ("GET", "/uploads//x", 404),
    ("GET", "/%0a", 404), ("GET", "//evil.example/%2f..", 404), ("GET", "/api.php", 404),
]


def ask(http: FlaskClient, method: str, path: str) -> TestResponse:
    """Send a request to an address as it stands, which clients would put straight."""
    return http.open("/", method=method, headers={"Host": "evil.example"}, environ_overrides={
        "PATH_INFO": unquote(path, "latin-1"), "REQUEST_URI": path, "RAW_URI": path})


def is_own_refusal(answer: TestResponse) -> bool:
    headers = answer.headers
    return (headers["Content-Type"].startswith("application/json") and headers["X-Content-Type-Options"] == "nosniff"
            and headers["Cache-Control"] == "no-store" and answer.json["data"]["status"] == answer.status_code)


@pytest.mark.parametrize(("method", "path"), ODD)
def test_below_the_api_all_is_json(client: Client, method: str, path: str) -> None:
    answer = ask(client.http, method, path)

    assert (answer.status_code, answer.json["code"]) == (404, "rest_no_route")
    assert is_own_refusal(answer)
    assert "Access-Control-Allow-Origin" in answer.headers


@pytest.mark.parametrize(("method", "path", "status"), ELSEWHERE)
def test_a_site_of_its_own_answers_everywhere_in_json(client: Client, method: str, path: str, status: int) -> None:
    answer = ask(client.http, method, path)

    assert answer.status_code == status
    assert is_own_refusal(answer)
    assert "evil.example" not in str(answer.headers)
    assert status != 405 or "GET" in answer.headers["Allow"]


def test_in_another_application_that_one_answers_beside_the_site(make_client: Callable[..., Client]) -> None:
    folder = make_client().site.config.instance
    app = Flask("host")
    site = init_app(app, {"background": False}, folder, base="/cms")
    http = app.test_client()

    assert http.get("/nothing").content_type.startswith("text/html")
    assert http.get("/cms/nothing").content_type.startswith("text/html")
    for method, path in ODD:
        assert is_own_refusal(ask(http, method, f"/cms{path}")), path
    site.close()
