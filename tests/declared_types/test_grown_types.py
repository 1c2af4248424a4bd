"""Indexes of a type that grows: made by the timed work, or by the doctor, without anybody's asking."""

from __future__ import annotations

from typing import Any

import pytest
from servers import SERVER
from type_files import CHEF, FILES

from cms.db import indexes

FILTER = "plugin_field_content_recipe__serves_filter"
INDEXES = {
    True: "SELECT indexname AS name FROM pg_indexes WHERE indexname GLOB 'plugin_field_*' AND NOT indexdef GLOB '*UNIQUE*'",
    False: "SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB 'plugin_field_*' AND NOT sql GLOB '*UNIQUE*'",
}


@pytest.fixture
def growing(declared: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A site that counts three items as many, and has so many recipes."""
    monkeypatch.setattr(indexes, "FEW", 2)
    chef = CHEF.replace("contexts", "filterable = true\ncontexts")
    site = declared(**{**FILES, "chef": chef})
    site.opened_client = site.client()
    for number in range(3):
        site.opened_client.new("/recipes", title=str(number), status="publish", serves=number + 1)
    site.opened_client.new("/chefs", title="Ann", status="publish")
    return site


def present(client: Any) -> set[str]:
    return {row["name"] for row in client.site.database.rows(INDEXES[bool(SERVER)])}


@pytest.mark.files_only
def test_the_timed_work_makes_those_of_a_type_that_has_grown(growing: Any) -> None:
    client = growing.opened_client
    assert present(client) == set()
    client.site.worker.run_due()
    assert present(client) == {FILTER, "plugin_field_content_recipe__serves_order"}
    seen = client.statements(lambda: client.get("/recipes?serves=2"))
    statement = next(sql for sql in seen if "LIMIT" in sql)
    plan = client.site.database.rows(f"EXPLAIN QUERY PLAN {statement}")
    assert FILTER in "\n".join(row["detail"] for row in plan)
    assert growing.json("migrate")["applied"] == []


def test_a_site_of_very_many_items_is_left_to_the_command(growing: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexes, "MANY", 3)
    growing.opened_client.site.worker.run_due()
    assert present(growing.opened_client) == set()
    assert f"index {FILTER}" in growing.json("migrate")["applied"]


def test_the_doctor_names_them_and_makes_them(growing: Any) -> None:
    # It ends with 1, since passwords are hashed cheaply in tests.
    (finding,) = [each for each in growing.json("doctor", code=1)["findings"] if each["check"] in ("grown-types", "schema")]
    assert (finding["check"], finding["level"]) == ("grown-types", "note")
    assert FILTER in finding["what"]
    assert FILTER in growing.json("doctor", "--fix", code=1)["repaired"]["grown-types"]
    assert FILTER in present(growing.opened_client)
    assert "grown-types" not in str(growing.json("doctor", code=1))
