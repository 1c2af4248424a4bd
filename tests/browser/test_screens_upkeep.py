"""The site itself and the order of things on the editing page: webhooks, events, backups, findings, trees, rows, filters, settings."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest
import requests
from clients.served import Prepared, Served
from furnished import furnish, serve_furnished, upload, wait_for_failure
from harness import Complaints, opened_page
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from screens import Api, pictures, save_and_wait, show, sign_in

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served site with something on every screen."""
    with serve_furnished(prepared_demo, tmp_path_factory.mktemp("furnished")) as site:
        yield site


@pytest.fixture(scope="module")
def places(served: Served) -> dict[str, str]:
    """The addresses of all screens."""
    return furnish(served)


@pytest.fixture(scope="module")
def signed_in(browser: Browser, served: Served, places: dict[str, str]) -> Iterator[tuple[Page, Complaints]]:
    """A page on which the administrator is signed in, for the tests of this module."""
    with opened_page(browser, served.home) as (page, complaints):
        sign_in(page, served.login, served.password)
        yield page, complaints


def test_what_was_sent_is_sent_again(admin: Page, served: Served, places: dict[str, str]) -> None:
    hook = places["webhook"]
    wait_for_failure(Api(served), hook)
    show(admin, hook, "The front end")
    sent = admin.get_by_role("region", name="What was sent")
    expect(sent.get_by_text("Connection refused").first).to_be_visible()
    sent.get_by_role("button", name=re.compile("Send again.*webhook.test")).first.click()
    expect(admin.get_by_text("It is sent again.")).to_be_visible()
    before = len(Api(served).get(f"/{hook}/deliveries"))
    sent.get_by_role("button", name="Send a test").click()
    expect(sent.locator("tbody tr")).to_have_count(before + 1)
    sent.get_by_label("State").select_option(label="Delivered")
    expect(sent.get_by_text("Nothing was sent yet.")).to_be_visible()


def test_waiting_events_are_given_up(admin: Page, served: Served, places: dict[str, str]) -> None:
    wait_for_failure(Api(served), places["webhook"])
    show(admin, "site/events", "Waiting events")
    expect(admin.get_by_text("webhook.test").first).to_be_visible()
    admin.get_by_role("checkbox", name="Select all").check()
    admin.get_by_role("button", name="Give up").click()
    expect(admin.get_by_text("The events were given up.")).to_be_visible()
    expect(admin.get_by_text("Nothing waits.")).to_be_visible()


def test_a_backup_is_made_and_findings_are_read(admin: Page) -> None:
    show(admin, "site/backups", "Backups")
    expect(admin.get_by_text("There is no backup yet.")).to_be_visible()
    admin.get_by_role("button", name="Make a backup").click()
    expect(admin.get_by_role("table", name="Backups").locator("tbody tr")).to_have_count(1, timeout=60_000)
    expect(admin.get_by_role("button", name="Make a backup")).to_be_enabled()
    show(admin, "site/doctor", "State of the site")
    expect(admin.get_by_text("Nothing is wrong with the site.").or_(admin.get_by_role("list", name="Findings"))).to_be_visible()


def test_menu_items_are_moved_by_keys_and_by_dragging(admin: Page, served: Served) -> None:
    api = Api(served)
    menu = api.post("/menus", {"name": "Harbour"})["id"]
    for order, title in enumerate(("One", "Two", "Three"), 1):
        api.post("/menu-items", {"menus": menu, "title": title, "url": "https://example.org/", "type": "custom", "status": "publish", "menu_order": order})
    show(admin, f"menus?menu={menu}", "Menus")
    tree = admin.get_by_role("list", name="Harbour")
    tree.get_by_role("button", name="Up: Three", exact=True).focus()
    admin.keyboard.press("Enter")
    expect(tree.locator("li .title")).to_have_text(["One", "Three", "Two"])
    expect(tree.get_by_role("button", name="Up: Three", exact=True)).to_be_focused()
    admin.keyboard.press("Alt+ArrowRight")
    expect(tree.locator("li.deep-1 .title")).to_have_text(["Three"])
    row, other = tree.locator("li", has_text="Two"), tree.locator("li", has_text="One")
    row.locator(".handle").drag_to(other, target_position={"x": 60, "y": 2})
    expect(tree.locator("li .title")).to_have_text(["Two", "One", "Three"])
    found = [(item["title"]["rendered"], item["parent"]) for item in api.get("/menu-items", menus=menu)]
    assert [title for title, _parent in found] == ["Two", "One", "Three"]
    assert found[2][1] == api.get("/menu-items", menus=menu)[1]["id"]


def test_terms_are_moved_by_keys_and_by_dragging(admin: Page, served: Served) -> None:
    api = Api(served)
    first, second = (api.post("/categories", {"name": name})["id"] for name in ("Aa quays", "Ab ramps"))
    show(admin, "categories", "Categories")
    tree = admin.get_by_role("list", name="Categories")
    tree.get_by_role("button", name="One level deeper: Ab ramps").focus()
    admin.keyboard.press("Enter")
    expect(tree.locator("li.deep-1 .title").first).to_have_text("Ab ramps")
    assert api.get(f"/categories/{second}")["parent"] == first
    expect(tree.get_by_role("button", name="One level deeper: Ab ramps")).to_be_focused()
    admin.keyboard.press("Alt+ArrowLeft")
    expect(tree.locator("li.deep-0 .title").nth(1)).to_have_text("Ab ramps")
    tree.locator("li", has_text="Aa quays").locator(".handle").drag_to(tree.locator("li", has_text="Ab ramps"))
    expect(tree.locator("li.deep-1 .title").first).to_have_text("Aa quays")
    assert api.get(f"/categories/{first}")["parent"] == second


def test_media_stand_in_rows_and_are_deleted_together(admin: Page) -> None:
    show(admin, "media", "Media")
    admin.get_by_role("checkbox", name="In rows").check()
    table = admin.get_by_role("table", name="Media")
    expect(table.locator("tbody tr")).to_have_count(3)
    expect(table.get_by_text("missing")).to_have_count(2)
    admin.get_by_role("checkbox", name="Only pictures without alternative text").check()
    expect(table.locator("tbody tr")).to_have_count(2)
    table.get_by_role("checkbox", name="Select picture-1").check()
    admin.get_by_role("button", name="Delete for good").click()
    expect(table.locator("tbody tr")).to_have_count(1)


def test_a_filter_is_saved_in_the_browser(admin: Page) -> None:
    show(admin, "posts?search=tide&status=publish", "Posts")
    admin.get_by_text("Save this filter").click()
    admin.get_by_label("Name of the filter").fill("Tides")
    admin.get_by_role("search").get_by_role("button", name="Save").click()
    show(admin, "posts", "Posts")
    admin.get_by_role("link", name="Tides", exact=True).click()
    expect(admin).to_have_url(re.compile(r"#/posts\?search=tide&status=publish$"))
    admin.reload()
    admin.get_by_role("button", name="Remove the saved filter Tides").click()
    expect(admin.get_by_role("link", name="Tides", exact=True)).to_have_count(0)


def test_settings_stand_in_sections(admin: Page, served: Served) -> None:
    show(admin, "settings", "Settings")
    for name in ("The site", "Dates and times", "Writing and reading", "Comments", "Webhooks", "Events"):
        expect(admin.get_by_role("region", name=name, exact=True)).to_be_visible()
    admin.get_by_role("region", name="Webhooks").get_by_label("Webhooks keep days").fill("12")
    save_and_wait(admin, "Save", "The settings were saved.")
    assert Api(served).get("/settings")["webhooks_keep_days"] == 12


def test_the_category_of_posts_without_one_is_chosen_by_its_name(admin: Page, served: Served) -> None:
    api = Api(served)
    term = api.post("/categories", {"name": "Weather"})["id"]
    show(admin, "settings", "Settings")
    admin.reload()  # the test before may have left it at the same address
    choice = admin.get_by_role("combobox", name="Category without a choice")
    expect(choice.get_by_role("option", name="Weather")).to_have_count(1)
    choice.select_option("Weather")
    zone = admin.get_by_role("combobox", name="Time zone")
    assert zone.evaluate("field => [...field.list.options].some((option) => option.value === 'Asia/Jakarta')")
    zone.fill("Asia/Jakarta")
    save_and_wait(admin, "Save", "The settings were saved.")
    found = api.get("/settings")
    assert (found["default_category"], found["timezone"]) == (term, "Asia/Jakarta")


def test_the_picture_for_shared_links_is_chosen_among_the_media(admin: Page, served: Served) -> None:
    show(admin, "posts/new", re.compile("New"))
    picture = admin.get_by_role("group", name="Picture for shared links")
    expect(picture.get_by_role("button", name=re.compile("Choose"))).to_be_visible()
    expect(picture.get_by_role("spinbutton")).to_have_count(0)


def test_terms_of_a_taxonomy_whose_field_has_another_name(admin: Page, served: Served) -> None:
    api = Api(served)
    venue = api.post("/event-venues", {"name": "Old hall"})["id"]
    show(admin, "events/new", re.compile("Events"))
    admin.get_by_role("textbox", name="Title", exact=True).fill("Concert")
    admin.get_by_label("Start").fill("2040-01-02T20:00")
    admin.get_by_role("combobox", name="Add: Venues").fill("Old hall")
    admin.keyboard.press("Enter")
    admin.get_by_role("button", name="Remove Old hall").wait_for()
    save_and_wait(admin, "Publish", "Saved and published.")
    [event] = api.get("/events", search="concert")
    assert event["event_venues"] == [venue]


def test_names_and_help_are_in_the_language_of_the_page(admin: Page) -> None:
    show(admin, "profile", "admin")
    admin.get_by_label("Language of this page").select_option(label="Bahasa Indonesia")
    menu = admin.get_by_role("navigation", name="Bagian")
    expect(menu.get_by_role("link", name="Halaman", exact=True)).to_be_visible()
    admin.goto("/admin/#/posts/new")
    expect(admin.get_by_text("Nama item dalam alamat, unik di antara item sejenis.")).to_be_visible()
    expect(admin.get_by_label("Status").locator("option", has_text="Terbit")).to_have_count(1)
    admin.evaluate("localStorage.removeItem('cms-admin-language')")
    admin.reload()


def test_a_file_is_replaced_at_its_address(admin: Page, served: Served) -> None:
    media = upload(Api(served), pictures(2)[1])
    show(admin, f"media/{media['id']}", "picture-1")
    file = io.BytesIO()
    Image.new("RGB", (50, 40), "white").save(file, "PNG")
    with admin.expect_file_chooser() as chooser:
        admin.get_by_role("button", name="Replace the file").click()
    chooser.value.set_files({"name": "another.png", "mimeType": "image/png", "buffer": file.getvalue()})
    expect(admin.get_by_text("The file was replaced.")).to_be_visible()
    expect(admin.get_by_text("50 × 40")).to_be_visible()
    assert requests.get(media["source_url"], timeout=20).content == file.getvalue()
