"""The npm client wpapi reads a served site as a visitor."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from served import Served

PUBLISHED = 49


@pytest.fixture(scope="module")
def outcome(run: Callable[[str], Any]) -> Any:
    return run("wpapi/reading.mjs")


def test_home_names_the_api_to_a_head_request(served: Served) -> None:
    with urllib.request.urlopen(urllib.request.Request(f"{served.home}/", method="HEAD")) as answer:
        assert answer.headers["Link"] == f'<{served.home}/api/>; rel="https://api.w.org/"'
        assert answer.read() == b""


def test_client_discovers_the_api_from_the_home_page(outcome: Any, served: Served) -> None:
    assert outcome["root"] == f"{served.home}/api/"


def test_root_of_a_language_speaks_it(outcome: Any) -> None:
    assert outcome["inLanguage"]["code"] == outcome["refusals"]["unknown"]["code"] == "rest_post_invalid_id"
    assert outcome["inLanguage"]["message"] == "Tidak ada item jenis ini dengan id ini."


def test_client_learns_total_and_pages(outcome: Any) -> None:
    paging = outcome["paging"]

    assert (paging["total"], paging["totalPages"]) == (PUBLISHED, -(-PUBLISHED // 10))
    assert (paging["counts"]["x-wp-total"], paging["counts"]["x-wp-totalpages"]) == (str(PUBLISHED), "5")


@pytest.mark.parametrize(("direction", "last"), [("forwards", 9), ("backwards", 10)])
def test_client_follows_links_through_all_pages(outcome: Any, direction: str, last: int) -> None:
    walk = outcome["paging"][direction]

    assert sorted(walk["ids"]) == sorted(outcome["filtered"]["all"])
    assert len(walk["ids"]) == len(set(walk["ids"])) == PUBLISHED
    assert (walk["pages"], len(walk["last"])) == (5, last)


def test_first_page_has_no_previous_and_last_page_no_next(outcome: Any) -> None:
    assert outcome["paging"]["prevOfFirst"] is False
    assert outcome["paging"]["nextOfLast"] is False


def test_page_beyond_the_last_is_refused(outcome: Any) -> None:
    beyond = outcome["paging"]["beyond"]

    assert (beyond["code"], beyond["status"]) == ("rest_post_invalid_page_number", 400)


def test_filters_by_category_split_the_posts(outcome: Any) -> None:
    filtered = outcome["filtered"]

    assert len(filtered["inCategory"]) == filtered["category"]["count"] > 0
    assert sorted(filtered["inCategory"] + filtered["notInCategory"]) == sorted(filtered["all"])


def test_filter_by_tag_finds_as_many_as_the_tag_counts(outcome: Any) -> None:
    assert len(outcome["filtered"]["withTag"]) == outcome["filtered"]["tag"]["count"] > 0


@pytest.mark.parametrize(("one", "others"), [("included", "excluded"), ("bySlug", "until")])
def test_filters_find_one_post_or_all_others(outcome: Any, one: str, others: str) -> None:
    filtered = outcome["filtered"]

    assert filtered[one] == [filtered["newest"]["id"]]
    assert sorted(filtered[others]) == sorted(set(filtered["all"]) - {filtered["newest"]["id"]})


def test_dates_are_exclusive(outcome: Any) -> None:
    assert outcome["filtered"]["since"] == []


@pytest.mark.parametrize("name", ["sticky", "ofAuthor"])
def test_filters_find_some(outcome: Any, name: str) -> None:
    assert set(outcome["filtered"][name]) < set(outcome["filtered"]["all"])
    assert outcome["filtered"][name]


def test_search_finds_what_has_the_word(outcome: Any) -> None:
    found = outcome["filtered"]["found"]

    assert len(found) == 3
    assert all("alignment" in f"{post['title']['rendered']} {post['content']['rendered']}".lower() for post in found)
    assert outcome["filtered"]["foundElsewhere"] == []


def test_titles_are_ordered_whatever_their_case(outcome: Any) -> None:
    assert outcome["filtered"]["titles"][:3] == ["a Blog page", "About The Tests", "Clearing Floats"]


def test_types_and_taxonomies_tell_where_their_items_are(outcome: Any) -> None:
    declared = outcome["declared"]
    bases = {name: (kind["rest_namespace"], kind["rest_base"])
             for name, kind in {**declared["types"], **declared["taxonomies"]}.items()}

    assert bases == {"post": ("cms/v2", "posts"), "page": ("cms/v2", "pages"), "attachment": ("cms/v2", "media"),
                     "category": ("cms/v2", "categories"), "post_tag": ("cms/v2", "tags")}
    assert declared["post"] == declared["types"]["post"]
    assert declared["category"] == declared["taxonomies"]["category"]


def test_visitors_see_the_public_status_alone(outcome: Any) -> None:
    assert list(outcome["declared"]["statuses"]) == ["publish"]


@pytest.mark.parametrize(("what", "code", "status"), [
    ("unknown", "rest_post_invalid_id", 404),
    ("invalid", "rest_invalid_param", 400),
    ("context", "rest_forbidden_context", 401),
    ("anonymous", "rest_cannot_create", 401),
    ("settings", "rest_forbidden", 401),
    ("me", "rest_not_logged_in", 401),
    ("nowhere", "rest_no_route", 404),
])
def test_refusals_carry_code_status_and_message(outcome: Any, what: str, code: str, status: int) -> None:
    refusal = outcome["refusals"][what]

    assert (refusal["code"], refusal["status"]) == (code, status)
    assert refusal["message"]


def test_refusal_names_the_invalid_argument(outcome: Any) -> None:
    assert outcome["refusals"]["invalid"]["params"] == ["per_page"]
