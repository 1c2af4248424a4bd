"""The npm client wpapi against a site that answers under the addresses of WordPress."""

from __future__ import annotations

from typing import Any

import pytest
from served import Served, run_client

PUBLISHED = 49


@pytest.fixture(scope="module")
def outcome(served_as_wordpress: Served, clients: None) -> Any:
    return run_client("wpapi/alias.mjs", served_as_wordpress)


def test_client_discovers_the_alias(outcome: Any, served_as_wordpress: Served) -> None:
    assert outcome["root"] == f"{served_as_wordpress.home}/wp-json/"


def test_client_follows_links_through_all_pages(outcome: Any) -> None:
    assert len(outcome["ids"]) == len(set(outcome["ids"])) == PUBLISHED


def test_links_lead_to_the_alias(outcome: Any, served_as_wordpress: Served) -> None:
    [own] = outcome["read"]["_links"]["self"]

    assert own["href"] == f"{served_as_wordpress.home}/wp-json/wp/v2/posts/{outcome['created']['id']}"
    assert [author["slug"] for author in outcome["read"]["_embedded"]["author"]] == ["admin"]


def test_client_writes_and_deletes(outcome: Any) -> None:
    assert outcome["updated"]["title"]["raw"] == outcome["read"]["title"]["rendered"] == "Changed"
    assert outcome["deleted"]["deleted"] is True
    assert (outcome["gone"]["code"], outcome["gone"]["status"]) == ("rest_post_invalid_id", 404)
