"""Every screen as people see it: wide and narrow, light and dark, without barriers and without overflowing; pictures of each where asked for.

With SCREENS_FOLDER, a folder, pictures of all screens are stored in it: `SCREENS_FOLDER=build/screens make test-browser`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from clients.served import Prepared, Served
from furnished import furnish, serve_furnished, wait_for_failure
from harness import barriers, opened_page
from playwright.sync_api import Browser, Page, expect
from screens import Api, sign_in

pytestmark = pytest.mark.browser

PICTURES = os.environ.get("SCREENS_FOLDER", "")
#: Each look with the width of the window, and the colours that it asks for.
LOOKS = {"wide": (1280, "light"), "narrow-dark": (390, "dark")}
FURTHER = {"narrow": (390, "light"), "wide-dark": (1280, "dark")}
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
