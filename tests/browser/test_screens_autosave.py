"""What is written is saved by itself beside the item, is offered later, and changes neither item nor form."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from clients.served import Prepared, Served, serve_copy
from harness import Complaints
from playwright.sync_api import Page, expect
from screens import Api, sign_in


@pytest.fixture(scope="module")
def served(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served copy of the demo site with autosaves."""
    with serve_copy(prepared_demo, tmp_path_factory.mktemp("served"), CMS_ADMIN="true", CMS_PLUGINS="editorial") as site:
        yield site


def test_an_autosave_is_apart_from_the_item_and_offered_in_another_browser(opened: tuple[Page, Complaints], served: Served) -> None:
    page, complaints = opened
    post = Api(served).post("/posts", {"title": "Public", "content": "As it is", "status": "publish"})
    page.clock.install()
    sign_in(page, served.login, served.password)
    page.goto(f"/admin/#/posts/{post['id']}")
    text = page.locator(".editor-text")
    text.click()
    page.keyboard.press("End")
    page.keyboard.type(" and more")
    page.clock.run_for(12_000)
    expect(page.get_by_text(re.compile("autosaved at"))).to_be_visible()
    expect(text).to_have_text("As it is and more")
    assert Api(served).get(f"/posts/{post['id']}", context="edit")["content"]["raw"] == "As it is"
    [saved] = Api(served).get(f"/posts/{post['id']}/autosaves", context="edit")
    assert saved["content"]["raw"] == "As it is and more"
    # What waits in this browser is gone in another one; the autosave isn't.
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(text).to_have_text("As it is")
    page.get_by_role("button", name="Put them into the form").click()
    expect(text).to_have_text("As it is and more")
    complaints.found = [each for each in complaints.found if "beforeunload" not in each]


def test_fields_say_what_they_are_for(page: Page, served: Served) -> None:
    sign_in(page, served.login, served.password)
    page.goto("/admin/#/posts/new")
    page.get_by_role("textbox", name="Title", exact=True).wait_for()
    for name in ("Name in addresses", "Password"):
        expect(page.get_by_label(name, exact=True)).to_have_accessible_description(re.compile(r"\w+ \w+"))
