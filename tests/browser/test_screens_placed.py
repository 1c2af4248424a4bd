"""The editing page where a site isn't at the root: below the base of an application and the prefix of a proxy; and how much it loads."""

from __future__ import annotations

import gzip
import shutil
import threading
from collections.abc import Iterator

import pytest
from clients.served import Prepared, Served
from flask import Flask
from harness import opened_page
from playwright.sync_api import Browser, Response, expect
from screens import sign_in
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.serving import make_server

import cms

pytestmark = pytest.mark.browser

PREFIX, BASE = "/news", "/backend"
#: What the sign-in and the overview may load together, compressed as servers do.
MOST = 150_000


@pytest.fixture(scope="module")
def placed(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site below a base in an application of somebody else's, which a server has below a prefix."""
    folder = shutil.copytree(prepared_demo.folder, tmp_path_factory.mktemp("placed") / "site")
    app = Flask("other")
    server = make_server("127.0.0.1", 0, DispatcherMiddleware(Flask("front"), {PREFIX: app}), threaded=True)
    home = f"http://127.0.0.1:{server.server_port}"
    site = cms.init_app(app, {"url": home + PREFIX, "background": False}, folder, BASE)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Served(f"{home}{PREFIX}{BASE}", prepared_demo.login, prepared_demo.password)
    server.shutdown()
    thread.join()
    site.close()


def test_the_page_works_below_a_base_and_a_prefix_and_loads_little(browser: Browser, placed: Served) -> None:
    answers: list[Response] = []
    with opened_page(browser, placed.home) as (page, _complaints):
        page.on("response", lambda answer: answers.append(answer))
        sign_in(page, placed.login, placed.password, f"{placed.home}/admin")
        page.get_by_role("link", name="New in Posts").wait_for()
        page.wait_for_load_state("networkidle")
        loaded = {answer.url: len(gzip.compress(answer.body())) for answer in answers if answer.ok}
        page.get_by_role("navigation", name="Sections").get_by_role("link", name="Posts", exact=True).click()
        expect(page.get_by_role("heading", name="Posts", level=1)).to_be_visible()
        expect(page.get_by_role("table").locator("tbody tr").first).to_be_visible()
        [cookie] = page.context.cookies()
    assert all(address.startswith(f"{placed.home}/") for address in loaded)
    assert any(address.endswith("/admin/assets/main.js") for address in loaded)
    assert sum(loaded.values()) < MOST, sorted(loaded.items(), key=lambda item: -item[1])[:5]
    assert (cookie["path"], cookie["httpOnly"]) == (PREFIX + BASE, True)
