"""The hooks of a request that reads: who asks, what is hidden, how it is shown."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from sites import URL, Client

BY_KEY = '''
@hookimpl
def authenticate(request, site):
    seen.append(request)
    key = request.headers.get("x-key") or request.cookies.get("key") or request.query.get("key")
    if key == "stolen":
        raise ApiError("key_revoked", _("This key has been revoked."), 403)
    return site.authentication.by_id(int(key)) if key else None
'''
ELSE_ONE = '''
@hookimpl
def authenticate(request, site):
    return site.authentication.by_id(1) if "x-key" in request.headers else None
'''


@pytest.mark.parametrize("way", ["header", "cookie", "query"])
def test_a_plugin_says_who_sends_a_request(extended: Callable[..., Client], way: str) -> None:
    client = extended(BY_KEY)
    id = str(client.id_of("author"))
    if way == "cookie":
        client.http.set_cookie("key", id, domain="localhost")

    answer = client.get("/users/me", headers={"X-Key": id} if way == "header" else {},
                        query_string={"key": id} if way == "query" else {})

    assert (answer.status_code, answer.json["id"]) == (200, int(id))
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_plugin_sees_the_request_without_its_body(extended: Callable[..., Client]) -> None:
    client = extended(BY_KEY)

    client.send("POST", "/posts?_method=PUT&a[]=1", json={"title": "Secret"}, environ_base={"REMOTE_ADDR": "203.0.113.9"})

    request = sys.modules["plugin_one"].seen[-1]
    assert (request.method, request.path, request.address) == ("PUT", "/api/cms/v2/posts", "203.0.113.9")
    assert request.query == {"_method": "PUT", "a": ["1"]}
    assert "Secret" not in repr(request)


def test_where_no_plugin_knows_the_credentials_of_the_core_count(extended: Callable[..., Client]) -> None:
    client = extended(BY_KEY)

    assert client.get("/users/me", "author").json["id"] == client.id_of("author")
    assert client.get("/users/me").status_code == 401
    assert client.get("/posts", headers={"Authorization": "Basic bm9ib2R5Og=="}).status_code == 401


def test_the_first_plugin_that_knows_counts_and_may_refuse(extended: Callable[..., Client]) -> None:
    client = extended(ELSE_ONE, BY_KEY)  # pluggy asks the last registered first
    id = str(client.id_of("author"))

    assert client.get("/users/me", headers={"X-Key": id}).json["id"] == int(id)
    refused = client.get("/posts", headers={"X-Key": "stolen"})
    assert (refused.status_code, refused.json["code"]) == (403, "key_revoked")


# A plugin that keeps items with "secret" in their slug from all but administrators.
HIDES = '''
from cms.db import Bound
from cms.db.models import Content

@hookimpl
def check_permission(principal, action, resource, row):
    seen.append((action, resource))
    if resource in ("post", "page") and row is not None and "secret" in row["slug"]:
        return principal.may("manage_options") or False

@hookimpl
def filter_query(resource, plan, principal):
    if resource in ("post", "page") and not principal.may("manage_options"):
        plan.where("open", lambda: Content.slug.contains("secret") == False)
'''


@pytest.fixture
def hiding(extended: Callable[..., Client]) -> Client:
    """A site of which a plugin hides one post, with a comment, a term and a file; the other post refers to it."""
    client = extended(HIDES, url=URL)
    client.tag = client.new("/tags", name="Tag")["id"]  # type: ignore[attr-defined]
    fields = {"content": "walnut", "status": "publish", "tags": [client.tag]}  # type: ignore[attr-defined]
    client.shown = client.new("/posts", title="Open", **fields)["id"]  # type: ignore[attr-defined]
    client.hidden = client.new("/posts", "administrator", title="Secret", **fields)["id"]  # type: ignore[attr-defined]
    for post in (client.shown, client.hidden):  # type: ignore[attr-defined]
        client.new("/comments", "administrator", post=post, content=f"On {post}")
    page = client.new("/pages", "administrator", title="Secret", content="x", status="publish")
    client.below = client.new("/pages", "administrator", title="Below", content="x", status="publish",  # type: ignore[attr-defined]
                              parent=page["id"])["id"]
    row = client.site.database.row("SELECT * FROM content WHERE id = ?", (client.hidden,))  # type: ignore[attr-defined]
    assert row is not None
    client.file = client.site.database.insert("content", {  # type: ignore[attr-defined]
        "type": "attachment", "status": "inherit", "title": "File", "slug": "file", "author_id": row["author_id"],
        "date_gmt": row["date_gmt"], "modified_gmt": row["date_gmt"], "parent_id": row["id"],
    })
    client.site.database.insert("media", {"content_id": client.file})  # type: ignore[attr-defined]
    return client


@pytest.mark.parametrize(("as_", "count"), [(None, 1), ("editor", 1), ("administrator", 2)])
def test_a_plugin_hides_items_from_lists_totals_and_searches(hiding: Any, as_: str | None, count: int) -> None:
    for query in ("", "search=walnut", f"tags={hiding.tag}", f"include={hiding.shown},{hiding.hidden}"):
        answer = hiding.get(f"/posts?{query}", as_)
        assert (len(answer.json), answer.headers["X-WP-Total"]) == (count, str(count)), query


@pytest.mark.parametrize("as_", [None, "editor"])
@pytest.mark.parametrize("path", [
    "/posts/{hidden}", "/comments?post={hidden}", "/tags?post={hidden}", "/media/{file}",
])
def test_a_hidden_item_is_refused_with_all_that_depends_on_it(hiding: Any, as_: str | None, path: str) -> None:
    address = path.format(hidden=hiding.hidden, file=hiding.file)

    assert hiding.get(address, as_).status_code == (403 if as_ else 401)
    assert hiding.get(address, "administrator").status_code == 200


HIDES_COMMENTS = '''
from cms.plugin import Comment

@hookimpl
def check_permission(principal, action, resource, row):
    if resource == "comment" and row is not None and "hidden" in row["content"]:
        return principal.may("manage_options") or False

@hookimpl
def filter_query(resource, plan, principal):
    if resource == "comment" and not principal.may("manage_options"):
        plan.where("open", lambda: Comment.content.contains("hidden") == False)
'''


@pytest.mark.parametrize(("as_", "is_seen"), [(None, False), ("editor", False), ("administrator", True)])
def test_a_plugin_hides_single_comments(extended: Callable[..., Client], as_: str | None, is_seen: bool) -> None:
    client = extended(HIDES_COMMENTS)
    post = client.new("/posts", title="Open", status="publish")["id"]
    id = client.new("/comments", "administrator", post=post, content="hidden", status="approve")["id"]

    assert (client.get(f"/comments/{id}", as_).status_code == 200) == is_seen
    for path in (f"/comments?post={post}", f"/comments?include={id}", "/comments?search=hidden", f"/posts/{post}?_embed"):
        answer = client.get(path, as_)
        assert ("<p>hidden" in answer.text) == is_seen, path
        assert "_embed" in path or answer.headers["X-WP-Total"] == str(int(is_seen))


@pytest.mark.parametrize("as_", [None, "editor"])
def test_comments_and_files_of_a_hidden_item_are_in_no_list(hiding: Any, as_: str | None) -> None:
    comments = hiding.get("/comments", as_)
    media = hiding.get("/media", as_)
    comment = hiding.get(f"/comments?post={hiding.hidden}", "administrator").json[0]["id"]

    assert [each["post"] for each in comments.json] == [hiding.shown]
    assert comments.headers["X-WP-Total"] == "1"
    assert (media.json, media.headers["X-WP-Total"]) == ([], "0")
    assert hiding.get(f"/comments/{comment}", as_).status_code == (403 if as_ else 401)
    assert hiding.get("/comments", "administrator").headers["X-WP-Total"] == "2"
    assert hiding.get("/media", "administrator").headers["X-WP-Total"] == "1"


def test_a_hidden_item_is_embedded_as_a_refusal(hiding: Any) -> None:
    up = hiding.get(f"/pages/{hiding.below}?_embed").json["_embedded"]["up"][0]
    seen = hiding.get(f"/pages/{hiding.below}?_embed", "administrator").json["_embedded"]["up"][0]

    assert up["code"] == "rest_forbidden"
    assert "title" not in up
    assert seen["slug"] == "secret"


@pytest.mark.parametrize(("method", "path", "body"), [
    ("POST", "/posts/{id}", {"title": "Changed"}), ("DELETE", "/posts/{id}", None),
    ("DELETE", "/posts/{id}?force=true", None), ("GET", "/posts/{id}/revisions", None),
    ("POST", "/comments", {"content": "New"}), ("OPTIONS", "/posts/{id}", None),
])
def test_what_is_hidden_can_neither_be_changed_nor_commented(
        hiding: Any, method: str, path: str, body: dict[str, Any] | None) -> None:
    if path == "/comments":
        body = {**(body or {}), "post": hiding.hidden}
    before = hiding.get(f"/posts/{hiding.hidden}?context=edit", "administrator").json

    answer = hiding.send(method, path.format(id=hiding.hidden), "editor", json=body)

    if method == "OPTIONS":
        assert "POST" not in answer.headers.get("Allow", "")
    else:
        assert answer.status_code == 403
    assert hiding.get(f"/posts/{hiding.hidden}?context=edit", "administrator").json == before


AGREES = '''
@hookimpl
def check_permission(principal, action):
    return False if action == refused else True
'''


@pytest.mark.parametrize(("action", "method", "path", "allow"), [
    ("list", "GET", "/posts", None), ("read", "GET", "/posts/{id}", None),
    ("create", "POST", "/posts", "GET"), ("update", "POST", "/posts/{id}", "GET, DELETE"),
    ("delete", "DELETE", "/posts/{id}", "GET, POST, PUT, PATCH"),
])
def test_one_plugin_that_refuses_is_enough(
        extended: Callable[..., Client], action: str, method: str, path: str, allow: str | None) -> None:
    client = extended(f"refused = ''\n{AGREES}", f"refused = ''\n{AGREES}")
    post = client.new("/posts", title="Item", status="publish")["id"]
    sys.modules["plugin_one"].refused = action  # type: ignore[attr-defined]
    address = path.format(id=post)

    answer = client.send(method, address, "editor", json={"title": "Changed"} if method == "POST" else None)

    assert (answer.status_code, answer.json["code"]) == (403, "rest_forbidden")
    if allow:
        assert client.get(address, "editor").headers["Allow"] == allow
    sys.modules["plugin_one"].refused = ""  # type: ignore[attr-defined]
    assert [item["title"]["rendered"] for item in client.get("/posts").json] == ["Item"]


def test_settings_ask_plugins_too(extended: Callable[..., Client]) -> None:
    client = extended('''
@hookimpl
def check_permission(principal, action, resource, row):
    if resource == "settings":
        return action == "read"
''')

    assert client.get("/settings", "administrator").status_code == 200
    assert client.post("/settings", {"title": "Taken"}, "administrator").status_code == 403
    assert client.get("/settings", "administrator").json["title"] != "Taken"


FIRST = '''
from cms.db.models import Content

@hookimpl
def filter_query(resource, plan, args, principal):
    if resource == "post" and principal.id:
        plan.where("mine", lambda: Content.title != "One")
'''
SECOND = FIRST.replace("if resource == \"post\" and principal.id", "if resource == \"post\" and not principal.id").replace("One", "Two")


def test_plugins_may_use_one_key_for_different_conditions(extended: Callable[..., Client]) -> None:
    client = extended(FIRST, SECOND)
    for title in ("One", "Two"):
        client.new("/posts", title=title, status="publish")

    def titles(as_: str | None) -> list[str]:
        return [item["title"]["rendered"] for item in client.get("/posts", as_).json]

    assert [titles(as_) for as_ in (None, "author", None)] == [["One"], ["Two"], ["One"]]


@pytest.mark.parametrize("body", [
    "plan.conditions.append(lambda: None)", "plan.where('x', lambda: None, now=1)", "plan.shape.clear()",
    "raise ValueError('broken')",
])
def test_a_filter_that_breaks_the_plan_is_named_in_the_log_alone(
        extended: Callable[..., Client], caplog: pytest.LogCaptureFixture, body: str) -> None:
    client = extended(f"@hookimpl\ndef filter_query(plan):\n    {body}\n")

    answer = client.get("/posts")

    assert answer.status_code == 500
    assert "plugin_one" not in answer.text
    assert "plugin plugin_one: filter_query" in caplog.text


SHOWS = '''
@hookimpl
def prepare_items(resource, items, page):
    seen.append((resource, len(items), page.wants("words")))
    if page.wants("words"):
        for item, row in zip(items, page.rows):
            item["words"] = resource
'''
AGAIN = '''
@hookimpl
def prepare_items(resource, items):
    return [{**item, "words": item["words"] + "!"} if "words" in item else item for item in items]
'''


def test_plugins_change_the_items_of_whole_pages_one_after_another(extended: Callable[..., Client]) -> None:
    client = extended(AGAIN, SHOWS)
    posts = [client.new("/posts", title=title, status="publish")["id"] for title in ("One", "Two")]
    seen = sys.modules["plugin_two"].seen
    seen.clear()

    assert [item["words"] for item in client.get("/posts").json] == ["post!", "post!"]
    assert seen == [("post", 2, True)]
    client.post(f"/posts/{posts[0]}", {"content": "New"})
    for path, name in ((f"/posts/{posts[0]}", "post"), ("/users/me", "user"), ("/settings", "settings")):
        assert client.get(path, "administrator").json["words"] == f"{name}!"
    assert client.get(f"/posts/{posts[0]}/revisions", "editor").json[0]["words"] == "revision!"
    assert client.get(f"/posts/{posts[0]}?_embed").json["_embedded"]["author"][0]["words"] == "user!"
    removed = client.send("DELETE", f"/posts/{posts[1]}?force=true", "editor").json
    assert removed["previous"]["words"] == "post!"


def test_fields_that_arent_asked_for_are_left_out(extended: Callable[..., Client]) -> None:
    client = extended(SHOWS)
    client.new("/posts", title="One", status="publish")

    assert client.get("/posts?_fields=id,words").json[0]["words"] == "post"
    assert list(client.get("/posts?_fields=id").json[0]) == ["id"]
    assert sys.modules["plugin_one"].seen[-1] == ("post", 1, False)


FAULTS = {
    "authenticate": ("return 5", "authenticate returned int instead of Principal"),
    "check_permission": ("raise ValueError('broken')", "check_permission failed: ValueError: broken"),
    "filter_query": ("raise ValueError('broken')", "filter_query failed: ValueError: broken"),
    "prepare_items": ("return []", "prepare_items returned what can't be used: 0 items instead of 1"),
}


def test_a_plugin_that_fails_while_it_opens_an_item_is_named_in_the_log_alone(
        extended: Callable[..., Client], caplog: pytest.LogCaptureFixture) -> None:
    client = extended("@hookimpl\ndef open_item(row):\n    raise KeyError('broken')\n")
    post = client.new("/posts", title="One", status="publish")["id"]

    answer = client.get(f"/posts/{post}")

    assert answer.status_code == 500
    assert "plugin_one" not in answer.text
    assert "plugin plugin_one: open_item failed: KeyError: 'broken'" in caplog.text


@pytest.mark.parametrize("hook", [*FAULTS, "authenticate raises", "prepare_items raises"])
def test_a_plugin_that_fails_is_named_in_the_log_and_not_in_the_answer(
        extended: Callable[..., Client], caplog: pytest.LogCaptureFixture, hook: str) -> None:
    name, _space, raises = hook.partition(" ")
    body, told = ("raise KeyError('broken')", f"{name} failed: KeyError: 'broken'") if raises else FAULTS[name]
    client = extended(f"broken = False\n@hookimpl\ndef {name}():\n    if broken:\n        {body}\n")
    client.new("/posts", title="One", status="publish")
    sys.modules["plugin_one"].broken = True  # type: ignore[attr-defined]

    answer = client.get("/posts")

    assert (answer.status_code, answer.json["code"]) == (500, "rest_internal_error")
    assert "plugin_one" not in answer.text
    assert "broken" not in answer.text
    assert f"plugin plugin_one: {told}" in caplog.text


@pytest.mark.parametrize("hook", ["filter_query", "before_write", "on_event"])
def test_a_hook_of_a_request_cant_be_a_wrapper(extended: Callable[..., Client], hook: str) -> None:
    from cms.hooks import PluginError

    with pytest.raises(PluginError, match=f"plugin plugin_one: {hook} can't be a wrapper"):
        extended(f"@hookimpl(wrapper=True)\ndef {hook}():\n    yield\n")


def test_hiding_takes_as_many_statements_whatever_a_lists_length(extended: Callable[..., Client]) -> None:
    client = extended(HIDES)
    for number in range(12):
        post = client.new("/posts", title=f"Post {number}", status="publish")["id"]
        client.new("/comments", "administrator", post=post, content=f"On {number}")

    def count(path: str) -> int:
        client.get(path)
        return len(client.statements(lambda: client.get(path)))

    for path in ("/posts", "/comments"):
        assert count(f"{path}?per_page=12&_embed") == count(f"{path}?per_page=2&_embed")
