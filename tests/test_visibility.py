"""Who sees what of an item and its comments, by every route that could show them."""

from __future__ import annotations

from typing import Any

import pytest
from sites import Client

SECRET = "zyzzyva"
STATES: dict[str, dict[str, Any]] = {
    "publish": {"status": "publish"},
    "protected": {"status": "publish", "password": "pw"},
    "private": {"status": "private"},
    "draft": {"status": "draft"},
    "pending": {"status": "pending"},
    "future": {"status": "publish", "date": "2099-01-01T00:00:00"},
    "trash": {"status": "publish"},
}
#: Who reads the text of an author's item in each state; everybody else must not find the secret anywhere.
READERS = {
    "publish": {None, "subscriber", "contributor", "author", "author2", "editor", "administrator"},
    "protected": set(),
    "private": {"author", "editor", "administrator"},
    "draft": {"author", "editor", "administrator"},
    "pending": {"author", "editor", "administrator"},
    "future": {"author", "editor", "administrator"},
    "trash": {"author", "editor", "administrator"},
}
ASKING = (None, "subscriber", "contributor", "author", "author2", "editor", "administrator")


@pytest.fixture
def seed(client: Client) -> Client:
    for role in ASKING:
        if role:
            client.account(role)
    return client


@pytest.mark.parametrize("state", STATES)
def test_the_text_of_an_item_reaches_its_readers_alone(seed: Client, state: str) -> None:
    tag = seed.new("/tags", name="T")
    post = seed.new("/posts", "author", title="Item", content=f"{SECRET} text", tags=[tag["id"]], **STATES[state])
    seed.post(f"/posts/{post['id']}", {"excerpt": f"{SECRET} again"}, "author")
    if state == "trash":
        seed.send("DELETE", f"/posts/{post['id']}", "author")
    paths = (f"/posts/{post['id']}", "/posts", f"/posts?search={SECRET}", f"/posts?include={post['id']}",
             f"/posts?tags={tag['id']}", "/posts?_embed", "/posts?status=any", f"/posts?status={state}",
             "/posts?context=edit", f"/posts/{post['id']}?context=edit", f"/posts/{post['id']}/revisions",
             f"/posts/{post['id']}?context=embed", "//id/api/cms/v2/posts", f"//id/api/cms/v2/posts/{post['id']}",
             "/posts?password=pw", "/comments?_embed", "/users?_embed")

    for role in ASKING:
        for path in paths:
            told = SECRET in seed.get(path, role).text
            editing = role in ("author", "editor", "administrator")
            if told:
                assert role in READERS[state] or (state == "protected" and editing), (role, path)
        if role in READERS[state]:
            assert SECRET in seed.get(f"/posts/{post['id']}", role).text, role


@pytest.mark.parametrize("state", STATES)
def test_totals_and_rows_agree_for_everybody(seed: Client, state: str) -> None:
    seed.new("/posts", "author", title="Item", content="Text", **STATES[state])

    for role in ASKING:
        for path in ("/posts", "/posts?status=any", "/posts?context=edit", "/posts?search=Item", "/comments", "/users"):
            answer = seed.get(path, role)
            if answer.status_code == 200:
                assert int(answer.headers["X-WP-Total"]) == len(answer.json), (role, path)


@pytest.mark.parametrize("state", [state for state in STATES if state not in ("draft", "trash")])
def test_comments_are_seen_with_what_they_stand_on(seed: Client, state: str) -> None:
    post = seed.new("/posts", "author", title="Item", content="Text", **STATES[state])
    comment = seed.new("/comments", "administrator", post=post["id"], content=f"{SECRET} comment")
    paths = (f"/comments/{comment['id']}", "/comments", f"/comments?search={SECRET}", f"/comments?post={post['id']}",
             f"/comments?include={comment['id']}", f"/posts/{post['id']}?_embed", "/posts?_embed")

    for role in ASKING:
        allowed = role in READERS[state] or (state == "protected" and role in ("author", "editor", "administrator"))
        for path in paths:
            if SECRET in seed.get(path, role).text:
                assert allowed, (role, path)
    opened = seed.get(f"/comments?post={post['id']}&password=pw").text
    assert (SECRET in opened) is (state in ("publish", "protected"))


def test_comments_of_a_trashed_item_come_back_with_it(seed: Client) -> None:
    post = seed.new("/posts", title="Item", status="publish")
    seed.new("/comments", post=post["id"], content=SECRET)

    seed.send("DELETE", f"/posts/{post['id']}", "editor")
    gone = seed.get("/comments").json
    seed.send("PATCH", f"/posts/{post['id']}", "editor", json={"status": "publish"})

    assert gone == []
    assert len(seed.get("/comments").json) == 1


@pytest.mark.parametrize("role", ASKING)
@pytest.mark.parametrize("query", [f"search={SECRET}", "search=zyz", f"search={SECRET}&orderby=relevance",
                                   f"search={SECRET}+-word", f"search={SECRET}&status=any", "search=zy"])
def test_a_protected_text_is_searched_for_those_who_may_edit_it(seed: Client, query: str, role: str | None) -> None:
    seed.new("/posts", "author", title="Item", content=f"{SECRET} text", status="publish", password="pw")
    seed.new("/pages", "administrator", title="Item", content=f"{SECRET} text", status="publish", password="pw")
    if "any" in query and role in (None, "subscriber"):
        return  # such a list is refused

    for path, editing in (("posts", {"author", "editor", "administrator"}), ("pages", {"editor", "administrator"})):
        found = seed.get(f"/{path}?{query}", role)
        if found.status_code == 200:
            assert (len(found.json), found.headers["X-WP-Total"]) == ((1, "1") if role in editing else (0, "0"))


def test_trash_that_was_published_is_listed_to_those_who_may_edit_what_is_published(client: Client) -> None:
    ids = {}
    for before in ("publish", "draft"):
        ids[before] = client.new("/posts", "contributor", title=before, content="Text")["id"]
        client.post(f"/posts/{ids[before]}", {"status": before}, "editor")
        assert client.send("DELETE", f"/posts/{ids[before]}", "editor").json["status"] == "trash"

    listed = client.get("/posts?status=trash&context=edit", "contributor")

    assert ([row["id"] for row in listed.json], listed.headers["X-WP-Total"]) == ([ids["draft"]], "1")
    assert {row["id"] for row in client.get("/posts?status=trash", "editor").json} == set(ids.values())
