"""Menus, their items, their places, and the menus of imports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from adapter import copy_site
from sites import Client
from transfer.conftest import CHANNEL

from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing.importer import import_wxr

THEME = Path(__file__).parents[1] / "data" / "wxr" / "theme-unit-test.wxr.xml"
FIELDS = ["id", "title", "status", "url", "attr_title", "description", "type", "type_label", "object", "object_id",
          "parent", "menu_order", "target", "classes", "xfn", "invalid", "meta", "menus", "_links"]


@pytest.fixture
def client(bundled: Callable[..., Client]) -> Client:
    """A client of a site with the plugin."""
    return bundled("menus")


@pytest.fixture
def menu(client: Client) -> int:
    """A menu without items."""
    return int(client.new("/menus", name="Main")["id"])


def custom(client: Client, menu: int, title: str = "Link", **fields: Any) -> dict[str, Any]:
    return client.new("/menu-items", **{"title": title, "url": "https://example.org/", "menus": menu, **fields})


def pointing(client: Client, menu: int, item: dict[str, Any], kind: str = "post_type", **fields: Any) -> dict[str, Any]:
    return client.new("/menu-items", type=kind, object_id=item["id"], menus=menu, **fields)


def read(client: Client, query: str = "", as_: str | None = None) -> list[dict[str, Any]]:
    answer = client.get(f"/menu-items{query}", as_)
    assert answer.status_code == 200, answer.text
    return list(answer.json)


def test_a_custom_link_has_the_fields_that_clients_know(client: Client, menu: int) -> None:
    made = custom(client, menu, "Home & <b>more</b>", url="/start", attr_title="Tip", description="Text", target="_blank",
                  classes=["big", 'r"ed', " "], xfn="friend met")

    shown = client.get(f"/menu-items/{made['id']}").json

    assert list(shown) == FIELDS
    assert {name: shown[name] for name in FIELDS if name not in ("id", "title", "_links", "object_id")} == {
        "status": "publish", "url": "/start", "attr_title": "Tip", "description": "Text", "type": "custom",
        "type_label": "Custom link", "object": "custom", "parent": 0, "menu_order": 1, "target": "_blank",
        "classes": ["big", "red"], "xfn": ["friend", "met"], "invalid": False, "meta": {}, "menus": menu}
    assert shown["object_id"] == shown["id"]
    assert shown["title"] == {"rendered": "Home &#038; <b>more</b>"}
    assert made["title"]["raw"] == "Home & <b>more</b>"


@pytest.mark.parametrize(("base", "kind", "label"), [
    ("posts", "post_type", "Posts"), ("pages", "post_type", "Pages"), ("categories", "taxonomy", "Categories"),
])
def test_an_item_says_and_leads_where_its_target_does(client: Client, menu: int, base: str, kind: str,
                                                      label: str) -> None:
    target = client.new(f"/{base}", title="One & two", name="One & two", status="publish", content="x")
    name = target.get("type") or target["taxonomy"]
    item = pointing(client, menu, target, kind)
    client.post(f"/{base}/{target['id']}", {"title": "Three", "name": "Three", "slug": "three"})

    shown = client.get(f"/menu-items/{item['id']}").json

    assert (shown["title"]["rendered"], shown["object"], shown["object_id"]) == ("Three", name, target["id"])
    assert shown["type_label"] == label
    assert shown["url"] == client.get(f"/{base}/{target['id']}").json["link"]
    assert shown["url"].endswith("/three/")
    link = shown["_links"]["https://api.w.org/menu-item-object"]
    assert link == [{kind: name, "embeddable": True, "href": f"http://cms.example/api/cms/v2/{base}/{target['id']}"}]
    embedded = client.get(f"/menu-items/{item['id']}?_embed").json["_embedded"]
    assert embedded["https://api.w.org/menu-item-object"][0]["id"] == target["id"]


def test_a_title_of_its_own_stays_and_that_of_the_target_follows(client: Client, menu: int) -> None:
    page = client.new("/pages", title="Page", status="publish")
    own, following = pointing(client, menu, page, title="Mine"), pointing(client, menu, page)
    edited = client.post(f"/menu-items/{following['id']}", {"title": following["title"], "classes": ["x"]}).json
    assert edited["title"]["raw"] == "Page"

    client.post(f"/pages/{page['id']}", {"title": "Renamed"})

    titles = {item["id"]: item["title"]["rendered"] for item in read(client)}
    assert titles == {own["id"]: "Mine", following["id"]: "Renamed"}


def test_an_archive_of_a_type(client: Client, menu: int) -> None:
    item = client.new("/menu-items", type="post_type_archive", object="post", menus=menu)

    assert (item["title"]["rendered"], item["url"]) == ("Posts", "http://cms.example/posts/")
    refused = client.post("/menu-items", {"type": "post_type_archive", "object": "nothing"})
    assert (refused.status_code, refused.json["code"]) == (400, "rest_post_invalid_type")


@pytest.mark.parametrize(("fields", "code"), [
    ({"title": "x"}, "rest_url_required"), ({"url": "/x"}, "rest_title_required"),
    ({"title": " ", "url": "/x"}, "rest_title_required"),
    ({"type": "post_type", "object_id": 999999}, "rest_post_invalid_id"), ({"type": "post_type"}, "rest_post_invalid_id"),
    ({"type": "taxonomy", "object_id": 999999}, "rest_term_invalid_id"),
    ({"type": "taxonomy", "object_id": 1, "menus": 1}, "rest_invalid_param"),
    ({"title": "x", "url": "javascript:alert(1)"}, "rest_invalid_param"),
    ({"title": "x", "url": "java\nscript:alert(1)"}, "rest_invalid_param"),
    ({"title": "x", "url": "data:text/html,x"}, "rest_invalid_param"),
    ({"title": "x", "url": "/x", "menus": 999999}, "rest_invalid_param"),
    ({"title": "x", "url": "/x", "parent": 999999}, "rest_invalid_param"),
    ({"title": "x", "url": "/x", "parent": 1}, "rest_invalid_param"),
    ({"title": "x", "url": "/x", "type": "other"}, "rest_invalid_param"),
    ({"title": "x", "url": "/x", "target": "_top"}, "rest_invalid_param"),
    ({"title": "x", "url": "/x", "menu_order": 0}, "rest_invalid_param"),
])
def test_what_cant_be_stored_is_refused(client: Client, fields: dict[str, Any], code: str) -> None:
    answer = client.post("/menu-items", fields)

    assert (answer.status_code, answer.json["code"]) == (400, code)
    assert read(client, "", "editor") == []


@pytest.mark.parametrize("url", ["#", "/x?a=1#b", "mailto:a@example.org", "tel:+1", "https://example.org/a b", "page"])
def test_addresses_of_links(client: Client, menu: int, url: str) -> None:
    assert custom(client, menu, url=url)["url"] == url.replace(" ", "")


# Levels and order.

def test_the_order_and_the_levels_of_a_menu(client: Client, menu: int) -> None:
    other = client.new("/menus", name="Other")["id"]
    first, second = custom(client, menu, "First"), custom(client, menu, "Second")
    below = custom(client, menu, "Below", parent=first["id"])
    deeper = custom(client, menu, "Deeper", parent=below["id"])
    custom(client, other, "Elsewhere")
    front = custom(client, menu, "Front", menu_order=1)
    client.post(f"/menu-items/{first['id']}", {"menu_order": 2})
    client.post(f"/menu-items/{second['id']}", {"menu_order": 9})

    shown = read(client, f"?menus={menu}")

    assert [item["title"]["rendered"] for item in shown] == ["Front", "First", "Below", "Deeper", "Second"]
    assert [item["parent"] for item in shown] == [0, 0, first["id"], below["id"], 0]
    assert (front["menu_order"], deeper["menu_order"]) == (1, 4)
    assert [item["id"] for item in read(client, f"?parent={first['id']}")] == [below["id"]]


def test_loops_and_parents_of_other_menus_are_refused(client: Client, menu: int) -> None:
    other = client.new("/menus", name="Other")["id"]
    first = custom(client, menu)
    below = custom(client, menu, parent=first["id"])
    elsewhere = custom(client, other)

    for parent in (first["id"], below["id"], elsewhere["id"]):
        answer = client.post(f"/menu-items/{first['id']}", {"parent": parent})
        assert (answer.status_code, list(answer.json["data"]["params"])) == (400, ["parent"])
    assert {item["id"]: item["parent"] for item in read(client)} == {
        first["id"]: 0, below["id"]: first["id"], elsewhere["id"]: 0}
    assert client.post(f"/menu-items/{below['id']}", {"parent": 0}).json["parent"] == 0


def test_what_is_below_a_deleted_item_goes_up(client: Client, menu: int) -> None:
    first = custom(client, menu)
    below = custom(client, menu, parent=first["id"])
    deeper = custom(client, menu, parent=below["id"])

    assert client.send("DELETE", f"/menu-items/{below['id']}", "editor").json["code"] == "rest_trash_not_supported"
    assert client.send("DELETE", f"/menu-items/{below['id']}?force=true", "editor").json["deleted"] is True

    shown = client.get(f"/menu-items/{deeper['id']}").json
    assert shown["parent"] == first["id"]
    assert client.post(f"/menu-items/{deeper['id']}", {"title": "Changed"}).json["parent"] == first["id"]


def test_a_deleted_menu_takes_its_items_along(client: Client, menu: int) -> None:
    other = client.new("/menus", name="Other")["id"]
    custom(client, menu)
    kept = custom(client, other)

    client.send("DELETE", f"/menus/{menu}?force=true", "editor")

    assert [item["id"] for item in read(client, "", "editor")] == [kept["id"]]
    assert len(client.site.database.rows("SELECT * FROM content_terms WHERE content_id NOT IN (SELECT id FROM content)")) == 0


# Who sees and does what.

def test_readers_see_only_what_leads_to_something_public(client: Client, menu: int) -> None:
    states = ("publish", "draft", "pending", "private", "future", "trash")
    for state in states:
        more = {"date": "2999-01-01T00:00:00"} if state == "future" else {}
        page = client.new("/pages", title=state, status="publish" if state == "trash" else state, **more)
        item = pointing(client, menu, page)
        if state == "trash":
            client.send("DELETE", f"/pages/{page['id']}", "editor")
        for path in (f"/menu-items/{item['id']}", f"/menus?post={item['id']}"):
            assert client.get(path).status_code == (200 if state == "publish" else 401)
    draft = custom(client, menu, "Draft", status="draft")

    listed = client.get("/menu-items")

    assert [item["title"]["rendered"] for item in listed.json] == ["publish"]
    assert listed.headers["X-WP-Total"] == "1"
    assert len(read(client, "?per_page=100", "author")) == 1
    every = {item["title"]["rendered"]: item["invalid"] for item in read(client, "?status=publish,draft", "editor")}
    assert every == {**{state: state == "trash" for state in states if state != "private"}, "private": False, "Draft": False}
    assert client.get(f"/menu-items/{draft['id']}").status_code == 401


@pytest.mark.parametrize(("base", "kind"), [("pages", "post_type"), ("tags", "taxonomy")])
def test_an_item_whose_target_is_gone_is_invalid(client: Client, menu: int, base: str, kind: str) -> None:
    target = client.new(f"/{base}", title="Gone", name="Gone", status="publish")
    item = pointing(client, menu, target, kind, title="Left")
    client.send("DELETE", f"/{base}/{target['id']}?force=true", "editor")

    shown = client.get(f"/menu-items/{item['id']}").json

    assert (shown["invalid"], shown["title"]["rendered"], shown["url"]) == (True, "Left", "")
    assert "https://api.w.org/menu-item-object" not in shown["_links"]


@pytest.mark.parametrize(("role", "allowed"), [
    (None, False), ("subscriber", False), ("contributor", False), ("author", False), ("editor", True),
    ("administrator", True),
])
def test_editors_and_administrators_arrange_menus(client: Client, menu: int, role: str | None, allowed: bool) -> None:
    item = custom(client, menu)
    refused = {None: 401}.get(role, 403)

    def status(method: str, path: str, **body: Any) -> int:
        return client.send(method, path, role, json=body).status_code

    assert status("POST", "/menus", name=f"By {role}") == (201 if allowed else refused)
    assert status("POST", "/menu-items", title="x", url="/x", menus=menu) == (201 if allowed else refused)
    assert status("POST", f"/menus/{menu}", name="Changed") == (200 if allowed else refused)
    assert status("PUT", f"/menu-items/{item['id']}", title="Changed") == (200 if allowed else refused)
    assert client.get(f"/menu-items/{item['id']}?context=edit", role).status_code == (200 if allowed else refused)
    assert status("DELETE", f"/menu-items/{item['id']}?force=true") == (200 if allowed else refused)
    assert status("DELETE", f"/menus/{menu}?force=true") == (200 if allowed else refused)
    assert client.get("/menus", role).status_code == 200


def test_a_page_of_items_takes_a_constant_number_of_statements(client: Client, menu: int) -> None:
    counts = []
    for number in range(3):
        for _ in range(1 + 9 * number):
            page = client.new("/pages", title="P", status="publish")
            tag = client.new("/tags", name=f"T {page['id']}")
            pointing(client, menu, page)
            pointing(client, menu, tag, "taxonomy")
        client.get("/menu-items")
        counts.append(len(client.statements(lambda: client.get("/menu-items"))))

    assert counts[0] == counts[1] == counts[2]


@pytest.mark.files_only
def test_a_write_of_content_reads_no_menu_items_but_those_that_lead_to_it(client: Client, menu: int) -> None:
    page, other = (client.new("/pages", title="P", status="publish") for _number in range(2))
    tag = client.new("/tags", name="T")
    own = [pointing(client, menu, page), pointing(client, menu, tag, "taxonomy")]
    others = [pointing(client, menu, other) for _number in range(3)]
    versions = [client.get(f"/menu-items/{item['id']}").headers["ETag"] for item in own + others]

    seen = client.statements(lambda: client.post(f"/pages/{page['id']}", {"title": "New"}))
    seen += client.statements(lambda: client.post(f"/tags/{tag['id']}", {"name": "New"}))

    reading = [sql for sql in seen if sql.lstrip().startswith("SELECT id FROM content WHERE type = 'nav_menu_item'")]
    assert len(reading) == 2
    for sql in reading:
        plan = [row["detail"] for row in client.site.database.rows(f"EXPLAIN QUERY PLAN {sql}")]
        assert [step for step in plan if "content" in step] == [
            "SEARCH content USING INDEX menu_items_target (<expr>=? AND <expr>=?)"]
    after = [client.get(f"/menu-items/{item['id']}").headers["ETag"] for item in own + others]
    assert [old != new for old, new in zip(versions, after, strict=True)] == [True, True, False, False, False]


# Menus and places.

def test_menus_have_places_and_a_place_has_one_menu(client: Client, menu: int) -> None:
    other = client.new("/menus", name="Other", locations=["primary", "footer"])
    client.post(f"/menus/{menu}", {"locations": ["primary"]})

    menus = {each["id"]: each["locations"] for each in client.get("/menus").json}
    places = client.get("/menu-locations").json

    assert other["locations"] == ["primary", "footer"]
    assert menus == {menu: ["primary"], other["id"]: ["footer"]}
    assert {name: place["menu"] for name, place in places.items()} == {"primary": menu, "footer": other["id"]}
    one = client.get("/menu-locations/primary").json
    assert one == places["primary"]
    assert one["_links"]["https://api.w.org/menu"] == [
        {"embeddable": True, "href": f"http://cms.example/api/cms/v2/menus/{menu}"}]
    assert client.get("/menu-locations/nowhere").json["code"] == "rest_menu_location_invalid"


def test_the_settings_name_the_places(client: Client, menu: int) -> None:
    refused = client.post(f"/menus/{menu}", {"locations": ["sidebar"]})
    assert (refused.status_code, refused.json["code"]) == (400, "rest_invalid_menu_location")
    assert refused.json["data"]["location"] == "sidebar"

    client.post("/settings", {"menu_locations": ["sidebar"]}, "administrator")

    assert client.post(f"/menus/{menu}", {"locations": ["sidebar"]}).json["locations"] == ["sidebar"]
    assert list(client.get("/menu-locations").json) == ["sidebar"]


def test_published_pages_join_the_menus_that_want_them(client: Client, menu: int) -> None:
    wanting = client.new("/menus", name="All pages", auto_add=True)["id"]
    custom(client, wanting, "First")
    page = client.new("/pages", title="Page", status="publish")
    draft = client.new("/pages", title="Draft")
    client.new("/pages", title="Below", status="publish", parent=page["id"])
    client.new("/posts", title="Post", status="publish")
    assert len(read(client, f"?menus={wanting}")) == 2

    client.post(f"/pages/{draft['id']}", {"status": "publish"})
    client.post(f"/pages/{draft['id']}", {"status": "draft"})
    client.post(f"/pages/{draft['id']}", {"status": "publish"})

    shown = read(client, f"?menus={wanting}")
    assert [item["title"]["rendered"] for item in shown] == ["First", "Page", "Draft"]
    assert [item["menu_order"] for item in shown] == [1, 2, 3]
    assert read(client, f"?menus={menu}") == []


# Imports.

@pytest.fixture(scope="module")
def with_export(lasting: Callable[..., Any], migrated: Callable[..., Path]) -> Path:
    """The folder of a site with the theme's export in it, which nobody has open."""
    site = lasting({"plugins": ["menus"]})
    copy_site(migrated("menus"), site.folder)
    client = site.client()
    report = import_wxr(client.site, THEME)
    assert (report.imported["nav_menu"], report.imported["nav_menu_item"]) == (6, 70)
    assert not [kind for kind, _reason in report.left_out if kind.startswith("nav_menu")]
    client.site.close()
    return Path(site.folder)


@pytest.fixture
def imported(plugged: Callable[..., Any], with_export: Path) -> Client:
    """The site with the theme's export in it."""
    site = plugged({"plugins": ["menus"]})
    copy_site(with_export, site.folder)
    return site.client()


def of_menu(client: Client, slug: str) -> list[dict[str, Any]]:
    menu = client.get(f"/menus?slug={slug}").json[0]["id"]
    return read(client, f"?menus={menu}&status=publish,draft", "editor")


def test_the_menus_of_an_export_arrive(imported: Client) -> None:
    counts = {menu["slug"]: len(of_menu(imported, menu["slug"])) for menu in imported.get("/menus").json}

    assert counts == {"testing-menu": 23, "all-pages-flat": 18, "all-pages": 18, "short": 6, "social-menu": 5,
                      "empty-menu": 0}
    every = read(imported, "?status=publish,draft", "editor")
    assert Counter((item["type"], item["object"]) for item in every) == {
        ("post_type", "page"): 44, ("custom", "custom"): 23, ("taxonomy", "category"): 3}
    assert not [item for item in every if item["invalid"]]
    assert sum(item["parent"] != 0 for item in every) == 32


def test_the_items_of_an_export_point_at_what_came_with_them(imported: Client) -> None:
    titles = {page["id"]: page for page in imported.get("/pages?per_page=100", "editor").json}
    for item in of_menu(imported, "all-pages"):
        if item["type"] == "post_type":
            assert item["url"] == titles[item["object_id"]]["link"]
    categories = {item["url"] for item in of_menu(imported, "testing-menu") if item["type"] == "taxonomy"}
    assert categories <= {each["link"] for each in imported.get("/categories?per_page=100").json}
    assert len(categories) == 3


def test_levels_order_and_attributes_of_an_export_stay(imported: Client) -> None:
    items = {item["id"]: item for item in of_menu(imported, "testing-menu")}
    by_title = {item["title"]["rendered"]: item for item in items.values()}

    assert [item["menu_order"] for item in items.values()] == sorted(item["menu_order"] for item in items.values())
    assert {items[item["parent"]]["title"]["rendered"] for item in items.values() if item["parent"]} >= {"Advanced", "Level 01"}
    assert by_title["Level 03"]["parent"] == by_title["Level 02"]["id"]
    assert [item["classes"] for item in items.values() if item["classes"]] == [["custom-menu-css-class"]]
    opened = [item["url"] for item in items.values() if item["target"] == "_blank"]
    assert opened == ["https://wordpressfoundation.org/"]
    assert next(item["url"] for item in of_menu(imported, "social-menu")).startswith("https://")


def test_a_second_import_changes_nothing(imported: Client) -> None:
    before = imported.site.database.rows("SELECT * FROM content ORDER BY id")

    report = import_wxr(imported.site, THEME)

    assert (report.known["nav_menu"], report.known["nav_menu_item"]) == (6, 70)
    assert "nav_menu_item" not in report.imported
    assert imported.site.database.rows("SELECT * FROM content ORDER BY id") == before


def arranged(client: Client) -> tuple[list[str], dict[str, tuple[list[str], bool]]]:
    """Return all items with the names of what they stand in and below, and the places of all menus."""
    menus = {menu["id"]: menu for menu in client.get("/menus?per_page=100").json}
    items = {item["id"]: item for item in read(client, "?context=edit", "administrator")}
    above = {0: "", **{id: item["title"]["raw"] for id, item in items.items()}}
    kept = ("url", "type", "object", "menu_order", "target", "classes", "xfn", "invalid")
    told = [str([menus[item["menus"]]["slug"], above[item["id"]], above[item["parent"]], *(item[name] for name in kept)])
            for item in items.values()]
    return sorted(told), {menu["slug"]: (menu["locations"], menu["auto_add"]) for menu in menus.values()}


def test_menus_survive_an_export_and_its_import(imported: Client, bundled: Callable[..., Client],
                                                tmp_path: Path) -> None:
    other, path = bundled("menus"), tmp_path / "export.xml"
    first = imported.get("/menus").json[0]["id"]
    imported.post(f"/menus/{first}", {"locations": ["primary"], "auto_add": True}, "administrator")
    with path.open("wb") as file:
        assert export_wxr(imported.site, file)["nav_menu_item"] == 70

    import_wxr(other.site, path)

    items, places = arranged(other)
    assert (items, places) == arranged(imported)
    assert (len(items), list(places.values()).count((["primary"], True))) == (70, 1)


def test_without_the_plugin_there_are_no_menus(make_client: Callable[..., Client]) -> None:
    client = make_client()

    for path in ("/menus", "/menu-items", "/menu-locations"):
        assert client.get(path).json["code"] == "rest_no_route"
    assert "nav_menu" not in client.get("/taxonomies").json


MENU_ITEM = """<item><title>{title}</title><wp:post_id>{id}</wp:post_id><wp:post_type>nav_menu_item</wp:post_type>
<wp:status>publish</wp:status><category domain="nav_menu" nicename="main">Main</category>
<wp:postmeta><wp:meta_key>_menu_item_type</wp:meta_key><wp:meta_value>{type}</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>_menu_item_object</wp:meta_key><wp:meta_value>{object}</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>_menu_item_object_id</wp:meta_key><wp:meta_value>{target}</wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>_menu_item_menu_item_parent</wp:meta_key><wp:meta_value>{parent}</wp:meta_value></wp:postmeta>
</item>"""
PAGE = """<item><title>Page</title><dc:creator>admin</dc:creator><wp:post_id>3</wp:post_id><wp:post_type>page</wp:post_type>
<wp:post_date_gmt>2020-01-01 00:00:00</wp:post_date_gmt><wp:post_name>page</wp:post_name><wp:status>{}</wp:status></item>"""
TERM = """<wp:category><wp:term_id>4</wp:term_id><wp:category_nicename>news</wp:category_nicename><wp:cat_name>News
</wp:cat_name></wp:category>"""


@pytest.mark.parametrize(("status", "seen"), [("publish", ["Page", "News", "Top"]), ("draft", ["News", "Top"])])
def test_an_item_is_hidden_until_its_target_comes(client: Client, tmp_path: Path, status: str, seen: list[str]) -> None:
    def bring(body: str) -> None:
        path = tmp_path / "export.xml"
        path.write_text(CHANNEL.format(body), "utf-8")
        import_wxr(client.site, path)

    def titles(as_: str | None) -> list[str]:
        return [item["title"]["rendered"] for item in read(client, "?orderby=id&order=asc", as_)]

    bring(MENU_ITEM.format(id=11, title="Page", type="post_type", object="page", target=3, parent=13)
          + MENU_ITEM.format(id=12, title="News", type="taxonomy", object="category", target=4, parent=0))
    assert (titles(None), titles("editor")) == ([], ["Page", "News"])
    first = read(client, "?orderby=id&order=asc", "editor")[0]["id"]
    assert client.get(f"/menu-items/{first}").status_code in (401, 403)

    bring(TERM + PAGE.format(status)
          + MENU_ITEM.format(id=13, title="Top", type="custom", object="custom", target=13, parent=0))

    assert sorted(titles(None)) == sorted(seen)
    items = {item["title"]["rendered"]: item for item in read(client, "", "editor")}
    assert not [item for item in items.values() if item["invalid"]]
    assert items["Page"]["parent"] == items["Top"]["id"]
    assert items["Page"]["object_id"] == client.site.database.scalar("SELECT id FROM content WHERE type = 'page'")
