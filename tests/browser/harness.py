"""Debian's Chromium in front of a served site, or in front of the editing page's files alone, with everything that it complains of."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, sync_playwright

from cms.admin.files import FOLDER, POLICY, TYPES

HERE = Path(__file__).parent
DATA = HERE.parent / "data"
CHROMIUM = Path(os.environ.get("CMS_CHROMIUM", "/usr/bin/chromium"))
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
#: Where the page's files are without a server; nothing of it leaves the process.
ALONE = "http://editor.test"
#: The rules by which axe looks at a page.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}
#: Violations of the policy are reported in documents that scripts make, too, where no console sees them.
REPORTER = "document.addEventListener('securitypolicyviolation', e => console.error(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`))"


@dataclass
class Complaints:
    """What a page complained of, and what it asked other hosts for."""

    host: str
    found: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Write down all that goes wrong in a page from now on."""
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.add(True, f"error: {error}"))
        page.on("request", lambda request: self.add(self.is_foreign(request.url), f"request: {request.url}"))
        page.on("dialog", lambda dialog: (self.add(dialog.type != "beforeunload", f"dialog: {dialog.message}"), dialog.accept()))

    def hear(self, message: ConsoleMessage) -> None:
        """Write down an error of the console, but for the icon, which browsers ask for by themselves where a document names none."""
        place = message.location.get("url", "")
        self.add(message.type == "error" and not place.endswith("/favicon.ico"), f"console: {message.text} {place}")

    def add(self, wrong: bool, text: str) -> None:
        if wrong:
            self.found.append(text)

    def is_foreign(self, address: str) -> bool:
        parts = urlsplit(address)
        return parts.scheme not in ("data", "blob", "about") and parts.netloc != self.host

    def forget(self, *patterns: str) -> None:
        """Leave out what a test expects; each pattern has to have been complained of."""
        for pattern in patterns:
            matching = [each for each in self.found if re.search(pattern, each)]
            assert matching, f"nothing like {pattern!r} in {self.found}"
            self.found = [each for each in self.found if each not in matching]


def missing_browser() -> str:
    """Return why no browser can be started, or nothing."""
    return "" if CHROMIUM.exists() else f"{CHROMIUM} is needed: Chromium, or another place in CMS_CHROMIUM"


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Start the system's browser, or skip the tests where there is none; where it is required they fail."""
    if reason := missing_browser():
        (pytest.fail if os.environ.get("CMS_REQUIRE_CLIENTS") == "1" else pytest.skip)(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def opened_page(browser: Browser, home: str, accepted: str = "", **options: Any) -> Iterator[tuple[Page, Complaints]]:
    """Open an empty page whose addresses are relative to a site; at the end it must have complained of nothing else
    than what fits a pattern, however late that comes.
    """
    context: BrowserContext = browser.new_context(base_url=home, **options)
    context.add_init_script(REPORTER)
    complaints = Complaints(urlsplit(home).netloc)
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints.watch(page)
    yield page, complaints
    page.wait_for_timeout(50)
    # A test that makes up answers may still be at it; closed under its hands, it would fail whichever test comes next.
    page.unroute_all(behavior="wait")
    context.close()
    found = [each for each in complaints.found if not accepted or not re.match(accepted, each)]
    assert found == [], "\n".join(found[:10])


def barriers(page: Page) -> list[str]:
    """Return what axe finds on a page by the rules of WCAG 2.2 AA, each with the elements that it means."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("options => axe.run(document, options)", RULES)["violations"]
    return [f"{each['id']}: {', '.join(node['html'][:120] for node in each['nodes'][:3])}" for each in found]


def serve_alone(page: Page, html: str) -> None:
    """Answer requests of a page with the files of the editing page and a document of one's own, with the site's policy."""
    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        file = FOLDER / path.removeprefix("/admin/assets/")
        headers = {"Content-Security-Policy": POLICY.format(preview="'none'")}
        if path == "/admin/":
            route.fulfill(body=html, content_type="text/html", headers=headers)
        elif path.startswith("/admin/assets/") and file.is_file():
            route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix], headers=headers)
        elif (HERE / "pages" / path.lstrip("/")).is_file():
            own = HERE / "pages" / path.lstrip("/")
            route.fulfill(body=own.read_bytes(), content_type=TYPES[own.suffix], headers=headers)
        else:
            route.fulfill(status=204)

    page.route(f"{ALONE}/**", answer)


def exported_texts() -> list[str]:
    """Return all texts of the exports that the tests have, as they are written."""
    texts = []
    for path in sorted(DATA.glob("**/*.xml")):
        found = re.findall(r"<(?:content|excerpt):encoded>(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?</(?:content|excerpt):encoded>", read(path), re.S)
        texts += found
    return sorted(set(texts))


def recorded_texts() -> list[str]:
    """Return all texts of fields with markup in the recorded conversations."""
    texts: set[str] = set()
    for path in sorted((HERE.parent / "conformance" / "expected").glob("*.json")):
        collect_texts(json.loads(path.read_text(encoding="utf-8")), texts)
    return sorted(texts)


def collect_texts(value: Any, texts: set[str]) -> None:
    """Add every text in a value that could be one of an item."""
    if isinstance(value, str) and ("<" in value or "\n" in value or len(value) > 40):
        texts.add(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        collect_texts(part, texts)


def read(path: Path) -> str:
    """Return a file's text with the line ends that it has."""
    return path.read_bytes().decode("utf-8", "replace")
