"""Walks through the editing page: several items at once, comments, sessions, tokens, a second factor, autosaves, cropping, revisions."""

from __future__ import annotations

import io
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyotp
import pytest
import requests
from clients.served import CMS, Prepared, Served, serve_copy
from furnished import upload
from harness import Complaints, opened_page
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from screens import Api, pictures, press, reach, save_and_wait, show, sign_in

pytestmark = pytest.mark.browser

PASSWORD = "tide tables and pilot books"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The instance folder of the served site."""
    return tmp_path_factory.mktemp("walked")


@pytest.fixture(scope="module")
def served(prepared_demo: Prepared, folder: Path) -> Iterator[Served]:
    """A served copy of the demo site with what editors use."""
    with serve_copy(prepared_demo, folder, CMS_PLUGINS="application_passwords,editorial") as site:
        yield site


@pytest.fixture(scope="module")
def api(served: Served) -> Api:
    """Asks the API of the served site beside the page."""
    return Api(served)


@pytest.fixture(scope="module")
def signed_in(browser: Browser, served: Served) -> Iterator[tuple[Page, Complaints]]:
    """A page on which the administrator is signed in, for the tests of this module."""
    with opened_page(browser, served.home) as (page, complaints):
        page.clock.install()
        sign_in(page, served.login, served.password)
        yield page, complaints


def account(api: Api, login: str, role: str = "editor") -> int:
    """Make an account and return its id."""
    made = api.post("/users", {"username": login, "email": f"{login}@example.org", "password": PASSWORD, "roles": [role]})
    return int(made["id"])


def test_several_posts_are_changed_at_once(admin: Page, api: Api) -> None:
    ids = [api.post("/posts", {"title": f"Bulk {name}", "status": "publish"})["id"] for name in ("one", "two", "three")]
    show(admin, "posts?search=bulk", "Posts")
    for name in ("one", "two"):
        admin.get_by_role("checkbox", name=f"Select Bulk {name}").check()
    expect(admin.get_by_text("2 selected")).to_be_visible()
    admin.get_by_label("With the selected").last.select_option(label="Set to: Draft")
    admin.get_by_role("button", name="Apply").click()
    expect(admin.get_by_text("2 items were changed.")).to_be_visible()
    assert [api.get(f"/posts/{id}", context="edit")["status"] for id in ids] == ["draft", "draft", "publish"]
    admin.get_by_role("checkbox", name="Select all").check()
    admin.get_by_label("With the selected").last.select_option(label="Move to the trash")
    admin.get_by_role("button", name="Apply").click()
    expect(admin.get_by_text("3 items were changed.")).to_be_visible()
    assert {api.get(f"/posts/{id}", context="edit")["status"] for id in ids} == {"trash"}


def test_a_post_is_edited_in_its_row(admin: Page, api: Api) -> None:
    id = api.post("/posts", {"title": "In a hurry", "status": "draft"})["id"]
    show(admin, "posts?search=hurry", "Posts")
    admin.get_by_role("button", name="Quick edit of In a hurry").click()
    row = admin.get_by_role("form", name="Quick edit of In a hurry")
    row.get_by_label("Title").fill("At leisure")
    row.get_by_label("State").select_option(label="Published")
    row.get_by_role("button", name="Save").click()
    expect(admin.get_by_text("“In a hurry” was saved.")).to_be_visible()
    post = api.get(f"/posts/{id}", context="edit")
    assert (post["title"]["raw"], post["status"]) == ("At leisure", "publish")


def test_comments_are_moderated_and_answered(admin: Page, api: Api) -> None:
    ids = []
    for words in ("A good question", "Buy this", "Another question"):
        made = api.post("/comments", {"post": 1, "content": words, "author_name": words, "author_email": "a@example.org"})
        ids.append(made["id"])
        api.post(f"/comments/{made['id']}", {"status": "hold"})
    show(admin, "comments?status=hold", "Comments")
    admin.get_by_role("article", name="Comment by Buy this").get_by_role("button", name="Spam").click()
    expect(admin.get_by_role("article", name="Comment by Buy this")).to_have_count(0)
    admin.get_by_role("checkbox", name="Select all").check()
    admin.get_by_role("group", name="With the selected").get_by_role("button", name="Approve").click()
    expect(admin.get_by_text("Nothing is here.")).to_be_visible()
    assert [api.get(f"/comments/{id}", context="edit")["status"] for id in ids] == ["approved", "spam", "approved"]
    show(admin, "comments", "Comments")
    question = admin.get_by_role("article", name="Comment by A good question")
    question.get_by_role("button", name="Reply").click()
    question.get_by_role("textbox", name="Reply").fill("An answer")
    question.get_by_role("button", name="Send").click()
    expect(admin.get_by_text("The reply was sent.")).to_be_visible()
    assert [comment["parent"] for comment in api.get("/comments", search="An answer")] == [ids[0]]


def test_a_password_of_a_program_is_made_and_revoked(admin: Page, served: Served) -> None:
    show(admin, "profile", "admin")
    tokens = admin.get_by_role("region", name="Passwords of programs")
    tokens.get_by_label("Name (required)").fill("Backup program")
    tokens.get_by_role("button", name="Make a password").click()
    secret = tokens.locator("code").inner_text()
    address = f"{served.home}/api/cms/v2/users/me"
    assert requests.get(address, auth=(served.login, secret), timeout=20).status_code == 200
    tokens.get_by_role("button", name=re.compile("Revoke.*Backup program")).click()
    expect(admin.get_by_text("It was revoked.")).to_be_visible()
    assert requests.get(address, auth=(served.login, secret), timeout=20).status_code == 401


def test_what_is_written_is_autosaved_and_nothing_else_changes(admin: Page, api: Api) -> None:
    id = api.post("/posts", {"title": "Published", "content": "As it is", "status": "publish"})["id"]
    show(admin, f"posts/{id}", "Published")
    admin.get_by_role("textbox", name="Title", exact=True).fill("Being written")
    admin.clock.run_for(12_000)
    expect(admin.get_by_text(re.compile("autosaved at"))).to_be_visible()
    expect(admin.get_by_role("textbox", name="Title", exact=True)).to_have_value("Being written")
    assert [row["title"]["raw"] for row in api.get(f"/posts/{id}/autosaves", context="edit")] == ["Being written"]
    assert api.get(f"/posts/{id}")["title"]["rendered"] == "Published"
    save_and_wait(admin, "Save", "Saved and published.")


def test_a_revision_is_brought_back(admin: Page, api: Api) -> None:
    id = api.post("/posts", {"title": "First words", "content": "One", "status": "draft"})["id"]
    api.post(f"/posts/{id}", {"title": "Second words", "content": "Two"})
    api.post(f"/posts/{id}", {"title": "Third words", "content": "Three"})
    show(admin, f"posts/{id}/revisions", re.compile("Third words"))
    expect(admin.locator("ins").first).to_contain_text("Third")
    admin.get_by_role("button", name="Bring back the earlier one").click()
    admin.get_by_role("heading", name="Second words", level=1).wait_for()
    assert api.get(f"/posts/{id}", context="edit")["content"]["raw"] == "Two"


def test_a_part_of_a_picture_becomes_a_file(admin: Page, api: Api) -> None:
    media = upload(api, pictures(1)[0])
    show(admin, f"media/{media['id']}", "picture-0")
    admin.get_by_role("button", name="Crop or rotate to a new file").click()
    dialog = admin.get_by_role("dialog", name="Crop or rotate")
    dialog.get_by_label("Rotate to the right").select_option("90")
    dialog.get_by_label("Width").fill("120")
    admin.keyboard.press("Enter")
    expect(admin.get_by_text("The new file was made.")).to_be_visible()
    admin.wait_for_url(lambda address: not address.endswith(f"/{media['id']}"))
    made = api.get(f"/media/{admin.url.rsplit('/', 1)[1]}")
    assert Image.open(io.BytesIO(requests.get(made["source_url"], timeout=20).content)).size == (200, 120)


def test_sessions_are_listed_and_ended(browser: Browser, served: Served, api: Api) -> None:
    account(api, "sam.b")
    with opened_page(browser, served.home) as (here, _complaints), opened_page(browser, served.home) as (there, left):
        sign_in(here, "sam.b", PASSWORD)
        sign_in(there, "sam.b", PASSWORD)
        show(here, "profile", "sam.b")
        sessions = here.get_by_role("table", name="Sessions")
        expect(sessions.locator("tbody tr")).to_have_count(2)
        sessions.locator("tbody tr").filter(has_not_text="this one").get_by_role("button").click()
        expect(sessions.locator("tbody tr")).to_have_count(1)
        there.get_by_role("link", name="Posts", exact=True).click()
        again = there.get_by_role("dialog", name="You were signed out. Sign in to go on.")
        again.get_by_label("Password").fill(PASSWORD)
        again.get_by_role("button", name="Sign in").click()
        expect(again).to_have_count(0)
        here.get_by_role("button", name="Sign out everywhere").click()
        expect(here.get_by_role("button", name="Sign in")).to_be_visible()
        there.get_by_role("link", name="Pages", exact=True).click()
        expect(again).to_be_visible()
        left.forget("401")


def test_a_second_factor_is_switched_on_and_asked_for(browser: Browser, served: Served, api: Api) -> None:
    account(api, "dora")
    with opened_page(browser, served.home) as (page, complaints):
        sign_in(page, "dora", PASSWORD)
        show(page, "profile", "dora")
        factor = page.get_by_role("region", name="Second factor")
        factor.get_by_label("Password").fill(PASSWORD)
        factor.get_by_role("button", name="Switch on").click()
        totp = pyotp.TOTP(re.sub(r"\s", "", factor.locator("code").first.inner_text()))
        factor.get_by_label("Code").fill(totp.now())
        factor.get_by_role("button", name="Switch on").click()
        expect(factor.locator("ul.code li")).to_have_count(10)
        recovery = factor.locator("ul.code li").first.inner_text()
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.get_by_label("Username or e-mail address").fill("dora")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        code = page.get_by_label("Code of your authenticator, or a recovery code")
        expect(code).to_be_focused()
        code.fill(recovery)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="dora", level=1)).to_be_visible()
        complaints.forget("401")


def test_a_link_leads_to_a_new_password(browser: Browser, served: Served, api: Api, folder: Path) -> None:
    account(api, "rita")
    environ = {**os.environ, "CMS_INSTANCE": str(folder), "CMS_PLUGINS": "application_passwords,editorial"}
    link = subprocess.run([*CMS, "user", "reset", "rita"], env=environ, capture_output=True, text=True, check=True).stdout
    with opened_page(browser, served.home) as (page, complaints):
        page.goto(f"/admin/#/reset/{link.strip().rsplit('/', 1)[1]}")
        page.get_by_label("New password").fill("another long passphrase")
        page.get_by_label("The same again").fill("another long")
        page.get_by_role("button", name="Change password").click()
        expect(page.get_by_text("The two passwords differ.")).to_be_visible()
        page.get_by_label("The same again").fill("another long passphrase")
        page.get_by_role("button", name="Change password").click()
        expect(page.get_by_text("The password was changed. Sign in with it.")).to_be_visible()
        sign_in(page, "rita", "another long passphrase")
        assert complaints.found == []


def test_a_post_is_published_and_another_scheduled_by_keys_alone(admin: Page, api: Api) -> None:
    show(admin, "posts/new", re.compile("Posts"))
    reach(admin, admin.get_by_role("textbox", name="Title", exact=True))
    admin.keyboard.type("By keys")
    reach(admin, admin.get_by_role("button", name="Publish", exact=True), "Shift+Tab")
    admin.keyboard.press("Enter")
    expect(admin.get_by_text("Saved and published.")).to_be_visible()
    show(admin, "posts/new", re.compile("Posts"))
    reach(admin, admin.get_by_role("textbox", name="Title", exact=True))
    admin.keyboard.type("Later, by keys")
    reach(admin, admin.get_by_label("Date", exact=True))
    admin.keyboard.type("01022040")
    admin.keyboard.press("Tab")
    admin.keyboard.type("0304AM")
    expect(admin.get_by_label("Date", exact=True)).to_have_value("2040-01-02T03:04")
    reach(admin, admin.get_by_role("button", name="Schedule", exact=True), "Shift+Tab")
    admin.keyboard.press("Enter")
    expect(admin.get_by_text("Saved and scheduled.")).to_be_visible()
    found = {post["title"]["rendered"]: post["status"] for post in api.get("/posts", search="keys", status="publish,future")}
    assert found == {"By keys": "publish", "Later, by keys": "future"}


def test_what_else_people_do_is_done_by_keys_alone(signed_in: tuple[Page, Complaints], admin: Page, api: Api) -> None:
    id = api.post("/posts", {"title": "Once", "content": "One", "status": "draft"})["id"]
    api.post(f"/posts/{id}", {"title": "Twice"})
    api.post(f"/posts/{id}", {"title": "Thrice"})
    show(admin, f"posts/{id}/revisions", re.compile("Thrice"))
    press(admin, admin.get_by_role("button", name="Bring back the earlier one"))
    admin.get_by_role("heading", name="Twice", level=1).wait_for()

    reach(admin, admin.get_by_role("textbox", name="Title", exact=True))
    admin.keyboard.press("End")
    admin.keyboard.type(" mine")
    api.post(f"/posts/{id}", {"title": "Theirs"})
    admin.keyboard.press("Control+s")
    mine = admin.get_by_role("radio", name="Mine")
    mine.wait_for()
    reach(admin, admin.get_by_role("radio", name="Theirs"))
    admin.keyboard.press("ArrowDown")
    expect(mine).to_be_checked()
    press(admin, admin.get_by_role("button", name="Save so"))
    admin.get_by_role("heading", name="Twice mine", level=1).wait_for()
    signed_in[1].forget("412")

    comment = api.post("/comments", {"post": 1, "content": "By keys", "author_name": "Kim", "author_email": "kim@example.org"})["id"]
    api.post(f"/comments/{comment}", {"status": "hold"})
    show(admin, "comments?status=hold", "Comments")
    press(admin, admin.get_by_role("article", name="Comment by Kim").get_by_role("button", name="Approve"))
    expect(admin.get_by_text("Nothing is here.")).to_be_visible()

    show(admin, "media", "Media")
    with admin.expect_file_chooser() as chooser:
        press(admin, admin.get_by_role("button", name="Upload files"))
    chooser.value.set_files(pictures(1))
    expect(admin.get_by_text("1 files were uploaded.")).to_be_visible()
