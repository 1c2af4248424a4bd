"""The npm client wpapi with the routes that it brings along, under the addresses of WordPress."""

from __future__ import annotations

from typing import Any

import pytest
from served import Served, run_client


@pytest.fixture(scope="module")
def outcome(served_as_wordpress: Served, clients: None) -> Any:
    return run_client("wpapi/default_routes.mjs", served_as_wordpress)


@pytest.mark.parametrize(("what", "wanted"), [
    ("embedded", "themedemos"), ("found", ["template-sticky"]), ("pages", 21), ("page", "page"),
    ("media", ["image", "image"]), ("tags", ["sticky", "template"]), ("comments", 3),
    ("types", ["post", "page", "attachment"]), ("statuses", ["publish"]), ("taxonomies", ["category", "post_tag"]),
    ("taxonomy", "categories"), ("me", "admin"), ("settings", "UTC"),
])
def test_each_default_route_is_read(outcome: Any, what: str, wanted: Any) -> None:
    assert outcome["read"][what] == wanted


def test_lists_are_paged_ordered_and_narrowed(outcome: Any) -> None:
    read = outcome["read"]

    assert (len(read["posts"]["ids"]), read["posts"]["total"], read["posts"]["pages"]) == (5, 49, 10)
    assert len(read["ofCategory"]) == 6
    assert 0 < read["before"] < 49
    assert "themedemos" in read["users"]


def test_refusals_are_told(outcome: Any) -> None:
    assert outcome["read"]["revisions"]["status"] == 401
    assert (outcome["written"]["refused"]["code"], outcome["written"]["refused"]["status"]) == ("rest_cannot_create", 401)
    assert outcome["written"]["gone"]["status"] == 401


def test_each_default_route_is_written_to(outcome: Any) -> None:
    written = {name: value for name, value in outcome["written"].items() if name not in ("gone", "refused")}

    assert written == {"post": "Changed", "tag": "fresh", "comment": True, "revisions": 1, "trashed": "trash"}
