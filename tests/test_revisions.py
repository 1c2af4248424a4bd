"""Revisions: who sees and deletes them, how many are kept, what they are made from."""

from __future__ import annotations

import json
import runpy
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sites import Client

from cms.access.capabilities import OPERATOR

MIGRATION = Path(__file__).parent.parent / "cms" / "db" / "migrations" / "0004_revision_states.py"


def written(client: Client, path: str = "/posts", as_: str = "editor", changes: int = 1, **fields: Any) -> Any:
    """Create an item and change its text some times."""
    item = client.new(path, as_, title="Title", content="Text 0", **fields)
    for number in range(1, changes + 1):
        assert client.post(f"{path}/{item['id']}", {"content": f"Text {number}"}, as_).status_code == 200
    return item


def revisions(client: Client, id: int, path: str = "/posts", as_: str = "administrator") -> Any:
    answer = client.get(f"{path}/{id}/revisions?context=edit", as_)
    assert answer.status_code == 200, answer.text
    return answer.json


def texts(client: Client, id: int, path: str = "/posts") -> list[str]:
    return [revision["content"]["raw"] for revision in revisions(client, id, path)]


ROLES = ("", "subscriber", "contributor", "author", "editor", "administrator")
OWN = "contributor2"  # another account of the role that wrote the item

#: Type, state and writer of an item; who then reads its revisions, and who deletes them.
SIGHT = [
    ("/posts", "draft", "contributor", {"contributor", "editor", "administrator"}),
    ("/posts", "pending", "contributor", {"contributor", "editor", "administrator"}),
    ("/posts", "draft", "author", {"author", "editor", "administrator"}),
    ("/posts", "publish", "author", {"author", "editor", "administrator"}),
    ("/posts", "private", "author", {"author", "editor", "administrator"}),
    ("/posts", "publish", "administrator", {"editor", "administrator"}),
    ("/pages", "draft", "editor", {"editor", "administrator"}),
    ("/pages", "publish", "administrator", {"editor", "administrator"}),
]


@pytest.mark.parametrize(("path", "status", "writer", "sees"), SIGHT)
def test_who_may_edit_an_item_sees_its_revisions(client: Client, path: str, status: str, writer: str,
                                                 sees: set[str]) -> None:
    item = written(client, path, writer, status=status)
    one = revisions(client, item["id"], path)[0]["id"]

    for role in (*ROLES, OWN):
        for address in (f"{path}/{item['id']}/revisions", f"{path}/{item['id']}/revisions/{one}"):
            answer = client.get(address, role or None)
            if role in sees:
                assert answer.status_code == 200, role
                assert "Text 1" in answer.text
            else:
                assert (answer.status_code, answer.json["code"]) == (403 if role else 401, "rest_cannot_read"), role
                assert "Text 1" not in answer.text


@pytest.mark.parametrize(("path", "status", "writer", "sees"), SIGHT)
def test_who_may_delete_an_item_deletes_its_revisions(client: Client, path: str, status: str, writer: str,
                                                      sees: set[str]) -> None:
    item = written(client, path, writer, status=status, changes=len(sees) + 1)
    left = [revision["id"] for revision in revisions(client, item["id"], path)]

    for role in (*ROLES, OWN):
        answer = client.send("DELETE", f"{path}/{item['id']}/revisions/{left[0]}?force=true", role or None)
        if role in sees:
            assert (answer.status_code, answer.json["previous"]["id"]) == (200, left.pop(0)), role
        else:
            assert (answer.status_code, answer.json["code"]) == (403 if role else 401, "rest_cannot_delete"), role
            assert "Text" not in answer.text
    assert [revision["id"] for revision in revisions(client, item["id"], path)] == left
    assert len(left) == 1


def test_a_published_post_hides_its_revisions_from_the_contributor_who_wrote_it(client: Client) -> None:
    item = written(client, as_="contributor")
    client.post(f"/posts/{item['id']}", {"status": "publish"})

    assert client.get(f"/posts/{item['id']}/revisions", "contributor").json["code"] == "rest_cannot_read"


@pytest.mark.parametrize(("most", "kept"), [
    (-1, [5, 4, 3, 2, 1]), (0, []), (1, [5]), (3, [5, 4, 3]), (30, [5, 4, 3, 2, 1]),
])
def test_as_many_revisions_are_kept_as_the_configuration_says(make_client: Callable[..., Client], most: int,
                                                              kept: list[int]) -> None:
    client = make_client(revisions=most)
    item, other = written(client, changes=5), written(client, "/pages", changes=1)

    assert texts(client, item["id"]) == [f"Text {number}" for number in kept]
    assert texts(client, other["id"], "/pages") == ([] if most == 0 else ["Text 1"])


def test_thirty_revisions_are_kept_unless_told_otherwise(client: Client) -> None:
    assert client.site.config["revisions"] == 30


def test_a_revision_is_neither_read_nor_deleted_through_another_item(client: Client) -> None:
    one, other = written(client), written(client)
    page = written(client, "/pages")
    id = revisions(client, one["id"])[0]["id"]
    refusals = {f"/posts/{other['id']}": "rest_revision_parent_id_mismatch",
                f"/pages/{page['id']}": "rest_revision_parent_id_mismatch",
                f"/pages/{one['id']}": "rest_post_invalid_parent"}

    for parent, code in refusals.items():
        for method in ("GET", "DELETE"):
            answer = client.send(method, f"{parent}/revisions/{id}?force=true", "editor")
            assert (answer.status_code, answer.json["code"]) == (404, code)
    assert [revision["id"] for revision in revisions(client, one["id"])] == [id]


def test_an_id_names_either_a_revision_or_an_item(client: Client) -> None:
    items = [written(client, path, changes=4) for path in ("/posts", "/pages", "/posts")]
    paths = ("/posts", "/pages", "/posts")
    ids = [revision["id"] for item, path in zip(items, paths, strict=True)
           for revision in revisions(client, item["id"], path)]

    assert len(set(ids)) == 12
    for id in ids:
        assert client.get(f"/posts/{id}", "editor").json["code"] == "rest_post_invalid_id"
        assert client.get(f"/posts/{id}/revisions", "editor").json["code"] == "rest_post_invalid_parent"
    for item in items:
        answer = client.get(f"/posts/{items[0]['id']}/revisions/{item['id']}", "editor")
        assert answer.json["code"] == "rest_post_invalid_id"


def test_deleting_a_revision_needs_force(client: Client) -> None:
    item = written(client)
    address = f"/posts/{item['id']}/revisions/{revisions(client, item['id'])[0]['id']}"

    answer = client.send("DELETE", address, "editor")

    assert (answer.status_code, answer.json["code"]) == (501, "rest_trash_not_supported")
    assert client.get(address, "editor").status_code == 200


def test_revisions_go_with_their_item_and_no_others_do(client: Client) -> None:
    gone, stays = written(client, changes=3), written(client, changes=2)
    client.send("DELETE", f"/posts/{gone['id']}", "editor")
    assert len(revisions(client, gone["id"])) == 3

    client.send("DELETE", f"/posts/{gone['id']}?force=true", "editor")

    assert client.site.database.column("SELECT parent_id FROM revisions") == [stays["id"]] * 2


def test_revisions_of_a_deleted_account_go_to_its_heir(client: Client) -> None:
    item = written(client, as_="author", status="publish")
    client.post(f"/posts/{item['id']}", {"content": "By the editor"})
    heir = client.id_of("author2")

    deleted = client.send("DELETE", f"/users/{client.id_of('author')}?force=true&reassign={heir}", "administrator")

    assert deleted.status_code == 200
    assert [revision["author"] for revision in revisions(client, item["id"])] == [client.id_of("editor"), heir]


def test_a_change_by_a_command_counts_as_the_author_s(client: Client) -> None:
    item = written(client, as_="author", changes=0)
    operations = client.site.operations["post"]
    operations.update(item["id"], operations.update_loader.load({"title": "By command"}), OPERATOR)

    assert revisions(client, item["id"])[0]["author"] == client.id_of("author")


def test_a_refused_change_leaves_no_revision(client: Client) -> None:
    item = written(client, changes=0)

    assert client.post(f"/posts/{item['id']}", {"content": "New", "author": 999_999}).status_code == 400
    assert client.post(f"/posts/{item['id']}", {"content": "New"}, "subscriber").status_code == 403
    assert revisions(client, item["id"]) == []


def test_moving_to_the_trash_leaves_no_revision(client: Client) -> None:
    item = written(client, changes=0)
    client.send("DELETE", f"/posts/{item['id']}", "editor")

    assert revisions(client, item["id"]) == []


def test_revisions_of_items_behind_a_password_are_open_to_editors_alone(client: Client) -> None:
    item = written(client, status="publish", password="key")

    assert texts(client, item["id"]) == ["Text 1"]
    assert client.get(f"/posts/{item['id']}/revisions?password=key").status_code == 401


def test_a_revision_remembers_terms_and_slug_of_its_moment(client: Client) -> None:
    tag = client.new("/tags", name="Tag")["id"]
    item = written(client, changes=0, categories=[1])
    client.post(f"/posts/{item['id']}", {"content": "New", "tags": [tag], "slug": "then"})
    client.post(f"/posts/{item['id']}", {"slug": "now", "tags": []})

    rows = client.site.database.rows("SELECT slug, terms, meta FROM revisions")

    assert [(row["slug"], sorted(json.loads(row["terms"])), row["meta"]) for row in rows] == [
        ("then", sorted([1, tag]), "{}")]


def test_a_revision_of_older_rendering_rules_is_rendered_anew(client: Client) -> None:
    item = written(client)
    client.site.database.execute("UPDATE revisions SET rendered_by = 'old', content_html = 'stale'")

    assert revisions(client, item["id"])[0]["content"]["rendered"] == "<p>Text 1</p>\n"


def test_revisions_take_as_many_statements_however_many_there_are(
        client: Client, statements: Callable[[Callable[[], Any]], list[str]]) -> None:
    few, many = written(client, changes=1), written(client, changes=20)
    client.get(f"/posts/{few['id']}/revisions", "editor")

    for_few = statements(lambda: client.get(f"/posts/{few['id']}/revisions", "editor"))
    for_many = statements(lambda: client.get(f"/posts/{many['id']}/revisions", "editor"))

    assert len(revisions(client, many["id"])) == 20
    assert len(for_many) == len(for_few)


def test_revisions_from_before_get_ids_that_no_item_has() -> None:
    database = sqlite3.connect(":memory:")
    database.executescript("""
        CREATE TABLE content (id INTEGER PRIMARY KEY AUTOINCREMENT);
        CREATE TABLE revisions (id INTEGER PRIMARY KEY AUTOINCREMENT, parent_id INTEGER);
        INSERT INTO content (id) VALUES (1), (2), (5);
        INSERT INTO revisions (parent_id) VALUES (1), (2), (1);
    """)

    runpy.run_path(str(MIGRATION))["up"](None, SimpleNamespace(execute_sql=database.execute))

    assert database.execute("SELECT id, parent_id FROM revisions ORDER BY id").fetchall() == [(6, 1), (7, 2), (8, 1)]
    assert database.execute("INSERT INTO content DEFAULT VALUES RETURNING id").fetchone() == (9,)
    database.close()


def test_a_long_list_of_revisions_has_pages(client: Client) -> None:
    id = written(client, changes=5)["id"]
    path = f"/posts/{id}/revisions"

    pages = [client.get(f"{path}?per_page=2&page={page}", "editor") for page in (1, 2, 3, 4)]

    assert [len(page.json) for page in pages] == [2, 2, 1, 0]
    assert {(page.headers["X-WP-Total"], page.headers["X-WP-TotalPages"]) for page in pages} == {("5", "3")}
    assert [revision["id"] for page in pages for revision in page.json] == [
        revision["id"] for revision in client.get(path, "editor").json]
    assert 'rel="next"' in pages[0].headers["Link"]
    assert "next" not in pages[2].headers["Link"]
    assert client.get(f"{path}?per_page=101", "editor").status_code == 400


def test_a_list_of_revisions_is_bounded(client: Client) -> None:
    id = written(client, changes=1)["id"]
    client.site.database.execute(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130) "
        "INSERT INTO revisions (id, parent_id, author_id, date_gmt, title, content, excerpt) "
        "SELECT 1000 + i, ?, 1, '2020-01-01T00:00:00', 'T', 'C', '' FROM n", (id,))

    answer = client.get(f"/posts/{id}/revisions", "editor")

    assert (len(answer.json), answer.headers["X-WP-Total"], answer.headers["X-WP-TotalPages"]) == (100, "131", "2")


def test_a_walk_by_cursor_sees_each_revision_that_stays_once(client: Client) -> None:
    item = written(client, changes=6)
    path, seen = f"/posts/{item['id']}/revisions?per_page=2&_fields=id", []
    staying = [revision["id"] for revision in revisions(client, item["id"])]
    gone = staying.pop(3)
    cursor: str | None = "*"
    while cursor:
        answer = client.get(f"{path}&cursor={cursor}", "editor")
        assert {"X-WP-Total", "X-WP-TotalPages"}.isdisjoint(answer.headers.keys())
        seen += [revision["id"] for revision in answer.json]
        client.post(f"/posts/{item['id']}", {"content": f"Later {len(seen)}"}, "editor")
        client.delete(f"/posts/{item['id']}/revisions/{gone}?force=true", "administrator")
        cursor = answer.headers.get("X-CMS-Cursor")
    assert seen == staying


def test_the_revisions_behind_a_cursor_are_counted_where_that_is_asked_for(client: Client) -> None:
    item = written(client, changes=3)
    path = f"/posts/{item['id']}/revisions?per_page=2&cursor=*"
    counted = client.get(f"{path}&cursor_total=true", "editor")
    total = str(len(revisions(client, item["id"])))
    assert (counted.headers["X-WP-Total"], counted.headers["X-WP-TotalPages"]) == (total, "2")
    assert 'rel="next"' in counted.headers["Link"]
    assert client.get(path).status_code == 401


def test_a_cursor_of_other_revisions_is_refused(client: Client) -> None:
    one, other = written(client, changes=3), written(client, changes=3)
    cursor = client.get(f"/posts/{one['id']}/revisions?cursor=*&per_page=1", "editor").headers["X-CMS-Cursor"]
    posts = client.get("/posts?cursor=*&per_page=1&status=any&context=edit", "editor").headers["X-CMS-Cursor"]
    for query, code in ((f"cursor={cursor}", "rest_invalid_cursor"), (f"cursor={posts}", "rest_invalid_cursor"),
                        ("cursor=*&page=2", "rest_invalid_param")):
        refused = client.get(f"/posts/{other['id']}/revisions?{query}", "editor")
        assert (refused.status_code, refused.json["code"]) == (400, code)
