"""Pages: their tree when pages go, move and are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sites import URL, Client

API = f"{URL}/api/cms/v2"


def page(client: Client, title: str, **fields: Any) -> Any:
    return client.new("/pages", title=title, **{"status": "publish", "date": "2021-01-01T00:00:00", **fields})


def shown(client: Client, id: int) -> Any:
    return client.get(f"/pages/{id}?context=edit", "editor").json


def delete(client: Client, id: int, path: str = "/pages") -> Any:
    answer = client.send("DELETE", f"{path}/{id}?force=true", "editor")
    assert answer.status_code == 200, answer.text
    return answer.json


def test_children_of_a_deleted_page_go_up_one_level_with_all_that_hangs_below_them(client: Client) -> None:
    top = page(client, "Top")
    middle = page(client, "Middle", parent=top["id"])
    child, draft = page(client, "Child", parent=middle["id"]), page(client, "Draft", parent=middle["id"], status="draft")
    grandchild = page(client, "Grandchild", parent=child["id"])
    bystander = page(client, "Bystander", parent=top["id"])

    delete(client, middle["id"])

    parents = {name: shown(client, item["id"])["parent"] for name, item in [
        ("child", child), ("draft", draft), ("grandchild", grandchild), ("bystander", bystander)]}
    assert parents == {"child": top["id"], "draft": top["id"], "grandchild": child["id"], "bystander": top["id"]}


def test_a_child_that_goes_up_makes_way_for_who_has_its_slug_there(client: Client) -> None:
    middle, resident = page(client, "Middle"), page(client, "Team")
    child = page(client, "Team", parent=middle["id"])
    assert child["slug"] == "team"

    delete(client, middle["id"])

    assert (shown(client, child["id"])["slug"], shown(client, resident["id"])["slug"]) == ("team-2", "team")


def test_a_child_keeps_the_slug_that_the_deleted_page_sets_free(client: Client) -> None:
    parent = page(client, "About")
    child = page(client, "About", parent=parent["id"])

    delete(client, parent["id"])

    assert shown(client, child["id"])["slug"] == "about"


def test_a_child_in_the_trash_goes_up_too_and_can_come_back(client: Client) -> None:
    top = page(client, "Top")
    middle = page(client, "Middle", parent=top["id"])
    child = page(client, "Child", parent=middle["id"])
    client.send("DELETE", f"/pages/{child['id']}", "editor")

    delete(client, middle["id"])
    restored = client.post(f"/pages/{child['id']}", {"status": "publish"}).json

    assert (restored["slug"], restored["parent"], restored["status"]) == ("child", top["id"], "publish")


def test_pictures_of_a_deleted_item_go_to_its_parent(client: Client) -> None:
    top = page(client, "Top")
    middle = page(client, "Middle", parent=top["id"])
    post = client.new("/posts", title="Post", status="publish")
    for number, parent in ((7001, middle["id"]), (7002, post["id"]), (7003, top["id"])):
        client.site.database.insert("content", {
            "id": number, "type": "attachment", "status": "inherit", "slug": f"picture-{number}", "author_id": 1,
            "date_gmt": "2021-01-01T00:00:00", "modified_gmt": "2021-01-01T00:00:00", "parent_id": parent})

    delete(client, middle["id"])
    delete(client, post["id"], "/posts")

    rows = client.site.database.tuples("SELECT id, parent_id, slug FROM content WHERE type = 'attachment' ORDER BY id")
    assert rows == [
        (7001, top["id"], "picture-7001"), (7002, 0, "picture-7002"), (7003, top["id"], "picture-7003")]


def test_a_child_that_was_lifted_has_another_version(client: Client) -> None:
    parent = page(client, "Parent")
    child = page(client, "Child", parent=parent["id"])
    tag = client.get(f"/pages/{child['id']}").headers["ETag"]

    delete(client, parent["id"])
    late = client.post(f"/pages/{child['id']}", {"parent": 0}, headers={"If-Match": tag})

    assert late.status_code == 412


@pytest.mark.parametrize("wrong", ["post", "unknown", "negative"])
def test_only_a_page_can_be_the_parent(client: Client, wrong: str) -> None:
    post, child = client.new("/posts", title="Post"), page(client, "Child")
    parent = {"post": post["id"], "unknown": 999_999, "negative": -1}[wrong]

    for answer in (client.post("/pages", {"title": "x", "parent": parent}),
                   client.post(f"/pages/{child['id']}", {"title": "Changed", "parent": parent})):
        assert (answer.status_code, answer.json["code"]) == (400, "rest_post_invalid_id")
    assert shown(client, child["id"])["title"]["raw"] == "Child"
    assert client.get("/pages?status=any", "editor").headers["X-WP-Total"] == "1"


def test_a_page_links_up_only_where_there_is_something_above(client: Client) -> None:
    top = page(client, "Top")
    child = page(client, "Child", parent=top["id"])

    assert child["_links"]["up"] == [{"embeddable": True, "href": f"{API}/pages/{top['id']}"}]
    assert child["_links"]["version-history"] == [{"href": f"{API}/pages/{child['id']}/revisions"}]
    assert not {"up", "wp:term"} & set(top["_links"])


def test_the_address_of_a_page_names_the_pages_above_it(client: Client) -> None:
    top = page(client, "Ober Ä")
    middle = page(client, "Middle", parent=top["id"])
    leaf = page(client, "Leaf", parent=middle["id"], comment_status="open")
    twin = page(client, "Leaf", parent=top["id"])
    draft = page(client, "Draft", parent=top["id"], status="draft")
    comment = client.new("/comments", post=leaf["id"], content="Good")

    assert leaf["link"] == f"{URL}/ober-a/middle/leaf/"
    assert twin["link"] == f"{URL}/ober-a/leaf/"
    assert draft["link"] == f"{URL}/?p={draft['id']}"
    assert comment["link"] == f"{URL}/ober-a/middle/leaf/#comment-{comment['id']}"
    found = {each["slug"]: each["link"] for each in client.get(f"/pages?parent={top['id']},{middle['id']}&search=middle").json}
    assert found == {"middle": f"{URL}/ober-a/middle/"}
    assert f"<{leaf['link']}>" in client.get(f"/pages/{leaf['id']}").headers["Link"]
    shown_up = client.get(f"/pages/{leaf['id']}?_embed").json["_embedded"]["up"][0]
    assert shown_up["link"] == f"{URL}/ober-a/middle/"


def test_addresses_follow_the_pages_above_and_tell_nothing_that_is_hidden(client: Client) -> None:
    top = page(client, "Top")
    middle = page(client, "Middle", parent=top["id"])
    leaf = page(client, "Leaf", parent=middle["id"])

    def link() -> Any:
        return client.get(f"/pages/{leaf['id']}").json["link"]

    client.post(f"/pages/{top['id']}", {"slug": "renamed"})
    assert link() == f"{URL}/renamed/middle/leaf/"
    client.post(f"/pages/{middle['id']}", {"status": "draft", "slug": "secret"})
    assert link() == f"{URL}/renamed/leaf/"
    client.post(f"/pages/{leaf['id']}", {"parent": 0})
    assert link() == f"{URL}/leaf/"


def test_a_page_has_nothing_that_belongs_to_posts(client: Client) -> None:
    assert not {"format", "sticky", "categories", "tags"} & set(page(client, "Plain"))
    assert not {"parent", "menu_order"} & set(client.new("/posts", title="Post"))


def test_the_templates_of_the_front_end_are_the_only_ones(make_client: Callable[..., Client]) -> None:
    client = make_client(templates=["wide", "landing"])
    item = page(client, "Page", template="wide")
    refused = client.post(f"/pages/{item['id']}", {"template": "narrow"})

    assert item["template"] == "wide"
    assert (refused.status_code, list(refused.json["data"]["params"])) == (400, ["template"])
    assert client.post(f"/pages/{item['id']}", {"template": ""}).json["template"] == ""


def test_an_item_keeps_a_template_that_the_front_end_has_no_more(client: Client) -> None:
    item = page(client, "Page")
    client.site.database.execute("UPDATE content SET template = 'gone' WHERE id = ?", (item["id"],))

    assert client.post(f"/pages/{item['id']}", {"template": "gone", "title": "New"}).json["template"] == "gone"
    assert client.post(f"/pages/{item['id']}", {"template": "other"}).status_code == 400


def test_a_list_of_pages_takes_as_many_statements_whatever_its_length(
        client: Client, statements: Callable[[Callable[[], Any]], list[str]]) -> None:
    above = 0
    for number in range(15):
        above = page(client, f"Page {number}", parent=above)["id"]
    client.get("/pages?orderby=menu_order")  # the total is kept from now on

    for_one = statements(lambda: client.get("/pages?per_page=1&orderby=menu_order"))
    for_many = statements(lambda: client.get("/pages?per_page=100&orderby=menu_order"))

    assert len(client.get("/pages?per_page=100").json) == 15
    assert len(for_many) == len(for_one)
