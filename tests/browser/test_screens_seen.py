"""Every screen as people see it: wide and narrow, light and dark, without barriers and without overflowing; pictures of each where asked for.

With SCREENS_FOLDER, a folder, pictures of all screens are stored in it: `SCREENS_FOLDER=build/screens make test-browser`.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clients.served import Prepared, Served
from furnished import furnish, serve_furnished, wait_for_failure
from harness import barriers, opened_page
from playwright.sync_api import Browser, Page, Route, expect
from screens import Api, sign_in

pytestmark = pytest.mark.browser

PICTURES = os.environ.get("SCREENS_FOLDER", "")
#: Each look with the width of the window, and the colours that it asks for.
LOOKS = {"wide": (1280, "light"), "narrow-dark": (390, "dark")}
FURTHER = {"narrow": (390, "light"), "wide-dark": (1280, "dark")}
ATTACKS: list[str] = json.loads((Path(__file__).parents[1] / "rendering" / "attacks.json").read_text("utf-8"))
#: Names of values that hold what somebody wrote; all others are of the site's own making.
WRITTEN = {"title", "name", "description", "rendered", "raw", "content", "excerpt", "caption", "alt_text", "author_name", "author_email", "author_url",
           "label", "text", "url", "address", "agent", "error", "what", "advice", "file", "source_url", "link", "email", "first_name", "last_name",
           "nickname", "serves", "course", "ingredients", "seo_title", "seo_description", "folder", "fault", "singular_name", "not_found"}
#: What stands out at the side of the window, so that the whole page would have to be moved to read it.
OVERFLOWING = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def served(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served site with something on every screen."""
    with serve_furnished(prepared_demo, tmp_path_factory.mktemp("furnished")) as site:
        yield site


@pytest.fixture(scope="module")
def places(served: Served) -> dict[str, str]:
    """The addresses of all screens."""
    found = furnish(served)
    wait_for_failure(Api(served), found["webhook"])
    return found


@pytest.mark.parametrize("look", [*LOOKS, *(FURTHER if PICTURES else ())])
def test_every_screen_is_open_to_everybody(browser: Browser, served: Served, places: dict[str, str], look: str) -> None:
    width, colours = {**LOOKS, **FURTHER}[look]
    found: list[str] = []
    with opened_page(browser, served.home, viewport={"width": width, "height": 900}, color_scheme=colours) as (page, _complaints):
        for name, address in {"sign-in": "", "reset": "reset/nothing"}.items():
            found += look_at(page, name, address, look)
        sign_in(page, served.login, served.password)
        for name, address in places.items():
            found += look_at(page, name, address, look)
    assert found == []


def look_at(page: Page, name: str, address: str, look: str) -> list[str]:
    """Open a screen, store a picture of it where asked for, and return what is wrong with it."""
    page.goto(f"/admin/#/{address}")
    page.locator("main h1").first.wait_for()
    page.wait_for_timeout(50)
    expect(page.locator("p.waiting")).to_have_count(0)
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(PICTURES) / f"{name}-{look}.png", full_page=True)
    found = barriers(page)
    if (over := page.evaluate(OVERFLOWING)) > 0:
        found.append(f"overflows by {over}")
    return [f"{name}, {look}: {each}" for each in found]


def test_no_text_of_an_answer_is_ever_a_script(browser: Browser, served: Served, places: dict[str, str]) -> None:
    attacks = itertools.cycle(ATTACKS)
    with opened_page(browser, served.home) as (page, complaints):
        sign_in(page, served.login, served.password)
        page.route(re.compile(r"/api/"), lambda route: answer_attacked(route, attacks))
        for name, address in places.items():
            page.goto(f"/admin/#/{address}")
            page.locator("main h1, main [role=alert]").first.wait_for()
            expect(page.locator("p.waiting")).to_have_count(0)
            assert page.evaluate("document.querySelectorAll('main script, main iframe, main object, main embed, main link, main meta').length") == 0, name
        # What was loaded from made-up addresses of pictures is no script; what ran would have opened a dialog or broken the policy.
        complaints.found = [each for each in complaints.found if not re.match("console: Failed to load resource|request: |policy: img-src", each)]


def answer_attacked(route: Route, attacks: Iterator[str]) -> None:
    """Answer a read with what the site answers, an attack in place of each text that somebody wrote."""
    if route.request.method not in ("GET", "OPTIONS"):
        route.continue_()
        return
    answer = route.fetch()
    route.fulfill(response=answer, json=attacked(answer.json(), attacks))


def attacked(value: Any, attacks: Iterator[str], name: str = "") -> Any:
    """Return an answer with an attack in place of each written text."""
    if isinstance(value, str) and name in WRITTEN:
        return next(attacks)
    if isinstance(value, list):
        return [attacked(each, attacks, name) for each in value]
    if isinstance(value, dict):
        return {key: attacked(each, attacks, key) for key, each in value.items()}
    return value


@pytest.mark.parametrize("role", ["editor", "author", "contributor", "subscriber"])
def test_every_screen_can_be_opened_by_every_role(browser: Browser, served: Served, places: dict[str, str], role: str) -> None:
    password = "tide tables and pilot books"
    Api(served).post("/users", {"username": role, "email": f"{role}@example.org", "password": password, "roles": [role]})
    # Refusals are said on the screen; nothing may break by them.
    refused = "console: Failed to load resource.*40[0134]"
    with opened_page(browser, served.home, accepted=refused) as (page, _complaints):
        sign_in(page, role, password)
        for name, address in places.items():
            page.goto(f"/admin/#/{address}")
            page.locator("main h1, main [role=alert]").first.wait_for()
            expect(page.locator("p.waiting")).to_have_count(0)
            assert page.locator("main").inner_text().strip(), name
