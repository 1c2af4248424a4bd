"""The slot of the text: a plugin's editor takes the place of the page's own, for the types that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from clients.served import ROOT, Prepared, Served, serve_copy
from playwright.sync_api import Page, expect
from screens import Api, save_and_wait, sign_in

SECTION = re.compile(r"^## `register_editors.*?(?=^## )", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(?:python|js)\n(?:// (\S+)\n)?(.*?)^```$", re.MULTILINE | re.DOTALL)


def write_documented(folder: Path) -> None:
    """Write the plugin of the documentation."""
    found = SECTION.search((ROOT / "docs" / "plugins" / "hooks.md").read_text(encoding="utf-8"))
    assert found
    for name, text in BLOCK.findall(found[0]):
        path = folder / (name or "__init__.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def served(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served copy of the demo site with the plugin of the documentation."""
    folder = tmp_path_factory.mktemp("served")
    write_documented(folder / "plugins" / "counting")
    with serve_copy(prepared_demo, folder, CMS_ADMIN="true") as site:
        yield site


def test_the_documented_editor_edits_what_it_is_for(page: Page, served: Served) -> None:
    sign_in(page, served.login, served.password)
    page.goto("/admin/#/posts/new")
    page.get_by_role("textbox", name="Title", exact=True).fill("Counted")
    field = page.locator("[data-field=content]")
    field.get_by_role("textbox").fill("Three plain words")
    expect(field.get_by_text("3", exact=True)).to_be_visible()
    expect(page.get_by_role("toolbar")).to_have_count(0)
    save_and_wait(page, "Save draft", "Saved.")
    [post] = Api(served).get("/posts", search="Counted", status="draft", context="edit")
    assert post["content"]["raw"] == "Three plain words"
    page.goto("/admin/#/pages/new")
    expect(page.get_by_role("toolbar")).to_be_visible()
