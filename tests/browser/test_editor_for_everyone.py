"""The editor for people with a keyboard alone, a screen reader, a small screen, a dark one, and from right to left."""

from __future__ import annotations

import pytest
from conftest import open_editor
from harness import ALONE, barriers, exported_texts, opened_page
from nested import BUTTONS, COLUMNS, GALLERY, MEDIA_TEXT, TABLE
from playwright.sync_api import Browser

TEXT = ("<!-- wp:paragraph -->\n<p>Words <a href=\"/a\">link</a></p>\n<!-- /wp:paragraph -->\n\n<!-- wp:columns -->\n<div><h2>Side</h2></div>\n"
        "<!-- /wp:columns -->\n\n<!-- wp:image -->\n<figure><img src=\"https://example.org/a.png\" alt=\"Tree\"/></figure>\n<!-- /wp:image -->\n\n"
        "<!-- wp:code -->\n<pre><code>a</code></pre>\n<!-- /wp:code -->\n\n<!-- wp:separator -->\n<hr/>\n<!-- /wp:separator -->")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "direction"), [(1280, "ltr"), (390, "ltr"), (390, "rtl")])
def test_axe_finds_no_barrier_and_nothing_is_cut_off(browser: Browser, scheme: str, width: int, direction: str) -> None:
    with opened_page(browser, ALONE, viewport={"width": width, "height": 800}, color_scheme=scheme) as (page, _complaints):
        open_editor(page, direction)
        for text in (TEXT, "\n\n".join([COLUMNS, TABLE, GALLERY, BUTTONS, MEDIA_TEXT]), next(text for text in exported_texts() if "<blockquote>" in text and "wp:" not in text)):
            page.evaluate("value => window.mount(value)", text)
            assert barriers(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        for name in ("Insert", "Block"):
            page.get_by_role("button", name=name).click()
            box = page.get_by_role("menu", name=name).bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert barriers(page) == []
            page.keyboard.press("Escape")
        page.get_by_role("button", name="Link", exact=True).click()
        assert barriers(page) == []
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Source").click()
        assert barriers(page) == []
