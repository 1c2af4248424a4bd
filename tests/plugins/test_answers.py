"""Routes of plugins that answer with something else than JSON, or check arguments by methods of their own."""

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


CHECKED = """
from marshmallow import ValidationError, validates_schema
from cms.plugin import ArgumentSchema, extend

class Span(ArgumentSchema):
    first = Integer(_("The first one."))
    last = Integer(_("The last one."))

    @validates_schema
    def check(self, values, **kwargs):
        if values["first"] > values["last"]:
            raise ValidationError("This is before the first one.", "last")

@hookimpl
def register_routes():
    args = extend(Span, {"by": Integer(_("In steps of."), default=1)})
    return [Route("/span", (Endpoint(GET, lambda call: Answer(call.args), PUBLIC, args),), "acme/v1")]
"""


def test_arguments_may_have_methods_of_marshmallow_that_those_made_of_them_have_too(plugged: Any) -> None:
    client = plugged(spans=CHECKED).client()

    assert client.get("//api/acme/v1/span?first=1&last=2").json["by"] == 1
    refused = client.get("//api/acme/v1/span?first=3&last=2")
    assert (refused.status_code, refused.json["data"]["params"]) == (400, {"last": "This is before the first one."})
