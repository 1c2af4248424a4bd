"""A browser for all tests of the editing page; the page that a test gets must complain of nothing until its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from clients.served import Prepared, Served, prepare_demo, serve_copy
from harness import ALONE, Complaints, opened_page, serve_alone, started_browser
from playwright.sync_api import Browser, Page

EDITOR = """<!doctype html>
<html lang="en" dir="{direction}">
<meta charset="utf-8">
<title>Editor</title>
<main><h1>Editor</h1><div id="place"></div></main>
<script type="module" src="/editor.js"></script>
</html>"""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs the browser, which `make test` leaves to `make test-browser`."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with started_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def prepared_demo(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A site with the demo content, which isn't served itself."""
    return prepare_demo(tmp_path_factory.mktemp("prepared"))


@pytest.fixture(scope="module")
def served(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served copy of that site for the tests of a module."""
    with serve_copy(prepared_demo, tmp_path_factory.mktemp("served")) as site:
        yield site


@pytest.fixture
def opened(browser: Browser, served: Served) -> Iterator[tuple[Page, Complaints]]:
    """A page of the browser at the served site, with what it complains of."""
    with opened_page(browser, served.home) as opened:
        yield opened


@pytest.fixture
def admin(signed_in: tuple[Page, Complaints]) -> Iterator[Page]:
    """The page on which a module has signed in, which must complain of nothing until the end of a test."""
    page, complaints = signed_in
    yield page
    found, complaints.found = [each for each in complaints.found if not each.startswith("dialog:")], []
    assert found == []


@pytest.fixture
def page(opened: tuple[Page, Complaints]) -> Page:
    """A page of the browser at the served site."""
    return opened[0]


@pytest.fixture(scope="module")
def opened_editor(browser: Browser) -> Iterator[tuple[Page, Complaints]]:
    """A page with the editor alone for the tests of a module; no site is served."""
    with opened_page(browser, ALONE) as (page, complaints):
        open_editor(page)
        yield page, complaints


@pytest.fixture
def editor(opened_editor: tuple[Page, Complaints]) -> Iterator[Page]:
    """A page with the editor alone: `mount(value)` puts it there, as `editor` in the page."""
    page, complaints = opened_editor
    yield page
    page.wait_for_timeout(20)
    found, complaints.found = complaints.found, []
    assert found == []


@pytest.fixture
def mount(editor: Page) -> Callable[[str], None]:
    """Put a text into the editor."""
    return lambda value: editor.evaluate("value => window.mount(value)", value)


def open_editor(page: Page, direction: str = "ltr") -> None:
    """Open a page with the editor alone."""
    serve_alone(page, EDITOR.format(direction=direction))
    page.goto("/admin/")
    page.wait_for_function("window.mount !== undefined")
