"""Previews beside the form: the site's front end with a signed token, or the rendered text in a frame that runs nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from clients.served import Prepared, Served, serve_copy
from harness import Complaints, barriers, opened_page
from playwright.sync_api import Browser, Page, expect
from screens import Api, sign_in

PLAIN = "<p>Rendered</p><script>parent.ran = true</script><img src=x onerror='parent.ran = true'>"


SHOWN = """<!doctype html><link rel=icon href=data:,><p></p>
<script>localStorage.x = 1; document.querySelector("p").textContent = `${{location.pathname}} {}`</script>"""


class FrontEnd(BaseHTTPRequestHandler):
    """A front end that shows by a script what it was asked for, and how often it was."""

    asked = 0

    def do_GET(self) -> None:
        FrontEnd.asked += 1
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(SHOWN.format(FrontEnd.asked).encode())

    def log_message(self, *_arguments: object) -> None:
        """Say nothing of requests."""


@pytest.fixture(scope="module")
def front_end() -> Iterator[str]:
    """The address of a front end on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), FrontEnd)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def served(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory, front_end: str) -> Iterator[Served]:
    """A served copy of the demo site with previews in that front end."""
    settings = {"CMS_PREVIEW_URL": f"{front_end}/{{type}}/{{id}}?token={{token}}", "CMS_PLUGINS": "editorial"}
    with serve_copy(prepared_demo, tmp_path_factory.mktemp("served"), CMS_ADMIN="true", **settings) as site:
        yield site


@pytest.fixture(scope="module")
def plain(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served copy without a front end."""
    with serve_copy(prepared_demo, tmp_path_factory.mktemp("plain"), CMS_ADMIN="true") as site:
        yield site


def open_preview(page: Page, served: Served, **values: object) -> int:
    """Open a draft and its preview; returns its id."""
    post = Api(served).post("/posts", values)
    sign_in(page, served.login, served.password)
    page.goto(f"/admin/#/posts/{post['id']}")
    page.get_by_role("button", name="Preview", exact=True).click()
    return int(post["id"])


def test_the_front_end_stands_beside_the_form_with_a_token_that_reads_the_draft(
    opened: tuple[Page, Complaints], served: Served, front_end: str
) -> None:
    page, complaints = opened
    id = open_preview(page, served, title="Seen early")
    pane = page.get_by_role("region", name="Preview of what is saved")
    frame = pane.locator("iframe")
    expect(page.frame_locator("iframe").get_by_text(f"/post/{id} 1")).to_be_visible()
    address = urlsplit(frame.get_attribute("src") or "")
    assert f"{address.scheme}://{address.netloc}" == front_end
    [token] = parse_qs(address.query)["token"]
    read = requests.get(f"{served.home}/api/cms/v2/posts/{id}", params={"preview": token}, timeout=20)
    assert (read.status_code, read.json()["title"]["rendered"]) == (200, "Seen early")
    assert requests.get(f"{served.home}/api/cms/v2/posts/{id}", timeout=20).status_code == 401
    # The form stays in use beside it, and what is saved is shown.
    page.get_by_role("textbox", name="Title", exact=True).fill("Changed beside it")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    expect(page.frame_locator("iframe").get_by_text(f"/post/{id} 2")).to_be_visible()
    pane.get_by_role("button", name="Close").click()
    expect(pane).to_have_count(0)
    complaints.forget(f"request: {front_end}")


def test_a_frame_of_another_address_is_refused_by_the_policy(opened: tuple[Page, Complaints]) -> None:
    page, complaints = opened
    page.goto("/admin/")
    with page.expect_console_message(lambda message: message.text.startswith("policy: frame-src")):
        page.evaluate("document.body.append(Object.assign(document.createElement('iframe'), {src: location.origin}))")
    complaints.forget("frame-src")


def test_without_a_front_end_the_text_is_shown_and_runs_nothing(page_of_plain: Page, plain: Served) -> None:
    page = page_of_plain
    open_preview(page, plain, title="A <b>title</b>", content=PLAIN)
    frame = page.frame_locator("iframe[title='Plain preview']")
    expect(frame.get_by_text("Rendered")).to_be_visible()
    expect(frame.get_by_role("heading", level=1)).to_have_text("A title")
    assert "sans-serif" in frame.locator("body").evaluate("body => getComputedStyle(body).fontFamily")
    expect(page.get_by_role("link", name="View", exact=True)).to_have_count(0)
    assert page.evaluate("window.ran") is None
    assert barriers(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("iframe")).to_have_count(0)


@pytest.fixture
def page_of_plain(browser: Browser, plain: Served) -> Iterator[Page]:
    """A page at the site without a front end."""
    with opened_page(browser, plain.home) as (page, complaints):
        yield page
        complaints.found = [each for each in complaints.found if "sandbox" not in each and "/x" not in each]
