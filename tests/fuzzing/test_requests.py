"""Random requests to every route: none is answered by an error of the server's or by what isn't declared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse, create_environ
from werkzeug.wrappers import Request

from cms.api.openapi.common import shared_schemas
from fuzzing.running import Cursor, Run
from fuzzing.shapes import Answers

SEED = 20
THING = r"/things/(?P<id>[\d]+)"
REQUEST = Request(create_environ())


def answer(body: object, status: int = 200, headers: dict[str, str] | None = None) -> TestResponse:
    """Return an answer as clients of the tests get it."""
    named = Headers({"Content-Type": "application/json", **(headers or {})})
    return TestResponse([json.dumps(body).encode()], str(status), named, REQUEST)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path, SEED)


@pytest.mark.parametrize("number", [100, pytest.param(400, marks=pytest.mark.long)])
def test_random_requests_get_declared_answers_and_stay_out_of_statements(run: Run, number: int) -> None:
    run.send(number)
    run.close()

    assert [str(finding) for finding in run.findings] == []
    assert run.sent == number
    assert {200, 400, 401, 403, 404} <= run.statuses.keys()


def test_text_in_a_statement_is_noticed(run: Run) -> None:
    Cursor.found.clear()
    run.client.site.database.execute("UPDATE content SET title = title WHERE title = ?", ("zqxmark",))
    assert Cursor.found == []

    run.client.site.database.execute("UPDATE content SET title = title WHERE title = 'zqxmark'")
    run.close()
    assert len(Cursor.found) == 1


@pytest.fixture(scope="module")
def answers() -> Answers:
    item = {"type": "object", "required": ["id", "title"], "properties": {
        "id": {"type": "integer"}, "title": {"type": "object", "properties": {"raw": {"type": "string"}}},
        "made": {"type": ["string", "null"], "format": "date-time"}, "link": {"type": "string", "format": "uri"}}}
    count = {"X-WP-Total": {"schema": {"type": "integer"}}}
    response = {"description": "", "headers": count, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}
    refused = {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
    return Answers({
        "paths": {"/things/{id}": {"get": {"operationId": "getThing", "responses": {"200": response, "default": refused}}}},
        "components": {"schemas": {"Thing": item, **shared_schemas()}},
    })


@pytest.mark.parametrize(("item", "told"), [
    ({"id": 1, "title": {"raw": "x"}, "made": None}, []),
    ({"id": "1", "title": {}}, ["id: '1' is not of type 'integer'"]),
    ({"id": 1, "title": {"raw": 1}}, ["title.raw: 1 is not of type 'string'"]),
    ({"id": 1}, ["the answer: 'title' is a required property"]),
    ({"id": 1, "title": {}, "hash": "x"}, ["the answer: Additional properties are not allowed ('hash' was unexpected)"]),
    ({"id": 1, "title": {}, "made": "2021-02-30T00:00:00Z"}, ["made: '2021-02-30T00:00:00Z' is not a 'date-time'"]),
    ({"id": 1, "title": {}, "link": "a b"}, ["link: 'a b' is not a 'uri'"]),
    ([], ["the answer: [] is not of type 'object'"]),
])
def test_what_isnt_declared_is_noticed(answers: Answers, item: object, told: list[str]) -> None:
    assert list(answers.faults(THING, "GET", answer(item))) == told


def test_of_chosen_fields_and_envelopes_the_rest_is_looked_at(answers: Answers) -> None:
    wrapped = {"status": 200, "headers": {}, "body": {"id": "1", "title": {}}}

    assert list(answers.faults(THING, "GET", answer({"id": 1}), chosen=True)) == []
    assert list(answers.faults(THING, "GET", answer({"id": "1"}), chosen=True)) == ["id: '1' is not of type 'integer'"]
    assert list(answers.faults(THING, "GET", answer(wrapped), envelope=True)) == ["id: '1' is not of type 'integer'"]


@pytest.mark.parametrize(("made", "told"), [
    (answer({"code": "a", "message": "b", "data": {"status": 404}}, 404), []),
    (answer({"code": "a", "message": "b", "data": {"status": 400}}, 404), ["a refusal tells another status than it has"]),
    (answer({"code": "a", "message": "b"}, 404), ["the answer: 'data' is a required property", "a refusal tells another status than it has"]),
    (answer({"id": 1, "title": {}}, 201), ["201 isn't declared"]),
    (TestResponse([b"x"], "200 OK", Headers({"Content-Type": "text/plain"}), REQUEST), ["text/plain isn't declared for 200"]),
    (answer({"id": 1, "title": {}}, 200, {"X-WP-Total": "many"}), ["X-WP-Total is many"]),
])
def test_refusals_statuses_and_headers_are_looked_at(answers: Answers, made: TestResponse, told: list[str]) -> None:
    assert list(answers.faults(THING, "GET", made)) == told
