"""The types that front ends in TypeScript are written with (npm wp-types), held against answers of a served site."""

from __future__ import annotations

from typing import Any

import pytest
from served import Served, run_client

KINDS = ("posts", "pages", "media", "comments", "categories", "tags", "users", "types", "taxonomies", "statuses", "revisions")


@pytest.fixture(scope="module")
def outcome(served_as_wordpress: Served, clients: None) -> Any:
    return run_client("wp_types/check.mjs", served_as_wordpress)


@pytest.mark.parametrize("name", [*(f"{kind}_{form}" for kind in KINDS for form in ("view", "edit")), "settings", "refusals"])
def test_answers_have_their_types(outcome: Any, name: str) -> None:
    assert outcome["counts"][name] > 0
    assert outcome["complaints"][name] == []


@pytest.mark.parametrize(("name", "complaint"), [
    ("wrong_type", "Type 'string' is not assignable to type 'number'"),
    ("wrong_value", "Type '\"maybe\"' is not assignable to type"),
    ("missing", "Property 'title' is missing"),
    ("unknown", "'\"headline\"' does not exist"),
])
def test_compiler_sees_what_is_wrong(outcome: Any, name: str, complaint: str) -> None:
    assert any(complaint in localized for localized in outcome["complaints"][name])


def test_compiler_complains_about_nothing_else(outcome: Any) -> None:
    assert "program" not in outcome["complaints"]
