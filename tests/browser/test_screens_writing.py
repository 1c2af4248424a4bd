"""Writing on the editing page, as people do it: publishing, terms, a conflict, a lost connection, revisions, pictures."""

from __future__ import annotations

import re
from typing import Any

import pytest
from clients.served import Served
from harness import Complaints, opened_page
from playwright.sync_api import Browser, Page, expect
from screens import Api, pictures, save_and_wait, sign_in, write_text

pytestmark = pytest.mark.browser


@pytest.fixture
def api(served: Served) -> Api:
    """Asks the API of the served site beside the page."""
    return Api(served)


@pytest.fixture
def admin(page: Page, served: Served) -> Page:
    """The page with its administrator signed in."""
    sign_in(page, served.login, served.password)
    return page


def title_of(page: Page) -> Any:
    return page.get_by_role("textbox", name="Title", exact=True)


def new_post(page: Page, title: str) -> int:
    """Write a draft with a title on the page and return its id."""
    page.goto("/admin/#/posts/new")
    title_of(page).fill(title)
    save_and_wait(page, "Save draft", "Saved.")
    page.wait_for_url(re.compile(r"#/posts/\d+$"))
    page.get_by_role("heading", name=title, level=1).wait_for()
    return int(page.url.rsplit("/", 1)[1])


def test_a_post_is_written_with_terms_and_published(admin: Page, api: Api) -> None:
    admin.get_by_role("link", name="Posts", exact=True).click()
    admin.get_by_role("link", name="Add new").click()
    title_of(admin).fill("Tide & table")
    write_text(admin, "Low water at six.")
    admin.get_by_role("checkbox", name="News").check()
    admin.get_by_role("combobox", name="Add: Tags").fill("moon")
    admin.keyboard.press("Enter")
    admin.get_by_role("button", name="Remove moon").wait_for()
    save_and_wait(admin, "Publish", "Saved and published.")
    admin.wait_for_url(re.compile(r"#/posts/\d+$"))
    post = api.get(f"/posts/{admin.url.rsplit('/', 1)[1]}", context="edit")
    assert (post["status"], post["title"]["raw"]) == ("publish", "Tide & table")
    assert "Low water at six." in post["content"]["raw"]
    assert [tag["name"] for tag in api.get("/tags", post=post["id"])] == ["moon"]


def test_a_date_to_come_schedules_and_names_both_zones(browser: Browser, served: Served, api: Api) -> None:
    with opened_page(browser, served.home, timezone_id="Asia/Jakarta") as (page, _complaints):
        sign_in(page, served.login, served.password)
        schedule(page)
    assert [(post["date"], post["status"]) for post in api.get("/posts", status="future")] == [("2040-01-02T03:04:00", "future")]


def schedule(page: Page) -> None:
    """Write a post of a day to come, and look whether both zones are named."""
    page.goto("/admin/#/posts/new")
    title_of(page).fill("Later")
    page.get_by_label("Date", exact=True).fill("2040-01-02T03:04")
    expect(page.get_by_text("Your time (Asia/Jakarta)")).to_be_visible()
    expect(page.get_by_text("Time of the site (UTC)")).to_be_visible()
    save_and_wait(page, "Schedule", "Saved and scheduled.")


def test_what_somebody_else_saved_is_shown_field_by_field(opened: tuple[Page, Complaints], served: Served, api: Api) -> None:
    page, complaints = opened
    sign_in(page, served.login, served.password)
    id = new_post(page, "As it was")
    api.post(f"/posts/{id}", {"title": "Theirs", "excerpt": "Their excerpt"})
    title_of(page).fill("Mine")
    page.get_by_role("button", name="Save draft").click()
    dialog = page.get_by_role("dialog", name="Somebody else saved this meanwhile")
    expect(dialog.get_by_text(re.compile("They also changed:.*Excerpt"))).to_be_visible()
    dialog.get_by_role("radio", name="Mine").check()
    dialog.get_by_role("button", name="Save so").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("heading", name="Mine", level=1).wait_for()
    post = api.get(f"/posts/{id}", context="edit")
    assert (post["title"]["raw"], post["excerpt"]["raw"]) == ("Mine", "Their excerpt")
    complaints.forget("412")


def test_theirs_can_be_chosen_and_nothing_is_sent(opened: tuple[Page, Complaints], served: Served, api: Api) -> None:
    page, complaints = opened
    sign_in(page, served.login, served.password)
    id = new_post(page, "As it was")
    api.post(f"/posts/{id}", {"title": "Theirs"})
    title_of(page).fill("Mine")
    page.get_by_role("button", name="Save draft").click()
    page.get_by_role("radio", name="Theirs").check()
    page.get_by_role("button", name="Save so").click()
    expect(title_of(page)).to_have_value("Theirs")
    assert api.get(f"/posts/{id}", context="edit")["title"]["raw"] == "Theirs"
    complaints.forget("412")


def test_a_lost_connection_loses_nothing(opened: tuple[Page, Complaints], served: Served, api: Api) -> None:
    page, complaints = opened
    sign_in(page, served.login, served.password)
    id = new_post(page, "Before")
    page.context.set_offline(True)
    title_of(page).fill("Written on the ferry")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("stored in this browser").first).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    page.get_by_role("button", name="Put them into the form").click()
    expect(title_of(page)).to_have_value("Written on the ferry")
    save_and_wait(page, "Save draft", "Saved.")
    assert api.get(f"/posts/{id}", context="edit")["title"]["raw"] == "Written on the ferry"
    complaints.forget("ERR_INTERNET_DISCONNECTED")


def test_a_refusal_stands_at_its_field(opened: tuple[Page, Complaints], served: Served) -> None:
    page, complaints = opened
    sign_in(page, served.login, served.password)
    page.goto("/admin/#/users/new")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("E-mail address").fill("nobody")
    page.get_by_label("Password").fill("a long enough passphrase")
    page.get_by_role("button", name="Add").click()
    field = page.get_by_label("E-mail address")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    complaints.forget("400")


def test_pictures_go_up_together_and_one_becomes_the_featured_one(admin: Page, api: Api) -> None:
    admin.goto("/admin/#/media")
    admin.get_by_role("button", name="Upload files").wait_for()
    admin.set_input_files("input[type=file]", pictures(20))
    expect(admin.get_by_text("20 files were uploaded.")).to_be_visible(timeout=60_000)
    id = new_post(admin, "With a picture")
    admin.get_by_role("button", name=re.compile("Choose.*Featured picture")).click()
    admin.get_by_role("dialog").get_by_role("button", name="picture-3", exact=True).click()
    admin.get_by_label("What does the picture show?").fill("A jetty")
    admin.get_by_role("dialog").get_by_role("button", name="Choose", exact=True).click()
    save_and_wait(admin, "Save draft", "Saved.")
    media = api.get(f"/media/{api.get(f'/posts/{id}', context='edit')['featured_media']}")
    assert (media["title"]["rendered"], media["alt_text"]) == ("picture-3", "A jetty")


def test_leaving_asks_while_something_is_unsaved(opened: tuple[Page, Complaints], served: Served) -> None:
    page, complaints = opened
    sign_in(page, served.login, served.password)
    page.goto("/admin/#/posts/new")
    title_of(page).fill("Unsaved")
    page.get_by_role("link", name="Pages", exact=True).click()
    page.get_by_role("heading", name="Pages", level=1).wait_for()
    complaints.forget("dialog: Leave without saving")
