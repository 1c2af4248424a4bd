"""A site's own application matches paths and sends answers as Flask does, the second time too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, Response, request
from test_embedding import CONFIG, folder

import cms

ITEMS = "/api/cms/v2/categories"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """The application of one site."""
    made = cms.create_app(CONFIG, folder(tmp_path))
    yield made
    made.extensions["cms"].close()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", f"{ITEMS}/1", 200),
        ("HEAD", f"{ITEMS}/1", 200),
        ("GET", f"{ITEMS}/999", 404),
        ("POST", f"{ITEMS}/1", 401),
        ("GET", "/api/nowhere", 404),
        ("POST", "/", 405),
    ],
)
def test_a_path_leads_to_the_same_whenever_it_is_asked_for(
    app: Flask, method: str, path: str, status: int
) -> None:
    answers = [app.test_client().open(path, method=method) for _time in range(3)]

    assert [answer.status_code for answer in answers] == [status] * 3
    assert len({answer.data for answer in answers}) == 1


def test_a_known_path_gives_way_to_a_route_that_is_added(app: Flask) -> None:
    with app.test_request_context("/api/later"):
        assert request.view_args == {"rest": "later"}
    app.add_url_rule("/api/later", "later", lambda: "Here")

    assert app.test_client().get("/api/later").data == b"Here"


def test_what_is_added_after_a_request_is_sent(app: Flask) -> None:
    ended: list[str] = []

    @app.after_request
    def change(response: Response) -> Response:
        response.headers["X-Mark"] = "1"
        response.set_data(b"{}")
        response.call_on_close(lambda: ended.append("closed"))
        return response

    answer = app.test_client().get(f"{ITEMS}/1")

    assert (answer.data, answer.headers["X-Mark"], answer.headers["Content-Length"]) == (b"{}", "1", "2")
    answer.close()
    assert ended
