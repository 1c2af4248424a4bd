"""Attacks stored in a text run no script in the editor, in none of its views."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

ATTACKS: list[str] = json.loads((Path(__file__).parents[1] / "rendering" / "attacks.json").read_text("utf-8"))
#: Ways in which an attack is seen: bare, in a visual block, in one that is opaque, in attributes.
FORMS = ["{}", "<!-- wp:paragraph -->\n<p>{}</p>\n<!-- /wp:paragraph -->", "<!-- wp:columns -->{}<!-- /wp:columns -->",
         "<!-- wp:html -->{}<!-- /wp:html -->", "<!-- wp:x {{\"a\":\"{}\"}} /-->", "<ul><li>{}</li></ul>", "<blockquote>{}</blockquote>",
         "<figure><img src=x><figcaption>{}</figcaption></figure>", "<pre><code>{}</code></pre>"]
#: What of an element could act, in the page as it stands.
ACTIVE = """() => [...document.querySelectorAll("#place *")].filter((element) => (
  ["script", "iframe", "object", "embed", "style", "link", "base", "meta", "form", "svg", "math"].includes(element.localName)
  || [...element.attributes].some(({ name, value }) => /^on/i.test(name) || name === "srcdoc" || name === "action" ||
     (["href", "src", "xlink:href", "data"].includes(name) && /^\\s*(javascript|data|vbscript):/i.test(value)))
)).map((element) => element.outerHTML)"""
PASTE = """(html) => {
  const data = new DataTransfer();
  data.setData("text/html", html);
  document.querySelector("[role=textbox]").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


@pytest.mark.parametrize("form", FORMS)
def test_no_script_runs_and_no_byte_is_lost(editor: Page, mount: Callable[[str], None], form: str) -> None:
    for attack in ATTACKS:
        text = form.format(attack)
        mount(text)
        assert editor.evaluate(ACTIVE) == [], text
        assert editor.evaluate("window.editor.getValue()") == text


def test_no_script_is_pasted(editor: Page, mount: Callable[[str], None]) -> None:
    for attack in ATTACKS:
        mount("")
        editor.evaluate(PASTE, attack)
        assert editor.evaluate(ACTIVE) == [], attack
        stored = editor.evaluate("window.editor.getValue()").lower()
        for sign in ("<script", "<iframe", "<svg", "<style", "javascript:alert"):
            assert f'="{sign}' not in stored
            assert not sign.startswith("<") or sign not in stored
