"""Requests that schemathesis makes of the OpenAPI document are answered as it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cms.api.openapi import documents

if TYPE_CHECKING:
    from fuzzing.generated import GeneratedRun

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("default")]


def run_of(folder: Path) -> GeneratedRun:
    from fuzzing.generated import GeneratedRun  # seconds, which collecting tests shouldn't take

    return GeneratedRun(folder, 1)


def test_generated_requests_get_described_answers(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    for number in range(2):
        run.send(2, number)

    assert run.findings == {}
    assert run.sent > 300
    assert {200, 201, 400, 401, 404} <= run.statuses.keys()


def test_an_answer_that_isnt_described_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    describe = documents.describe_api

    def narrowed(*arguments: Any) -> dict[str, Any]:
        document = describe(*arguments)
        for name in ("Status", "StatusEdit", "StatusEmbed"):
            document["components"]["schemas"][name]["properties"]["name"] = {"type": "integer"}
        return document

    monkeypatch.setattr(documents, "describe_api", narrowed)
    run = run_of(tmp_path)
    run.send(2, path="/cms/v2/statuses")

    assert any(place.startswith("GET /cms/v2/statuses 200") for place in run.findings)
