"""Restoring revisions, previews by signed links, autosaves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sites import Client

EXTRA = '''
from cms.plugin import ContentType, Taxonomy

@hookimpl
def register_types():
    supports = ("title", "editor", "excerpt", "author", "revisions")
    return [ContentType("event", "events", _("Events"), "posts", supports=supports),
            ContentType("sheet", "sheets", _("Sheets"), "posts", supports=("title",))]

@hookimpl
def register_taxonomies():
    return [Taxonomy("place", "places", _("Places"), ("event",), "places")]

@hookimpl
def register_fields():
    return {name: {"mood": String(_("A mood."), default="glad"), "held": DateTime(_("When."))}
            for name in ("post", "page", "event")}
'''
KINDS = ["posts", "pages", "events"]


@pytest.fixture
def client(plugged: Any) -> Client:
    """A client of a site with the plugin, and a type of another plugin with a taxonomy and fields."""
    site = plugged({"plugins": ["editorial"]}, extra=EXTRA)
    site.run("migrate", CMS_PLUGINS="editorial")
    return site.client()


def edit(client: Client, base: str, id: int, **fields: Any) -> None:
    assert client.post(f"/{base}/{id}", fields).status_code == 200


def revisions(client: Client, base: str, id: int) -> list[dict[str, Any]]:
    return list(client.get(f"/{base}/{id}/revisions?context=edit", "editor").json)


# Restoring.

@pytest.mark.parametrize("base", KINDS)
def test_a_revision_is_restored_with_its_texts_and_fields(client: Client, base: str) -> None:
    made = client.new(f"/{base}", title="First", content="One", excerpt="Short", status="publish")
    one = f"/{base}/{made['id']}"
    edit(client, base, made["id"], title="Second", mood="sad", held="2026-01-31T12:00:00")
    edit(client, base, made["id"], title="Third", content="Three", excerpt="", mood="glad", held=None)
    second = revisions(client, base, made["id"])[1]
    assert second["title"]["raw"] == "Second"

    answer = client.post(f"{one}/revisions/{second['id']}/restore")

    assert answer.status_code == 200
    assert [answer.json[name]["raw"] for name in ("title", "content", "excerpt")] == ["Second", "One", "Short"]
    assert (answer.json["mood"], answer.json["held"], answer.json["status"]) == ("sad", "2026-01-31T12:00:00", "publish")
    assert answer.json["slug"] == made["slug"]
    assert client.get(one).json["title"]["rendered"] == "Second"
    assert [each["title"]["raw"] for each in revisions(client, base, made["id"])] == ["Second", "Third", "Second"]


def test_terms_come_back_as_they_were(client: Client) -> None:
    places = [client.new("/places", name=name)["id"] for name in ("Hall", "Yard", "Gone")]
    event = client.new("/events", title="First", content="x", places=[places[0], places[2]])
    edit(client, "events", event["id"], title="Second")
    edit(client, "events", event["id"], title="Third", places=[places[1]])
    client.send("DELETE", f"/places/{places[2]}?force=true", "editor")
    first = revisions(client, "events", event["id"])[1]

    restored = client.post(f"/events/{event['id']}/revisions/{first['id']}/restore").json

    assert (restored["title"]["raw"], restored["places"]) == ("Second", [places[0]])


def test_the_state_before_is_kept_though_its_texts_are_those_of_a_revision(client: Client) -> None:
    hall, yard = (client.new("/places", name=name)["id"] for name in ("Hall", "Yard"))
    event = client.new("/events", title="First", content="x", places=[hall])
    edit(client, "events", event["id"], title="Second")
    edit(client, "events", event["id"], title="Third")
    edit(client, "events", event["id"], places=[yard], mood="sad")  # the same texts: no revision of its own
    second = revisions(client, "events", event["id"])[1]

    client.post(f"/events/{event['id']}/revisions/{second['id']}/restore")
    assert client.get(f"/events/{event['id']}", "editor").json["places"] == [hall]
    before = revisions(client, "events", event["id"])[1]
    assert before["title"]["raw"] == "Third"
    again = client.post(f"/events/{event['id']}/revisions/{before['id']}/restore").json

    assert (again["title"]["raw"], again["places"], again["mood"]) == ("Third", [yard], "sad")


@pytest.mark.parametrize(("role", "status"), [
    (None, 401), ("subscriber", 403), ("contributor", 403), ("author2", 403), ("author", 200), ("editor", 200),
    ("administrator", 200),
])
def test_restoring_takes_the_right_to_edit(client: Client, role: str | None, status: int) -> None:
    post = client.new("/posts", "author", title="First", content="x", status="publish")
    for title in ("Second", "Third"):
        client.post(f"/posts/{post['id']}", {"title": title}, "author")
    second = revisions(client, "posts", post["id"])[1]
    path = f"/posts/{post['id']}/revisions/{second['id']}/restore"

    options = client.send("OPTIONS", path, role)
    answer = client.post(path, as_=role)

    assert answer.status_code == status
    assert options.headers.get("Allow") == ("POST" if status == 200 else None)
    assert client.get(f"/posts/{post['id']}").json["title"]["rendered"] == ("Second" if status == 200 else "Third")
    if status != 200:
        assert answer.json["code"] == "rest_cannot_edit"


def test_an_author_restores_clean_texts_alone(client: Client) -> None:
    post = client.new("/posts", "author", title="First", content="x", status="publish")
    edit(client, "posts", post["id"], content="<script>alert(1)</script>y")
    edit(client, "posts", post["id"], content="z")
    loud = revisions(client, "posts", post["id"])[1]

    restored = client.post(f"/posts/{post['id']}/revisions/{loud['id']}/restore", as_="author").json

    assert "<script" not in restored["content"]["raw"]


def test_revisions_that_arent_there_or_are_of_others(client: Client) -> None:
    one, two = (client.new("/posts", title=title, content="x") for title in ("One", "Two"))
    edit(client, "posts", one["id"], title="Changed")
    revision = revisions(client, "posts", one["id"])[0]["id"]

    def refused(path: str) -> tuple[int, str]:
        answer = client.post(f"{path}/restore")
        return answer.status_code, answer.json["code"]

    assert refused(f"/posts/{one['id']}/revisions/999999") == (404, "rest_post_invalid_id")
    assert refused(f"/posts/{two['id']}/revisions/{revision}") == (404, "rest_revision_parent_id_mismatch")
    assert refused(f"/pages/{one['id']}/revisions/{revision}") == (404, "rest_post_invalid_id")
    assert client.post("/sheets/1/revisions/1/restore").json["code"] == "rest_no_route"


def test_a_restore_that_comes_too_late_is_refused(client: Client) -> None:
    post = client.new("/posts", title="First", content="x")
    for title in ("Second", "Third"):
        edit(client, "posts", post["id"], title=title)
    second = revisions(client, "posts", post["id"])[1]
    path = f"/posts/{post['id']}/revisions/{second['id']}/restore"

    assert client.post(path, headers={"If-Match": '"1"'}).status_code == 412
    assert len(revisions(client, "posts", post["id"])) == 2
    tag = client.get(f"/posts/{post['id']}?context=edit", "editor").headers["ETag"]
    assert client.post(path, headers={"If-Match": tag}).status_code == 200


# Previews.

def link(client: Client, base: str, id: int, **fields: Any) -> dict[str, Any]:
    return client.new(f"/{base}/{id}/preview-link", **fields)


@pytest.mark.parametrize("base", [*KINDS, "sheets"])
def test_a_link_opens_a_draft_to_visitors(client: Client, base: str) -> None:
    draft = client.new(f"/{base}", title="Draft", content="<p>Text</p>")
    made = link(client, base, draft["id"])
    one = f"/{base}/{draft['id']}"

    shown = client.get(f"{one}?preview={made['token']}")

    assert client.get(one).status_code == 401
    assert (shown.status_code, shown.json["title"]["rendered"]) == (200, "Draft")
    assert shown.headers["Cache-Control"] == "no-store"
    assert made["url"] == f"http://cms.example/api/cms/v2{one}?preview={made['token']}"
    assert made["link"] == f"http://cms.example/?p={draft['id']}&preview={made['token']}"
    envelope = client.get(f"{one}?preview={made['token']}&_envelope")
    assert (envelope.json["status"], envelope.headers["Cache-Control"]) == (200, "no-store")
    again = client.get(f"{one}?preview={made['token']}", headers={"If-None-Match": shown.headers["ETag"]})
    assert (again.status_code, again.headers["Cache-Control"]) == (304, "no-store")


@pytest.mark.parametrize("status", ["draft", "pending", "private", "future", "publish"])
def test_a_link_opens_an_item_in_any_state_with_its_protected_text(client: Client, status: str) -> None:
    more = {"date": "2999-01-01T00:00:00"} if status == "future" else {}
    if status != "private":
        more["password"] = "secret"
    post = client.new("/posts", title="T", content="<p>Hidden</p>", status=status, **more)

    shown = client.get(f"/posts/{post['id']}?preview={link(client, 'posts', post['id'])['token']}").json

    assert shown["status"] == status
    assert shown["content"]["rendered"].strip() == "<p>Hidden</p>"
    assert "raw" not in shown["content"]
    assert "password" not in shown


def test_a_link_opens_nothing_else(client: Client) -> None:
    draft, other = (client.new("/posts", title=title, content="x") for title in ("Draft", "Other"))
    page = client.new("/pages", title="Page", content="x")
    edit(client, "posts", draft["id"], title="Changed")
    link(client, "posts", other["id"])
    token = link(client, "posts", draft["id"])["token"]

    def status(path: str, method: str = "GET") -> int:
        mark = "&" if "?" in path else "?"
        return client.send(method, f"{path}{mark}preview={token}", json={"title": "No"} if method == "POST" else None).status_code

    assert status(f"/posts/{draft['id']}") == 200
    assert status(f"/posts/{draft['id']}?context=edit") == 401
    assert status(f"/posts/{draft['id']}/revisions") == 401
    assert status(f"/posts/{draft['id']}/autosaves") == 401
    assert status(f"/posts/{draft['id']}/preview-link", "POST") == 401
    assert status(f"/posts/{draft['id']}", "POST") == 401
    assert status(f"/posts/{draft['id']}", "DELETE") == 401
    assert (status(f"/posts/{other['id']}"), status(f"/pages/{page['id']}")) == (403, 403)
    assert client.get(f"/posts?preview={token}&status=draft").status_code == 400
    assert client.get(f"/posts?preview={token}").json == []
    assert client.get(f"/comments?post={draft['id']}&preview={token}").status_code == 401


@pytest.mark.parametrize("spoil", [
    lambda token: token[:-1], lambda token: f"{token}x", lambda token: "", lambda token: "true", lambda token: "W10.x",
    lambda token: f"WzEsIjI5OTktMDEtMDFUMDA6MDA6MDAiXQ.{token.split('.')[1]}",
])
def test_a_token_that_isnt_ours_opens_nothing(client: Client, spoil: Callable[[str], str]) -> None:
    draft = client.new("/posts", title="Draft")
    token = link(client, "posts", draft["id"])["token"]

    answer = client.get(f"/posts/{draft['id']}?preview={spoil(token)}")

    assert answer.status_code in (401, 403)
    assert "Draft" not in answer.text
    if spoil(token):
        assert answer.json["code"] == "rest_preview_invalid"


def test_a_link_expires(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client.site.clock, "now", lambda: "2030-01-01T00:00:00")
    draft = client.new("/posts", title="Draft")
    made = link(client, "posts", draft["id"], expires_in=3600)
    path = f"/posts/{draft['id']}?preview={made['token']}"
    assert made["expires"] == "2030-01-01T01:00:00"

    monkeypatch.setattr(client.site.clock, "now", lambda: "2030-01-01T00:59:59")
    assert client.get(path).status_code == 200
    monkeypatch.setattr(client.site.clock, "now", lambda: "2030-01-01T01:00:00")
    answer = client.get(path)

    assert (answer.status_code, answer.json["code"]) == (403, "rest_preview_expired")
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("seconds", [0, 59, -1, 30 * 86400 + 1, "long"])
def test_a_link_lasts_from_a_minute_to_thirty_days(client: Client, seconds: Any) -> None:
    draft = client.new("/posts", title="Draft")

    answer = client.post(f"/posts/{draft['id']}/preview-link", {"expires_in": seconds})

    assert list(answer.json["data"]["params"]) == ["expires_in"]
    assert client.site.database.rows("SELECT * FROM preview_secrets") == []


def test_revoking_ends_all_links_of_the_item_and_no_others(client: Client) -> None:
    draft, other = (client.new("/posts", title=title) for title in ("Draft", "Other"))
    old = [link(client, "posts", draft["id"])["token"] for _ in range(2)]
    kept = link(client, "posts", other["id"])["token"]

    def status(id: int, token: str) -> int:
        return client.get(f"/posts/{id}?preview={token}").status_code

    assert [status(draft["id"], token) for token in old] == [200, 200]
    assert client.send("DELETE", f"/posts/{draft['id']}/preview-link", "editor").json == {"deleted": True}
    assert [status(draft["id"], token) for token in old] == [403, 403]
    assert status(other["id"], kept) == 200
    new = link(client, "posts", draft["id"])["token"]
    assert [status(draft["id"], token) for token in (*old, new)] == [403, 403, 200]
    assert client.send("DELETE", f"/posts/{draft['id']}/preview-link", "editor").json == {"deleted": True}
    assert client.send("DELETE", f"/posts/{draft['id']}/preview-link", "editor").json == {"deleted": False}


def test_what_is_in_the_trash_or_gone_isnt_shown(client: Client) -> None:
    draft = client.new("/posts", title="Draft")
    path = f"/posts/{draft['id']}?preview={link(client, 'posts', draft['id'])['token']}"

    client.send("DELETE", f"/posts/{draft['id']}", "editor")
    assert client.get(path).json["code"] == "rest_preview_invalid"
    client.send("DELETE", f"/posts/{draft['id']}?force=true", "editor")

    assert client.get(path).status_code == 404
    assert client.site.database.rows("SELECT * FROM preview_secrets") == []


@pytest.mark.parametrize(("role", "status"), [
    (None, 401), ("subscriber", 403), ("contributor", 403), ("author2", 403), ("author", 201), ("editor", 201),
])
def test_links_are_made_by_those_who_may_edit(client: Client, role: str | None, status: int) -> None:
    draft = client.new("/posts", "author", title="Draft")

    assert client.post(f"/posts/{draft['id']}/preview-link", as_=role).status_code == status
    removed = client.send("DELETE", f"/posts/{draft['id']}/preview-link", role)
    assert removed.status_code == (200 if status == 201 else status)


def test_an_item_without_a_token_stays_as_it_is_for_caches(client: Client) -> None:
    post = client.new("/posts", title="Post", status="publish")

    assert "no-store" not in client.get(f"/posts/{post['id']}").headers.get("Cache-Control", "")
    told = client.get("//api/").json["routes"][r"/cms/v2/posts/(?P<id>[\d]+)"]["endpoints"][0]["args"]
    assert list(told) == ["id", "context", "password", "preview"]


# Autosaves.

@pytest.mark.parametrize("base", KINDS)
def test_an_autosave_leaves_the_item_as_it_is(client: Client, base: str) -> None:
    post = client.new(f"/{base}", "administrator", title="Published", content="Text", status="publish")
    one = f"/{base}/{post['id']}"
    before = client.get(f"{one}?context=edit", "editor").json

    answer = client.post(f"{one}/autosaves", {"title": "Changed", "content": "<p>New</p>", "status": "draft"})

    saved = answer.json
    assert answer.status_code == 200
    assert (saved["title"]["raw"], saved["content"]["raw"], saved["excerpt"]["raw"]) == ("Changed", "<p>New</p>", "")
    assert saved["content"]["rendered"].strip() == "<p>New</p>"
    assert (saved["parent"], saved["author"]) == (post["id"], client.id_of("editor"))
    assert saved["slug"] == f"{post['id']}-autosave-v1"
    assert saved["preview_link"] == f"http://cms.example/?p={post['id']}&preview=true"
    assert saved["_links"]["parent"] == [{"href": f"http://cms.example/api/cms/v2{one}"}]
    assert client.get(f"{one}?context=edit", "editor").json == before
    assert revisions(client, base, post["id"]) == []
    assert client.get(f"{one}/autosaves/{saved['id']}?context=edit", "editor").json == saved
    assert client.get(f"{one}/autosaves?context=edit", "administrator").json == [saved]


def test_files_of_the_site_keep_their_addresses_in_autosaves_and_restored_revisions(client: Client) -> None:
    text = '<img src="http://cms.example/uploads/2026/11/x.png" alt="" />'
    post = client.new("/posts", "author", title="Published", content="Text", status="publish")
    one = f"/posts/{post['id']}"
    for content in (text, "Later"):
        client.post(one, {"content": content}, "author")
    (revision,) = [each for each in client.get(f"{one}/revisions", "author").json if "x.png" in each["content"]["rendered"]]

    saved = client.post(f"{one}/autosaves", {"content": text}, "author").json
    restored = client.post(f"{one}/revisions/{revision['id']}/restore", as_="author").json

    assert (saved["content"]["raw"], restored["content"]["raw"]) == (text, text)
    for item in (saved, restored):
        assert 'src="http://cms.example/uploads/2026/11/x.png"' in item["content"]["rendered"]


def test_each_account_has_one_autosave_of_an_item(client: Client) -> None:
    post = client.new("/posts", "author", title="Published", content="Text", status="publish")
    path = f"/posts/{post['id']}/autosaves"

    first = client.post(path, {"title": "One"}).json
    second = client.post(path, {"content": "Two"}).json
    other = client.post(path, {"title": "Mine"}, "administrator").json

    assert (second["id"], second["title"]["raw"], second["content"]["raw"]) == (first["id"], "Published", "Two")
    assert {item["id"] for item in client.get(path, "author").json} == {first["id"], other["id"]}
    datetime.fromisoformat(second["modified_gmt"])
    assert other["id"] != first["id"] > post["id"]


@pytest.mark.parametrize("body", [{}, {"title": "Published"}, {"title": " Published ", "content": "Text\n"}])
def test_an_autosave_that_changes_nothing_removes_the_earlier_one(client: Client, body: dict[str, str]) -> None:
    post = client.new("/posts", "author", title="Published", content="Text", status="publish")
    path = f"/posts/{post['id']}/autosaves"
    client.post(path, {"title": "Changed"})

    answer = client.post(path, body)

    assert (answer.status_code, answer.json["code"]) == (400, "rest_autosave_no_changes")
    assert client.get(path, "editor").json == []


@pytest.mark.parametrize(("role", "direct"), [("author", True), ("editor", False)])
def test_an_authors_own_draft_is_saved_itself(client: Client, role: str, direct: bool) -> None:
    draft = client.new("/posts", "author", title="Draft", content="Text")
    path = f"/posts/{draft['id']}/autosaves"

    saved = client.post(path, {"title": "Changed", "status": "publish"}, role).json

    shown = client.get(f"/posts/{draft['id']}?context=edit", "author").json
    assert (saved["id"] == draft["id"]) is direct
    assert shown["title"]["raw"] == ("Changed" if direct else "Draft")
    assert shown["status"] == "draft"
    assert len(client.get(path, "author").json) == (0 if direct else 1)


@pytest.mark.parametrize(("role", "status"), [
    (None, 401), ("subscriber", 403), ("contributor", 403), ("author2", 403), ("author", 200),
])
def test_autosaves_are_for_those_who_may_edit(client: Client, role: str | None, status: int) -> None:
    post = client.new("/posts", "author", title="Published", content="Text", status="publish")
    path = f"/posts/{post['id']}/autosaves"
    saved = client.post(path, {"title": "Changed"}).json["id"]

    listed, one = client.get(path, role), client.get(f"{path}/{saved}", role)
    made = client.post(path, {"title": "Mine"}, role)

    assert [listed.status_code, one.status_code, made.status_code] == [status] * 3
    if status != 200:
        assert (listed.json["code"], made.json["code"]) == ("rest_cannot_read", "rest_cannot_edit")


def test_an_autosave_by_an_author_is_cleaned(client: Client) -> None:
    post = client.new("/posts", "author", title="Published", content="Text", status="publish")

    saved = client.post(f"/posts/{post['id']}/autosaves", {"content": "<script>x</script>y"}, "author").json

    assert "<script" not in saved["content"]["raw"] + saved["content"]["rendered"]


def test_autosaves_that_arent_there(client: Client) -> None:
    post, other = (client.new("/posts", "author", title=title, status="publish") for title in ("One", "Two"))
    saved = client.post(f"/posts/{post['id']}/autosaves", {"title": "Changed"}).json["id"]

    def refused(path: str, method: str = "GET") -> tuple[int, str]:
        answer = client.send(method, path, "editor", **({"json": {"title": "x"}} if method == "POST" else {}))
        return answer.status_code, answer.json["code"]

    assert refused(f"/posts/{other['id']}/autosaves/{saved}") == (404, "rest_post_no_autosave")
    assert refused("/posts/999999/autosaves") == (404, "rest_post_invalid_parent")
    assert refused("/posts/999999/autosaves", "POST") == (404, "rest_post_invalid_id")
    assert refused(f"/pages/{post['id']}/autosaves", "POST") == (404, "rest_post_invalid_id")
    assert refused(f"/posts/{post['id']}/revisions/{saved}") == (404, "rest_post_invalid_id")


def test_autosaves_go_with_their_item_and_with_their_account(client: Client) -> None:
    post, other = (client.new("/posts", "author", title=title, status="publish") for title in ("One", "Two"))
    for each in (post, other):
        client.post(f"/posts/{each['id']}/autosaves", {"title": "Changed"})

    client.send("DELETE", f"/posts/{post['id']}?force=true", "administrator")
    assert [row["parent_id"] for row in client.site.database.rows("SELECT * FROM autosaves")] == [other["id"]]
    client.send("DELETE", f"/users/{client.id_of('editor')}?force=true&reassign=1", "administrator")

    assert client.site.database.rows("SELECT * FROM autosaves") == []


def test_without_the_plugin_there_is_none_of_it(make_client: Callable[..., Client]) -> None:
    client = make_client()
    post = client.new("/posts", title="Draft")

    for path in ("autosaves", "preview-link", "revisions/1/restore"):
        assert client.post(f"/posts/{post['id']}/{path}").json["code"] == "rest_no_route"
    assert client.get(f"/posts/{post['id']}?preview=x").status_code == 401
