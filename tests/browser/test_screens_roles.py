"""The editing page as each role sees it, with everything that plugins declare, and with attacks stored in every field."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clients.served import Prepared, Served, serve_copy
from furnished import RECIPE
from harness import Complaints
from playwright.sync_api import Page, expect
from screens import Api, sign_in

pytestmark = pytest.mark.browser

PASSWORD = "tide tables and pilot books"
PLUGINS = "application_passwords,declared_types,editorial,events,menus,seo,webhooks"
#: What each role finds in the menu, and what it must not.
MENUS = {
    "administrator": (["Posts", "Pages", "Media", "Comments", "Accounts", "Settings"], []),
    "editor": (["Posts", "Pages", "Categories", "Media", "Comments"], ["Accounts", "Settings"]),
    "author": (["Posts", "Media"], ["Pages", "Categories", "Accounts", "Settings"]),
    "contributor": (["Posts"], ["Pages", "Media", "Accounts", "Settings"]),
    "subscriber": (["My profile"], ["Posts", "Pages", "Media", "Comments", "Accounts", "Settings"]),
}
ATTACKS = (
    "<script>window.attacked = true</script>",
    "<img src=x onerror='window.attacked = true'>",
    "<svg onload='window.attacked = true'>",
    "\"><img src=x onerror=window.attacked=true>",
    "javascript:window.attacked=true",
    "<iframe srcdoc='<script>parent.attacked=true</script>'></iframe>",
)


@pytest.fixture(scope="module")
def served(prepared_demo: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served copy of the demo site with bundled plugins and a declared type."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "types").mkdir()
    (folder / "types" / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    with serve_copy(prepared_demo, folder, CMS_PLUGINS=PLUGINS) as site:
        yield site


@pytest.mark.parametrize("role", MENUS)
def test_a_role_finds_what_it_may_do(page: Page, served: Served, role: str) -> None:
    Api(served).post("/users", {"username": role, "email": f"{role}@example.org", "password": PASSWORD, "roles": [role]})
    sign_in(page, role, PASSWORD)
    menu = page.get_by_role("navigation", name="Sections")
    expect(menu.get_by_role("link", name="My profile")).to_be_visible()
    wanted, unwanted = MENUS[role]
    for name in wanted:
        expect(menu.get_by_role("link", name=name, exact=True)).to_be_visible()
    for name in unwanted:
        expect(menu.get_by_role("link", name=name, exact=True)).to_have_count(0)


def test_every_field_that_is_declared_is_in_the_form(page: Page, served: Served) -> None:
    api = Api(served)
    sign_in(page, served.login, served.password)
    for type in api.get("/types").values():
        if type["slug"] == "attachment":
            continue
        page.goto(f"/admin/#/{type['rest_base']}/new")
        page.locator("[data-field=title]").wait_for()
        page.get_by_role("link", name=f"Back to {type['name']}").wait_for()
        shown = set(page.locator("[data-field]").evaluate_all("all => all.map(one => one.dataset.field)"))
        declared = set(sent(api.fields(f"/{type['rest_base']}")))
        # Both say the same moment; and there is nothing in `meta` but what is declared in it.
        assert declared - shown <= {"date_gmt", "meta"}, type["slug"]


def sent(description: dict[str, list[dict[str, object]]]) -> dict[str, object]:
    """Return the arguments of a creation."""
    for endpoint in description["endpoints"]:
        if endpoint["methods"] == ["POST"]:
            return endpoint["args"]  # type: ignore[return-value]
    raise AssertionError("nothing is created there")


def test_a_declared_type_is_edited_and_filtered(page: Page, served: Served) -> None:
    api = Api(served)
    broth = api.post("/recipes", {"title": "Broth", "status": "publish", "serves": 2})
    sign_in(page, served.login, served.password)
    page.goto("/admin/#/recipes/new")
    page.get_by_role("textbox", name="Title", exact=True).fill("Soup")
    page.get_by_label("Serves").fill("4")
    page.get_by_label("Course").select_option(label="Main dish")
    page.get_by_role("searchbox", name="Search: Goes with").fill("broth")
    page.get_by_role("button", name="Broth", exact=True).click()
    page.get_by_role("button", name="Add entry").click()
    page.get_by_label("What").fill("eggs")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("Saved and published.")).to_be_visible()
    [soup] = api.get("/recipes", search="soup", context="edit")
    found = (soup["serves"], soup["course"], soup["goes_with"], soup["ingredients"])
    assert found == (4, "main", broth["id"], [{"what": "eggs"}])
    page.goto("/admin/#/recipes?serves=4")
    expect(page.get_by_role("link", name="Soup", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Broth", exact=True)).to_have_count(0)


def test_attacks_that_are_stored_run_nothing(opened: tuple[Page, Complaints], served: Served) -> None:
    page, complaints = opened
    api = Api(served)
    places = ["", "posts", "pages", "recipes", "comments", "categories", "tags", "users", "menus", "settings", "profile", "plugins"]
    for attack in ATTACKS:
        term = api.post("/categories", {"name": f"Term {len(places)} {attack}", "description": attack})
        post = api.post("/posts", {"title": attack, "content": attack, "excerpt": attack, "status": "pending", "categories": [term["id"]]})
        api.post(f"/posts/{post['id']}", {"title": f"{attack} again", "content": f"{attack} again"})
        api.post("/comments", {"post": 1, "content": f"Words {attack}", "author_name": f"A {attack}", "author_email": "a@example.org", "author_url": "https://example.org"})
        places += [f"posts/{post['id']}", f"posts/{post['id']}/revisions", f"categories/{term['id']}"]
    api.post("/settings", {"title": ATTACKS[1], "description": ATTACKS[0]})
    sign_in(page, served.login, served.password)
    for place in places:
        page.goto(f"/admin/#/{place}")
        page.locator("main h1").first.wait_for()
        page.wait_for_timeout(150)
        assert page.evaluate("window.attacked") is None, place
    complaints.forget("404")  # the picture at the address x, which is shown where texts are edited
