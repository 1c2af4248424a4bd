"""The npm client @headstartwp/core, with which front ends map addresses to requests, under the addresses of WordPress."""

from __future__ import annotations

from typing import Any

import pytest
from served import Served, run_client

POSTS, PAGES, CATEGORIES = 49, 21, 67


@pytest.fixture(scope="module")
def outcome(served_as_wordpress: Served, clients: None) -> Any:
    return run_client("headstartwp/reading.cjs", served_as_wordpress)


def test_a_path_leads_to_its_post_with_author_and_terms(outcome: Any) -> None:
    post = outcome["post"]

    assert (post["slug"], post["type"], post["author"]) == ("template-sticky", "post", "themedemos")
    assert post["terms"]["category"] == ["classic", "uncategorized"]
    assert "template" in post["terms"]["post_tag"]


def test_a_post_is_read_by_its_id(outcome: Any) -> None:
    assert outcome["postById"]["slug"] == outcome["postById"]["wanted"]


@pytest.mark.parametrize(("visit", "slug"), [("page", "about"), ("childPage", "level-3")])
def test_a_path_leads_to_its_page(outcome: Any, visit: str, slug: str) -> None:
    assert (outcome[visit]["slug"], outcome[visit]["type"]) == (slug, "page")


@pytest.mark.parametrize("visit", ["missing", "wrongPath", "beyond", "unknownAuthor"])
def test_a_path_that_leads_nowhere_is_told_as_not_found(outcome: Any, visit: str) -> None:
    assert outcome[visit] == {"thrown": "NotFoundError"}


@pytest.mark.parametrize(("visit", "shown", "total", "pages", "page"), [
    ("archive", 10, POSTS, 5, 1), ("second", 10, POSTS, 5, 2), ("ordered", 3, POSTS, 17, 1), ("pages", 10, PAGES, 3, 1),
    ("category", 6, 6, 1, 1), ("tag", 2, 12, 2, 2), ("search", 1, 1, 1, 1), ("terms", CATEGORIES, CATEGORIES, 1, 1),
    ("term", 1, 1, 1, 1),
])
def test_lists_come_with_their_totals(outcome: Any, visit: str, shown: int, total: int, pages: int, page: int) -> None:
    found = outcome[visit]

    assert (len(found["slugs"]), found["totalItems"], found["totalPages"], found["page"]) == (shown, total, pages, page)


def test_the_second_page_goes_on_where_the_first_ends(outcome: Any) -> None:
    assert not set(outcome["archive"]["slugs"]) & set(outcome["second"]["slugs"])


@pytest.mark.parametrize(("visit", "about"), [("category", "markup"), ("tag", "template"), ("author", "themereviewteam")])
def test_a_list_by_term_or_author_knows_it(outcome: Any, visit: str, about: str) -> None:
    assert outcome[visit]["about"] == about


def test_a_list_by_author_is_narrowed(outcome: Any) -> None:
    assert 0 < outcome["author"]["totalItems"] < POSTS


def test_words_are_searched_for(outcome: Any) -> None:
    assert outcome["search"]["slugs"] == ["template-sticky"]


def test_a_path_may_be_that_of_a_list_or_an_item(outcome: Any) -> None:
    assert outcome["either"] is True
