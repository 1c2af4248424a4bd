"""What is pasted from Word, Google Docs, Figma and web pages is clean, and what is copied in the editor itself loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

DATA = Path(__file__).parent / "data"
PASTE = """([html, text]) => {
  const data = new DataTransfer();
  if (html) data.setData("text/html", html);
  data.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.querySelector("[role=textbox]").dispatchEvent(event);
  return window.editor.getValue();
}"""
Mount = Callable[[str], None]


@pytest.mark.parametrize("name", ["word", "docs", "web", "figma"])
def test_what_is_pasted_is_cleaned(editor: Page, mount: Mount, name: str) -> None:
    mount("")
    pasted = editor.evaluate(PASTE, [(DATA / f"{name}.html").read_text(encoding="utf-8"), ""])
    assert f"{pasted}\n" == (DATA / f"{name}.expected.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("html", "text", "written"), [
    ("", "One\n\nTwo < 3", "One\n\nTwo &lt; 3"),
    ("<b>a</b> <i onclick=x>b</i>", "", "<strong>a</strong> <em>b</em>"),
    ("<ul><li>a<li>b</ul>", "", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
    ("<table><tr><th>a</th><td>b <b>c</b></td></tr></table>", "", "<table><tbody><tr><th>a</th><td>b <strong>c</strong></td></tr></tbody></table>"),
    ("<p data-pm-slice='1 1 []' data-source='<script>'>x</p><!-- wp:html --><script>alert(1)</script><!-- /wp:html -->", "", "x"),
    ("<table data-source='<script>alert(1)</script>'><tr><td>a</td></tr></table>", "", "<table><tbody><tr><td>a</td></tr></tbody></table>"),
])
def test_into_a_classic_text_it_comes_without_blocks(editor: Page, mount: Mount, html: str, text: str, written: str) -> None:
    mount("Start")
    editor.evaluate("window.editor.focus()")
    editor.keyboard.press("Control+End")
    editor.keyboard.press("Enter")
    assert editor.evaluate(PASTE, [html, text]) == f"Start\n\n{written}"


def test_what_was_copied_here_keeps_its_attributes(editor: Page, mount: Mount) -> None:
    mount("<span style='color:red'>a&#8217;b</span>")
    editor.evaluate("window.editor.focus()")
    for key in ("Control+a", "Control+c", "End", "Control+v"):
        editor.keyboard.press(key)
    assert editor.evaluate("window.editor.getValue()") == "<span style='color:red'>a&#8217;b</span>\n\n<span style='color:red'>a&#8217;b</span>"
