"""The hooks of a request that writes: what plugins change, what they refuse, what they do in the transaction."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from sites import Client

from cms.access.capabilities import Principal

HEARS = '''
@hookimpl
def before_write(action, resource, values, row, principal):
    seen.append(("before", action, resource, dict(values), row and row["id"], principal.login))

@hookimpl
def after_write(action, resource, row, previous, principal, site):
    terms = site.database.rows("SELECT term_id FROM content_terms WHERE content_id = ?", ((row or previous)["id"],))
    seen.append(("after", action, resource, row and row["id"], previous and previous["id"], len(terms)))

@hookimpl
def transition_status(resource, row, old, new, principal):
    seen.append(("status", resource, row["id"], old, new, principal.login))
'''


@pytest.fixture
def heard(extended: Callable[..., Client]) -> Client:
    client = extended(HEARS)
    client.account("editor")
    client.account("author")
    sys.modules["plugin_one"].seen.clear()
    return client


def seen(kind: str) -> list[tuple[Any, ...]]:
    """Return what the plugin was told by one hook since it was asked last, and forget it."""
    told = sys.modules["plugin_one"].seen
    found = [each[1:] for each in told if each[0] == kind]
    told[:] = [each for each in told if each[0] != kind]
    return found


def test_plugins_hear_of_every_write_with_what_was_sent(heard: Client) -> None:
    id = heard.new("/posts", title="Item", date="2020-01-02T03:04:05")["id"]
    heard.post(f"/posts/{id}?_fields=id", {"title": "Changed"})
    heard.send("DELETE", f"/posts/{id}", "editor")
    heard.send("DELETE", f"/posts/{id}?force=true", "editor")

    created, *others = seen("before")
    assert (created[:2], created[2]["title"], created[3:]) == (("create", "post"), "Item", (None, "editor"))
    assert created[2]["date"].isoformat() == "2020-01-02T03:04:05"
    assert others == [("update", "post", {"title": "Changed"}, id, "editor"), ("trash", "post", {}, id, "editor"),
                      ("delete", "post", {}, id, "editor")]
    assert seen("after") == [("create", "post", id, None, 1), ("update", "post", id, id, 1),
                             ("trash", "post", id, id, 1), ("delete", "post", None, id, 0)]


def test_plugins_hear_of_writes_of_every_resource(heard: Client) -> None:
    post = heard.new("/posts", title="Item", status="publish")["id"]
    heard.new("/tags", name="Tag")
    heard.new("/comments", post=post, content="Said")
    heard.post("/users/me", {"nickname": "Ed"})
    heard.post("/settings", {"title": "Ours"}, "administrator")
    heard.post(f"/posts/{post}", {"content": "New"})
    revision = heard.get(f"/posts/{post}/revisions", "editor").json[0]["id"]
    heard.send("DELETE", f"/posts/{post}/revisions/{revision}?force=true", "editor")

    assert [(told[1], told[0]) for told in seen("after")] == [
        ("post", "create"), ("post_tag", "create"), ("comment", "create"), ("user", "update"), ("settings", "update"),
        ("post", "update"), ("revision", "delete")]


def test_plugins_hear_of_each_change_of_a_state(heard: Client) -> None:
    id = heard.new("/posts", title="Item")["id"]
    for body in ({"title": "Same"}, {"status": "pending"}, {"status": "publish"}, {"title": "Same again"},
                 {"status": "publish", "date": "2099-01-01T00:00:00"}, {"status": "draft"}):
        heard.post(f"/posts/{id}", body)
    heard.send("DELETE", f"/posts/{id}", "editor")
    heard.post(f"/posts/{id}", {"status": "draft"})
    heard.send("DELETE", f"/posts/{id}?force=true", "editor")

    assert [told[2:4] for told in seen("status")] == [
        (None, "draft"), ("draft", "pending"), ("pending", "publish"), ("publish", "future"), ("future", "draft"),
        ("draft", "trash"), ("trash", "draft")]


def test_plugins_hear_of_states_of_comments(heard: Client) -> None:
    post = heard.new("/posts", title="Item", status="publish")["id"]
    seen("status")
    id = heard.new("/comments", post=post, content="Said")["id"]
    heard.post(f"/comments/{id}", {"status": "hold"})
    heard.send("DELETE", f"/comments/{id}", "editor")

    assert seen("status") == [("comment", id, None, "approved", "editor"), ("comment", id, "approved", "hold", "editor"),
                              ("comment", id, "hold", "trash", "editor")]


@pytest.mark.parametrize(("method", "path", "body"), [
    ("POST", "/posts", {}), ("POST", "/posts", {"title": "x", "status": "nonsense"}),
    ("POST", "/posts", {"title": "x", "tags": [-1]}), ("POST", "/posts/99999", {"title": "x"}),
    ("POST", "/posts/{id}", {"template": "none-such"}), ("DELETE", "/categories/1?force=true", None),
])
def test_plugins_hear_nothing_after_a_write_that_fails(
        heard: Client, method: str, path: str, body: dict[str, Any] | None) -> None:
    id = heard.new("/posts", title="Item")["id"]
    seen("after")
    seen("status")

    answer = heard.send(method, path.format(id=id), "editor", json=body)

    assert 400 <= answer.status_code < 500
    assert (seen("after"), seen("status")) == ([], [])


IN_PLACE = '''
@hookimpl
def before_write(resource, values):
    if "title" in values:
        values["title"] += " one"
'''
ANEW = '''
@hookimpl
def before_write(resource, values):
    return {**values, "title": values["title"] + " two"} if "title" in values else None
'''


def test_plugins_change_what_is_written_one_after_another(extended: Callable[..., Client]) -> None:
    client = extended(IN_PLACE, ANEW)

    id = client.new("/posts", title="Item")["id"]
    changed = client.post(f"/posts/{id}", {"title": "Changed", "content": "Text"}).json

    assert client.get(f"/posts/{id}?context=edit", "editor").json["title"]["raw"] == "Changed two one"
    assert changed["content"]["raw"] == "Text"


@pytest.mark.parametrize(("returned", "field", "stored"), [
    ({"title": "<b>A</b><script>x</script>"}, "title", "<b>A</b>x"),
    ({"slug": "Ärger mit Ö"}, "slug", "arger-mit-o"),
    ({"date_gmt": "2020-01-02 03:04:05"}, "date_gmt", "2020-01-02T03:04:05"),
    ({"content": {"raw": "Text"}}, "content", "Text"),
    ({"tags": ["{tag}"]}, "tags", ["{tag}"]),
])
def test_the_rules_of_the_core_hold_for_what_a_plugin_makes(
        extended: Callable[..., Client], returned: dict[str, Any], field: str, stored: Any) -> None:
    client = extended(f"""
@hookimpl
def before_write(action, resource, values):
    return {{**values, **{returned!r}}} if resource == "post" else None
""".replace("'{tag}'", "1 + 1"))
    tag = client.new("/tags", name="Tag")["id"]
    assert tag == 2

    made = client.new("/posts", "author", title="Item")

    shown = made[field]["raw"] if isinstance(made[field], dict) else made[field]
    assert shown == ([2] if isinstance(stored, list) else stored)


def test_a_plugin_cant_give_viewers_more_than_they_may(extended: Callable[..., Client]) -> None:
    client = extended('''
@hookimpl
def before_write(resource, values):
    return {**values, "author": 1} if resource == "post" else None
''')

    assert client.post("/posts", {"title": "Item"}, "author").json["code"] == "rest_cannot_edit_others"
    assert client.new("/posts", "editor", title="Item")["author"] == 1
    assert len(client.get("/posts?status=any", "editor").json) == 1


UNUSABLE = "returned what can't be used: "


@pytest.mark.parametrize(("body", "told"), [
    ("return 5", "returned int instead of dict"),
    ("return {**values, 'nonsense': 1}", f"{UNUSABLE}nothing of this name can be written: nonsense"),
    ("return {**values, 'link': 'x'}", f"{UNUSABLE}nothing of this name can be written: link"),
    ("values['comment_status'] = 'ajar'", f"{UNUSABLE}comment_status: This must be one of: open, closed."),
    ("values.update(date='yesterday')", f"{UNUSABLE}date: This must be a date"),
    ("values['categories'].append('x')", f"{UNUSABLE}categories: This must be of type integer."),
    ("raise KeyError('broken')", "failed: KeyError: 'broken'"),
])
def test_a_plugin_that_makes_what_cant_be_stored_is_named_in_the_log_alone(
        extended: Callable[..., Client], caplog: pytest.LogCaptureFixture, body: str, told: str) -> None:
    client = extended(f"@hookimpl\ndef before_write(resource, values):\n    if resource == 'post':\n        {body}\n")

    answer = client.post("/posts", {"title": "Item", "categories": [1]})

    assert answer.status_code == 500
    assert "plugin_one" not in answer.text
    assert f"plugin plugin_one: before_write {told}" in caplog.text
    assert client.get("/posts?status=any", "editor").json == []


REFUSALS = {
    "before_write": "raise InvalidParams({'title': _('Too short.')})",
    "after_write": "raise ApiError('too_short', _('Too short.'), 422)",
    "transition_status": "raise ApiError('too_short', _('Too short.'), 422)",
}


@pytest.mark.parametrize("hook", REFUSALS)
@pytest.mark.parametrize("fault", [False, True])
def test_what_a_plugin_raises_undoes_the_write(
        extended: Callable[..., Client], caplog: pytest.LogCaptureFixture, hook: str, fault: bool) -> None:
    body = "raise KeyError('broken')" if fault else REFUSALS[hook]
    client = extended(f"on = False\n@hookimpl\ndef {hook}(resource):\n    if on:\n        {body}\n")
    post = client.new("/posts", title="Item")
    sys.modules["plugin_one"].on = True  # type: ignore[attr-defined]

    created = client.post("/posts", {"title": "New"})
    updated = client.post(f"/posts/{post['id']}", {"title": "Changed", "status": "pending"})
    trashed = client.send("DELETE", f"/posts/{post['id']}", "editor")

    status = 500 if fault else 400 if hook == "before_write" else 422
    assert [answer.status_code for answer in (created, updated, trashed)] == [status] * 3
    assert ("plugin plugin_one" in caplog.text) is fault
    assert "plugin_one" not in created.text
    sys.modules["plugin_one"].on = False  # type: ignore[attr-defined]
    assert client.get("/posts?status=any&context=edit", "editor").json == [{**post, "_links": client.get(
        f"/posts/{post['id']}?context=edit", "editor").json["_links"]}]
    assert client.get(f"/posts/{post['id']}/revisions", "editor").json == []


def test_the_answer_shows_what_after_write_did(extended: Callable[..., Client]) -> None:
    client = extended('''
@hookimpl
def after_write(action, resource, row, site):
    if resource == "post" and action != "delete":
        site.database.execute("UPDATE content SET menu_order = 7, slug = ? WHERE id = ?", (f"after-{action}", row["id"]))
''')

    made = client.new("/posts", title="Item")
    changed = client.post(f"/posts/{made['id']}", {"title": "Changed"}).json
    trashed = client.send("DELETE", f"/posts/{made['id']}", "editor").json

    assert [each["slug"] for each in (made, changed, trashed)] == ["after-create", "after-update", "after-trash"]


def test_operations_without_http_call_the_same_hooks(heard: Client) -> None:
    operations = heard.site.operations["post"]
    principal: Principal = heard.site.authentication.by_id(1)

    id = operations.create(operations.create_loader.load({"title": "Item"}), principal).data["id"]

    assert seen("after") == [("create", "post", id, None, 1)]


def test_what_was_undone_is_remembered_nowhere(extended: Callable[..., Client]) -> None:
    client = extended('''
@hookimpl
def after_write(resource, site):
    if resource == "post":
        site.settings.write({"title": "Undone"})
        site.cache.clear()  # as in a process that has read nothing yet
        seen.append(site.settings["title"])
        raise ApiError("no", _("No."))
''')
    before = client.get("/settings", "administrator").json["title"]

    assert client.post("/posts", {"title": "Item"}).status_code == 400

    assert sys.modules["plugin_one"].seen == ["Undone"]
    assert client.get("/settings", "administrator").json["title"] == before
