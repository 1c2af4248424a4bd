"""The harness of the browser's tests itself: what one test leaves unfinished fails no other."""

from __future__ import annotations

import pytest
from clients.served import Served
from harness import opened_page
from playwright.sync_api import Browser, Route

pytestmark = pytest.mark.browser


def test_answers_that_are_being_made_up_when_a_page_ends_are_finished(browser: Browser, served: Served) -> None:
    begun: list[str] = []
    finished: list[str] = []

    def answer(route: Route) -> None:
        begun.append(route.request.url)
        response = route.fetch()
        route.fulfill(response=response, json=response.json())
        finished.append(route.request.url)

    with opened_page(browser, served.home) as (page, _complaints):
        page.goto("/admin/")
        page.route("**/posts*", answer)
        page.evaluate("() => { for (let size = 1; size <= 20; size++) void fetch(`/api/cms/v2/posts?per_page=${size}`) }")
        while not begun:
            page.wait_for_timeout(5)
    assert sorted(finished) == sorted(begun)
