"""Random requests to every route: none is answered by an error of the server's or by what isn't declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzing.running import Cursor, Run
from fuzzing.shapes import Shape

SEED = 20


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path, SEED)


def test_random_requests_get_declared_answers_and_stay_out_of_statements(run: Run) -> None:
    run.send(400)
    run.close()

    assert [str(finding) for finding in run.findings] == []
    assert run.sent == 400
    assert {200, 400, 401, 403, 404} <= run.statuses.keys()


def test_text_in_a_statement_is_noticed(run: Run) -> None:
    Cursor.found.clear()
    run.client.site.database.execute("UPDATE content SET title = title WHERE title = ?", ("zqxmark",))
    assert Cursor.found == []

    run.client.site.database.execute("UPDATE content SET title = title WHERE title = 'zqxmark'")
    run.close()
    assert len(Cursor.found) == 1


@pytest.mark.parametrize(("item", "told"), [
    ({"id": 1, "title": {"raw": "x"}}, []),
    ({"id": "1"}, ["id is '1', declared ['integer', 'null']"]),
    ({"title": {"raw": 1}}, ["title.raw is 1, declared ['string', 'null']"]),
    ({"password": "x"}, ["password isn't declared for view"]),
    ({"hash": "x"}, ["hash isn't declared"]),
    ([], ["an item is list"]),
])
def test_what_isnt_declared_is_noticed(item: object, told: list[str]) -> None:
    title = {"type": "object", "context": ["view"], "properties": {"raw": {"type": "string"}}}
    shape = Shape({"properties": {"id": {"type": "integer", "context": ["view"]}, "title": title,
                                  "password": {"type": "string", "context": ["edit"]}}})

    assert list(shape.faults(item, "view")) == told
