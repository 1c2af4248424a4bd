"""The npm client @wordpress/api-fetch, the transport of the block editor, against a served site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from served import Served

WRITTEN = 60


@pytest.fixture(scope="module")
def outcome(run: Callable[[str], Any]) -> Any:
    return run("api_fetch/content.mjs")


def query(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


def test_posts_written_at_once_all_exist(outcome: Any) -> None:
    assert len(set(outcome["written"])) == WRITTEN
    assert set(outcome["written"]) < set(outcome["all"]["ids"])


def test_unbounded_list_is_read_page_by_page(outcome: Any) -> None:
    read = outcome["all"]

    assert len(read["ids"]) == len(set(read["ids"])) == outcome["before"] + WRITTEN > 100
    assert read["ids"] == sorted(read["ids"])
    assert read["byAddress"] == len(read["ids"])


def test_next_page_is_asked_for_with_all_arguments(outcome: Any, served: Served) -> None:
    first, second = outcome["all"]["sent"]

    assert first["url"].startswith(f"{served.home}/api/cms/v2/posts?")
    assert query(second["url"]) == {**query(first["url"]), "page": ["2"]}
    assert query(first["url"]) == {"per_page": ["100"], "orderby": ["id"], "order": ["asc"], "_fields": ["id"],
                                   "_locale": ["user"]}


def test_unbounded_list_of_what_was_searched_for_in_two_states(outcome: Any) -> None:
    assert set(outcome["written"]) <= set(outcome["all"]["found"])
    assert len(outcome["all"]["found"]) < len(outcome["all"]["ids"])


@pytest.mark.parametrize("name", ["few", "none"])
def test_list_of_one_page_or_none_ends_after_one_request(outcome: Any, name: str) -> None:
    assert len(outcome["all"][name]["sent"]) == 1
    assert bool(outcome["all"][name]["answer"]) is (name == "few")


def test_unbounded_list_is_refused_where_the_client_does_not_follow_pages(outcome: Any) -> None:
    refusal = outcome["all"]["unbounded"]

    assert (refusal["response"], refusal["code"]) == (400, "rest_invalid_param")
    assert list(refusal["data"]["params"]) == ["per_page"]


def test_headers_of_an_unparsed_answer(outcome: Any) -> None:
    headers = outcome["all"]["headers"]

    assert int(headers["x-wp-total"]) == int(headers["x-wp-totalpages"]) == outcome["before"] + WRITTEN
    assert {"X-WP-Total", "X-WP-TotalPages", "Link"} <= set(headers["access-control-expose-headers"].split(", "))


@pytest.mark.parametrize(("step", "method"), [("put", "PUT"), ("patched", "PATCH"), ("trashed", "DELETE"), ("deleted", "DELETE")])
def test_methods_travel_as_a_header_of_a_post(outcome: Any, step: str, method: str) -> None:
    [request] = outcome["changed"][step]["sent"]

    assert (request["method"], request["override"]) == ("POST", method)
    assert query(request["url"])["_locale"] == ["user"]


def test_overridden_methods_do_what_they_name(outcome: Any) -> None:
    changed = outcome["changed"]

    assert changed["put"]["answer"]["title"]["raw"] == "Put"
    assert changed["patched"]["answer"]["title"]["raw"] == "Patched"
    assert changed["trashed"]["answer"]["status"] == "trash"
    assert changed["deleted"]["answer"]["deleted"] is True


def test_namespace_and_endpoint_name_an_item(outcome: Any) -> None:
    assert outcome["changed"]["read"]["answer"]["title"]["rendered"] == "Patched"


def test_deleted_post_is_gone(outcome: Any) -> None:
    assert outcome["changed"]["gone"]["data"]["status"] == 404
    assert set(outcome["all"]["ids"]) - set(outcome["left"]) == {outcome["written"][0]}


def test_client_learns_what_it_may_do(outcome: Any) -> None:
    rights = {name: set(allowed.split(", ")) for name, allowed in outcome["rights"].items()}

    assert rights["list"] == {"GET", "POST"}
    assert rights["item"] == {"GET", "POST", "PUT", "PATCH", "DELETE"}
    assert rights["visitorsList"] == rights["visitorsItem"] == {"GET"}


@pytest.mark.parametrize(("what", "code", "status"), [
    ("invalid", "rest_invalid_param", 400),
    ("anonymous", "rest_cannot_create", 401),
    ("nowhere", "rest_no_route", 404),
    ("broken", "rest_invalid_json", 400),
])
def test_errors_are_thrown_as_objects(outcome: Any, what: str, code: str, status: int) -> None:
    error = outcome["errors"][what]

    assert (error["code"], error["data"]["status"]) == (code, status)
    assert error["message"]
    assert "response" not in error


def test_unparsed_error_is_thrown_as_the_response(outcome: Any) -> None:
    error = outcome["errors"]["unparsed"]

    assert (error["response"], error["code"]) == (404, "rest_post_invalid_id")


def test_root_of_a_language_speaks_it(outcome: Any) -> None:
    error = outcome["errors"]["inLanguage"]

    assert (error["code"], error["message"]) == ("rest_post_invalid_id", "Tidak ada item jenis ini dengan id ini.")
