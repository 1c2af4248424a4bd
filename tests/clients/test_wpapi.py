"""The npm client wpapi, as programs of others use it, against a served site."""

from __future__ import annotations

import os
import shutil
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from served import Served, install_clients, run_client, serve_export

PUBLISHED = 49


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve_export(tmp_path_factory.mktemp("served")) as site:
        yield site


@pytest.fixture(scope="module")
def clients() -> None:
    if shutil.which("node") and shutil.which("npm"):
        install_clients()
    elif os.environ.get("CMS_REQUIRE_CLIENTS") == "1":
        pytest.fail("node and npm are needed to run the clients")
    else:
        pytest.skip("node and npm are needed to run the clients")


@pytest.fixture(scope="module")
def outcome(served: Served, clients: None) -> Any:
    return run_client("wpapi.js", served)


def test_home_names_the_api_to_a_head_request(served: Served) -> None:
    with urllib.request.urlopen(urllib.request.Request(f"{served.home}/", method="HEAD")) as answer:
        assert answer.headers["Link"] == f'<{served.home}/api/>; rel="https://api.w.org/"'
        assert answer.read() == b""


def test_client_discovers_the_api_from_the_home_page(outcome: Any, served: Served) -> None:
    assert outcome["root"] == f"{served.home}/api/"


def test_client_follows_next_pages_to_the_last_post(outcome: Any) -> None:
    read = outcome["all"]

    assert read["total"] == len(read["ids"]) == len(set(read["ids"])) == PUBLISHED
    assert read["pages"] == read["totalPages"] == -(-PUBLISHED // 10)


def test_client_creates_a_post_that_everybody_can_read(outcome: Any) -> None:
    assert outcome["created"]["status"] == "publish"
    assert outcome["read"]["title"]["rendered"] == "From a client"
    assert outcome["read"]["content"]["rendered"] == "<p>One.</p>\n<p>Two.</p>\n"
    assert "raw" not in outcome["read"]["title"]


def test_client_updates_and_deletes_the_post(outcome: Any) -> None:
    assert outcome["updated"]["title"]["rendered"] == "Changed by a client"
    assert outcome["deleted"]["deleted"] is True
    assert outcome["deleted"]["previous"]["id"] == outcome["created"]["id"]
    assert outcome["gone"] == {"code": "rest_post_invalid_id", "status": 404}
    assert outcome["after"]["ids"] == outcome["all"]["ids"]


def test_client_may_not_write_without_credentials(outcome: Any) -> None:
    assert outcome["anonymous"]["status"] == 401
