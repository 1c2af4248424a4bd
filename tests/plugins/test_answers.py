"""Routes of plugins that answer with something else than JSON."""

from __future__ import annotations

from typing import Any

import pytest
from sites import Client

PLAIN = '''
@hookimpl
def register_routes():
    def answer(call):
        return Answer("größer".encode(), 203, content_type="text/plain; charset=utf-8", location="/there")

    return [Route("/plain", (Endpoint(GET, answer, PUBLIC),), "acme/v1")]
'''


@pytest.fixture
def client(plugged: Any) -> Client:
    return plugged(plain=PLAIN).client()


@pytest.mark.parametrize("query", ["", "?_envelope", "?_embed&_fields=id"])
def test_bytes_are_sent_as_they_are(client: Client, query: str) -> None:
    answer = client.get(f"//api/acme/v1/plain{query}")

    assert (answer.status_code, answer.text) == (203, "größer")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert (answer.headers["Allow"], answer.headers["Location"]) == ("GET", "/there")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_head_tells_the_length(client: Client) -> None:
    answer = client.send("HEAD", "//api/acme/v1/plain")

    assert (answer.data, answer.headers["Content-Length"]) == (b"", "8")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"


def test_refusals_are_json(client: Client) -> None:
    answer = client.post("//api/acme/v1/plain")

    assert (answer.status_code, answer.json["code"]) == (404, "rest_no_route")
