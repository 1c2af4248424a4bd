"""The editor from a served site, under the policy that the site sends."""

from __future__ import annotations

from playwright.sync_api import Page

USE = """async () => {
  const { mountEditor } = await import("/admin/assets/editor/index.js");
  const element = document.body.appendChild(document.createElement("div"));
  const editor = mountEditor(element, { value: "One\\r\\n", label: "Text", t: (text) => text });
  await new Promise((done) => setTimeout(done, 300));
  return [editor.getValue(), getComputedStyle(element.querySelector("[role=toolbar]")).display];
}"""


def test_the_editor_works_as_the_site_serves_it(page: Page) -> None:
    answer = page.goto("/admin/assets/style.css")
    assert answer
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    assert page.evaluate(USE) == ["One\r\n", "flex"]
