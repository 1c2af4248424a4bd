"""A site on PostgreSQL answers generated requests as one in a file does; `bench/engines.py` sends any number of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from engines.running import ROOT, Run
from servers import SERVER

pytestmark = pytest.mark.skipif(not SERVER, reason="CMS_TEST_DATABASE names no server of PostgreSQL")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    run = Run(tmp_path_factory.mktemp("engines"), 1)
    yield run
    run.close()


def test_both_engines_answer_generated_requests_alike(run: Run) -> None:
    run.send(150)
    run.compare_rows()

    assert [str(difference) for difference in run.differences] == []
    assert {200, 201, 400, 401, 403, 404} <= run.statuses.keys()


def test_another_answer_and_another_row_are_noticed(run: Run) -> None:
    run.twins.clients[1].site.settings.write({"title": "Other"})

    found = run.twins.ask(ROOT)[1]

    assert ("GET /: text", '"name":"Other"' in found[-1].told[1]) == (found[-1].kind, True)
    assert "rows of options" in [difference.kind for difference in run.twins.compare_rows()]
