"""Whatever changes what an item shows raises its version, so that `If-Match` lets no older copy overwrite it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from media.uploading import send_raw
from sites import Client

#: An item and another one on which it depends: their paths. Deleting the second changes the first.
Pair = tuple[str, str]


def post_of_author(client: Client) -> Pair:
    writer = client.id_of("author")
    post = client.new("/posts", "author", title="Mine", status="publish")["id"]
    return f"/posts/{post}", f"/users/{writer}?reassign={client.id_of('editor')}&force=true"


def post_with_term(client: Client) -> Pair:
    tag = client.new("/tags", name="Harbour")["id"]
    return f"/posts/{client.new('/posts', title='Boats', tags=[tag])['id']}", f"/tags/{tag}?force=true"


def post_with_category(client: Client) -> Pair:
    category = client.new("/categories", name="Harbour")["id"]
    post = client.new("/posts", title="Boats", categories=[category])["id"]
    return f"/posts/{post}", f"/categories/{category}?force=true"


def post_with_picture(client: Client) -> Pair:
    file = send_raw(client, "a.txt", b"text").json["id"]
    post = client.new("/posts", title="Boats", featured_media=file)["id"]
    return f"/posts/{post}", f"/media/{file}?force=true"


def page_below(client: Client) -> Pair:
    parent = client.new("/pages", title="Above", status="publish")["id"]
    page = client.new("/pages", title="Below", status="publish", parent=parent)["id"]
    return f"/pages/{page}", f"/pages/{parent}?force=true"


def attached_file(client: Client) -> Pair:
    post = client.new("/posts", title="Holder", status="publish")["id"]
    file = send_raw(client, "a.txt", b"text", "editor", f"?post={post}").json["id"]
    return f"/media/{file}", f"/posts/{post}?force=true"


def category_below(client: Client) -> Pair:
    parent = client.new("/categories", name="Above")["id"]
    category = client.new("/categories", name="Below", parent=parent)["id"]
    return f"/categories/{category}", f"/categories/{parent}?force=true"


def reply(client: Client) -> Pair:
    post = client.new("/posts", title="Item", status="publish")["id"]
    comment = client.new("/comments", post=post, content="First")["id"]
    answer = client.new("/comments", post=post, content="Second", parent=comment)["id"]
    return f"/comments/{answer}", f"/comments/{comment}?force=true"


def comment_of_account(client: Client) -> Pair:
    post = client.new("/posts", title="Item", status="publish")["id"]
    comment = client.new("/comments", "author", post=post, content="Mine")["id"]
    reassign = f"?reassign={client.id_of('editor')}&force=true"
    return f"/comments/{comment}", f"/users/{client.id_of('author')}{reassign}"


def menu_item(client: Client) -> Pair:
    page = client.new("/pages", title="Target", status="publish")["id"]
    item = client.new("/menu-items", type="post_type", object_id=page)["id"]
    return f"/menu-items/{item}", f"/pages/{page}?force=true"


def menu_item_of_term(client: Client) -> Pair:
    tag = client.new("/tags", name="Target")["id"]
    return f"/menu-items/{client.new('/menu-items', type='taxonomy', object_id=tag)['id']}", f"/tags/{tag}?force=true"


def item_below_menu_item(client: Client) -> Pair:
    top = client.new("/menu-items", title="Top", url="/top")["id"]
    below = client.new("/menu-items", title="Below", url="/below", parent=top)["id"]
    return f"/menu-items/{below}", f"/menu-items/{top}?force=true"


PAIRS = (post_of_author, post_with_term, post_with_category, post_with_picture, page_below, attached_file, category_below,
         reply, comment_of_account, menu_item, menu_item_of_term, item_below_menu_item)


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client(plugins=["cms_plugins.menus"])


@pytest.mark.parametrize("make", PAIRS, ids=lambda make: make.__name__)
def test_an_old_copy_cannot_overwrite_what_a_deletion_has_changed(client: Client, make: Callable[[Client], Pair]) -> None:
    path, other = make(client)
    before = client.get(path, "administrator")

    assert client.delete(other, "administrator").status_code == 200

    after = client.get(path, "administrator")
    assert after.headers["ETag"] != before.headers["ETag"]
    tag = {"If-Match": before.headers["ETag"]}
    refused = client.send("POST", path, "administrator", json={}, headers=tag)
    assert (refused.status_code, refused.json["code"]) == (412, "rest_precondition_failed")
    assert client.get(path, "administrator").json == after.json
    now = {"If-Match": after.headers["ETag"]}
    assert client.send("POST", path, "administrator", json={}, headers=now).status_code == 200


def test_the_version_stays_where_nothing_changes(client: Client) -> None:
    tag, other = (client.new("/tags", name=name)["id"] for name in ("One", "Two"))
    path = f"/posts/{client.new('/posts', title='Boats', tags=[tag])['id']}"
    before = client.get(path, "editor").headers["ETag"]

    client.delete(f"/tags/{other}?force=true", "administrator")

    assert client.get(path, "editor").headers["ETag"] == before


#: What changes an item that another one shows: the other item's maker, and what is sent to the first.
CHANGES: tuple[tuple[Callable[[Client], Pair], dict[str, object]], ...] = (
    (menu_item, {"title": "Renamed"}), (menu_item, {"slug": "moved"}), (menu_item, {"status": "draft"}),
    (menu_item_of_term, {"name": "Renamed"}),
)


@pytest.mark.parametrize(("make", "values"), CHANGES)
def test_a_menu_item_changes_with_what_it_leads_to(
        client: Client, make: Callable[[Client], Pair], values: dict[str, object]) -> None:
    path, target = make(client)
    before = client.get(path, "administrator").headers["ETag"]

    client.post(target.partition("?")[0], values, "administrator")

    refused = client.send("POST", path, "administrator", json={}, headers={"If-Match": before})
    assert refused.status_code == 412


@pytest.mark.parametrize("path", ["/categories", "/pages", "/comments"])
def test_a_moved_item_has_another_version(client: Client, path: str) -> None:
    post = client.new("/posts", title="Item", status="publish")["id"]
    made = []
    for text in ("One", "Two"):
        made.append(client.new(path, "administrator", name=text, title=text, content=text, post=post)["id"])
    before = client.get(f"{path}/{made[1]}", "administrator").headers["ETag"]

    client.post(f"{path}/{made[1]}", {"parent": made[0]}, "administrator")

    assert client.send("POST", f"{path}/{made[1]}", "administrator", json={}, headers={"If-Match": before}).status_code == 412
