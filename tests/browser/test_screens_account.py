"""The own account on the editing page: a second factor by a code to scan, a forgotten password."""

from __future__ import annotations

from collections.abc import Iterator

import pyotp
import pytest
from clients.served import Prepared, Served, serve_copy
from harness import Complaints
from playwright.sync_api import Page, expect
from screens import Api, sign_in

PASSWORD = "tide tables and pilot books"


@pytest.fixture(scope="module")
def served(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served copy of the demo site that has a server for its mail, at which nobody answers."""
    mail = {"CMS_MAIL_HOST": "127.0.0.1", "CMS_MAIL_PORT": "9"}
    with serve_copy(prepared_demo, tmp_path_factory.mktemp("served"), CMS_ADMIN="true", **mail) as site:
        yield site


def test_a_second_factor_is_turned_on_by_a_code_to_scan(page: Page, served: Served) -> None:
    Api(served).post("/users", {"username": "ann", "email": "ann@example.org", "password": PASSWORD, "roles": ["author"]})
    sign_in(page, "ann", PASSWORD)
    page.goto("/admin/#/profile")
    factor = page.locator("section").filter(has=page.get_by_role("heading", name="Second factor"))
    factor.get_by_label("Password").fill(PASSWORD)
    factor.get_by_role("button", name="Switch on").click()
    picture = factor.get_by_role("img", name="QR code")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    factor.get_by_label("Code").fill(pyotp.TOTP(factor.locator("code").inner_text()).now())
    factor.get_by_role("button", name="Switch on").click()
    expect(factor.get_by_role("listitem")).to_have_count(10)


def test_whoever_forgot_the_password_asks_for_a_link(page: Page) -> None:
    page.goto("/admin/")
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_label("Username or e-mail address").fill("nobody")
    page.get_by_role("button", name="Send the link").click()
    expect(page.get_by_text("If there is such an account, a mail is on its way to it.")).to_be_visible()
    page.get_by_role("link", name="Back to signing in").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.parametrize("button", ["Sign out", "Sign out everywhere"])
def test_the_browser_holds_no_passwords_and_after_signing_out_no_texts(opened: tuple[Page, Complaints], served: Served, button: str) -> None:
    page, complaints = opened
    page.clock.install()
    sign_in(page, served.login, served.password)
    page.goto("/admin/#/users/new")
    page.get_by_label("Password", exact=False).fill(PASSWORD)
    page.get_by_label("First name").fill("Unsaved Bea")
    page.clock.run_for(2_000)
    stored = page.evaluate("JSON.stringify(localStorage)")
    assert ("Unsaved Bea" in stored, PASSWORD in stored) == (True, False)

    page.goto("/admin/#/profile")
    page.get_by_role("table", name="Sessions").get_by_text("this one").wait_for()
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert "cms-admin-draft" not in page.evaluate("JSON.stringify(localStorage)")
    assert any("Leave without saving?" in each for each in complaints.found)
    # What the screen was still asking for when the session ended is refused.
    complaints.found = [each for each in complaints.found if "dialog" not in each and "401" not in each]
