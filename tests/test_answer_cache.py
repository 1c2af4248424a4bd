"""Answers to visitors are kept, and never a moment longer than they are right."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response, request
from sites import URL, Client

from cms.app import init_app
from cms.dates import in_seconds

READS = (
    "/posts", "/posts?per_page=1&_embed", "/posts?slug=first", "/posts?search=first", "/posts?_fields=id,title",
    "/posts/{post}", "/posts/{post}?_envelope=1", "/pages", "/categories?orderby=count", "/categories/{category}", "/tags?post={post}",
    "/comments?post={post}", "/users", "/users/{author}", "/types", "/types/post", "/taxonomies", "/statuses", "/media",
    "/posts?categories={category}", "/posts?page=2&per_page=1",
)
ROOTS = ("/api/", "/api/cms/v2", "/de/api/cms/v2/posts", "/de/api/")


@pytest.fixture
def filled(make_client: Callable[..., Client]) -> tuple[Client, dict[str, int]]:
    """A site with one of everything, and ids by kind."""
    client = make_client(comment_interval=0, plugins=["locale_de"])
    category = client.new("/categories", name="News")["id"]
    post = client.new("/posts", title="First", content="Text", status="publish", categories=[category])["id"]
    client.new("/posts", title="Second", status="publish")
    client.new("/pages", title="A page", status="publish")
    comment = client.new("/comments", post=post, content="Well said")["id"]
    return client, {"post": post, "category": category, "comment": comment, "author": client.id_of("editor")}


#: What is changed, as method, path and body; each shows in some of the reads.
WRITES = (
    ("POST", "/posts", {"title": "Third", "status": "publish", "categories": []}),
    ("POST", "/posts/{post}", {"title": "Renamed"}),
    ("POST", "/posts/{post}", {"status": "draft"}),
    ("POST", "/posts/{post}", {"password": "secret"}),
    ("POST", "/posts/{post}", {"sticky": True}),
    ("DELETE", "/posts/{post}", {}),
    ("DELETE", "/posts/{post}?force=true", {}),
    ("POST", "/categories/{category}", {"name": "Olds"}),
    ("DELETE", "/categories/{category}?force=true", {}),
    ("POST", "/comments", {"post": "{post}", "content": "Me too"}),
    ("POST", "/comments/{comment}", {"status": "hold"}),
    ("POST", "/users/{author}", {"name": "Somebody else"}),
    ("POST", "/settings", {"title": "Another name", "posts_per_page": 1, "timezone": "Asia/Tokyo"}),
)


def fresh(client: Client, path: str) -> tuple[int, Any, dict[str, str]]:
    """Return an answer that was made anew."""
    client.site.answers.clear()
    return told(client.http.get(path))


def told(response: Any) -> tuple[int, Any, dict[str, str]]:
    headers = {name: value for name, value in response.headers.items() if name not in ("Date", "X-Request-Id")}
    return response.status_code, response.get_data(), headers


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_every_read_is_right_after_a_write(
        filled: tuple[Client, dict[str, int]], method: str, path: str, body: dict[str, Any]) -> None:
    client, ids = filled
    paths = [f"/api/cms/v2{read}".format(**ids) for read in READS] + list(ROOTS)
    before = {each: told(client.http.get(each)) for each in paths}
    assert {each: told(client.http.get(each)) for each in paths} == before
    assert client.site.answers.hits >= len(paths) - 2  # the users that visitors may not list

    sent = {name: ids.get(str(value).strip("{}"), value) for name, value in body.items()}
    response = client.send(method, path.format(**ids), "administrator", json=sent)
    assert response.status_code < 300, response.json

    after = {each: told(client.http.get(each)) for each in paths}
    assert after == {each: fresh(client, each) for each in paths}
    assert after != before


def test_a_kept_answer_takes_no_statement(
        client: Client, statements: Callable[[Callable[[], Any]], list[str]]) -> None:
    client.new("/posts", title="One", status="publish")

    def read_twice() -> None:
        client.get("/posts")
        client.get("/posts")

    client.get("/posts")
    twice, once = statements(read_twice), statements(lambda: client.get("/posts"))

    assert len(twice) == len(once) > 0


def test_a_write_of_another_process_shows_at_once(client: Client, tmp_path: Path) -> None:
    other = Client(tmp_path / "site-0")
    before = len(client.get("/posts").json)

    other.new("/posts", title="One", status="publish")

    assert len(client.get("/posts").json) == before + 1
    other.site.close()


def test_what_is_scheduled_shows_when_its_time_has_come(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    start = client.site.now()
    client.new("/posts", title="Later", status="publish", date_gmt=in_seconds(start, 100))
    seen = []
    for seconds in (0, 99, 100, 99):
        moment = in_seconds(start, seconds)
        monkeypatch.setattr(client.site.clock, "now", lambda moment=moment: moment)
        seen.append([len(client.get("/posts").json) for _ in range(2)])

    assert seen == [[0, 0], [0, 0], [1, 1], [0, 0]]


def test_the_offset_of_the_zone_changes_with_the_season(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.send("POST", "/settings", "administrator", json={"timezone": "Europe/Berlin"})
    monkeypatch.setattr(client.site.clock, "now", lambda: "2026-10-25T00:59:59")
    client.http.get("/api/")
    hits = client.site.answers.hits
    client.http.get("/api/")
    monkeypatch.setattr(client.site.clock, "now", lambda: "2026-10-25T01:00:00")
    client.http.get("/api/")

    assert client.site.answers.hits == hits + 1


@pytest.mark.parametrize("path", [
    "/posts?password=secret", "/posts?p%61ssword=secret", "/posts?context=edit", "/posts/999",
    "/posts?x=" + "y" * 600])
def test_what_is_for_one_alone_is_made_for_each(client: Client, path: str) -> None:
    for _ in range(3):
        client.get(path)

    assert client.site.answers.hits == 0


def test_who_signs_in_neither_gets_nor_leaves_a_kept_answer(client: Client) -> None:
    client.new("/posts", title="Private", status="private")
    client.new("/posts", title="Public", status="publish")

    for _ in range(2):
        assert client.get("/posts").headers["Cache-Control"] == "no-cache"
        signed_in = client.get("/posts?status=private", "administrator")
        assert signed_in.headers["Cache-Control"] == "no-store"
        assert len(signed_in.json) == 1
        assert client.get("/posts?status=private").status_code == 400

    assert client.site.answers.hits == 1


@pytest.mark.parametrize("path", ["/posts", "/posts/{id}", "/types"])
def test_who_has_an_answer_is_told_that_it_holds(client: Client, path: str) -> None:
    id = client.new("/posts", title="One", status="publish")["id"]
    path = path.format(id=id)
    tag = client.get(path).headers["ETag"]

    for clear in (False, True):
        if clear:
            client.site.answers.clear()
        again = client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.get_data(), again.headers["ETag"]) == (304, b"", tag)
        assert "Content-Type" not in again.headers
        assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
    client.send("POST", f"/posts/{id}", "administrator", json={"title": "Two"})

    assert client.get(path, headers={"If-None-Match": tag}).status_code == (304 if path == "/types" else 200)


def test_a_list_with_another_total_is_another_one(client: Client) -> None:
    client.new("/posts", title="New", status="publish", date="2020-01-02T00:00:00")
    before = client.get("/posts?per_page=1")
    client.new("/posts", title="Old", status="publish", date="2020-01-01T00:00:00")

    after = client.get("/posts?per_page=1", headers={"If-None-Match": before.headers["ETag"]})

    assert (after.status_code, after.data) == (200, before.data)
    assert (before.headers["X-WP-Total"], after.headers["X-WP-Total"]) == ("1", "2")


def test_head_gets_the_headers_of_a_kept_answer(client: Client) -> None:
    made = told(client.get("/posts"))

    head = client.send("HEAD", "/posts")

    assert client.site.answers.hits == 1
    assert (head.status_code, head.get_data()) == (200, b"")
    assert told(head)[2] == made[2]


def test_pages_of_other_origins_get_their_own_headers(make_client: Callable[..., Client]) -> None:
    client = make_client(cors_origins=["https://one.example"])
    for _ in range(2):
        for origin, allowed in (("https://one.example", "https://one.example"), ("https://x.example", "*"), ("", "*")):
            answer = client.get("/posts", headers={"Origin": origin} if origin else {})
            assert answer.headers["Access-Control-Allow-Origin"] == allowed
            assert answer.headers["Vary"] == "Origin"

    assert client.site.answers.hits == 4


def test_without_room_nothing_is_kept(make_client: Callable[..., Client]) -> None:
    client = make_client(answer_cache=0)
    for _ in range(2):
        assert "ETag" not in client.get("/posts").headers

    assert (client.site.answers.hits, client.site.answers.misses) == (0, 0)


@pytest.mark.parametrize(("setting", "sent"), [("public, max-age=60", "public, max-age=60"), ("", None)])
def test_what_caches_in_front_are_told_is_a_setting(
        make_client: Callable[..., Client], setting: str, sent: str | None) -> None:
    client = make_client(cache_control=setting)
    for _ in range(2):
        assert client.get("/posts").headers.get("Cache-Control") == sent
    assert client.get("/posts/999").headers["Cache-Control"] == "no-store"
    assert client.get("/posts/999?_envelope").headers["Cache-Control"] == "no-store"
    assert client.get("/posts", "administrator").headers["Cache-Control"] == "no-store"


def test_answers_name_what_they_show_where_that_is_asked_for(make_client: Callable[..., Client]) -> None:
    client = make_client(surrogate_keys=True)
    one, two = (client.new("/posts", title=title, status="publish", date=date)["id"]
                for title, date in (("One", "2020-01-02T00:00:00"), ("Two", "2020-01-01T00:00:00")))
    keys = {path: client.get(path).headers["Surrogate-Key"] for path in ("/posts", f"/posts/{one}", "/types")}

    assert keys == {"/posts": f"posts posts-{one} posts-{two}", f"/posts/{one}": f"posts posts-{one}", "/types": "types"}
    author = f"users-{client.id_of('editor')}"
    assert author in client.get(f"/posts/{one}?_embed").headers["Surrogate-Key"].split()
    assert "Surrogate-Key" not in client.get("/posts", "administrator").headers


MOVING = '''
from cms.plugin import Answer, Endpoint, Integer, PUBLIC, Route
made = []

@hookimpl
def register_routes():
    def answer(call):
        made.append(1)
        return Answer({"n": len(made)}, cacheable=KEEP)
    return [Route("/counter", (Endpoint(("GET",), answer, PUBLIC),), "one/v1")]
'''


@pytest.mark.parametrize(("keep", "seen"), [("True", [1, 1, 1]), ("False", [1, 2, 3])])
def test_a_plugins_own_route_is_kept_if_it_says_so(
        extended: Callable[..., Client], keep: str, seen: list[int]) -> None:
    client = extended(MOVING.replace("KEEP", keep))

    assert [client.http.get("/api/one/v1/counter").json["n"] for _ in range(3)] == seen


OUTSIDE = '''
made = []

@hookimpl
def register_uncached_resources():
    return ["post"]

@hookimpl
def prepare_items(resource, items):
    made.append(1)
    for item in items:
        item["n"] = len(made)
'''


def test_resources_that_depend_on_other_things_are_made_each_time(extended: Callable[..., Client]) -> None:
    client = extended(OUTSIDE)
    id = client.new("/posts", title="One", status="publish")["id"]
    client.new("/comments", post=id, content="Said")
    for path in (f"/posts/{id}", "/posts", "/comments?_embed"):
        assert len({client.get(path).get_data() for _ in range(3)}) == 3
    assert len({client.get("/comments").get_data() for _ in range(3)}) == 1


def test_a_resource_that_there_is_none_of_cannot_be_named(extended: Callable[..., Client]) -> None:
    with pytest.raises(Exception, match=r"plugin_one: register_uncached_resources.*'poem'"):
        extended("@hookimpl\ndef register_uncached_resources():\n    return ['poem']\n")


SHOWING_TIME = '''
@hookimpl
def next_change(now):
    return "2030-01-01T00:00:30"

@hookimpl
def prepare_items(resource, items, page):
    for item in items:
        item["past"] = page.now >= "2030-01-01T00:00:30"
'''


def test_no_answer_outlives_the_moment_that_a_plugin_names(
        extended: Callable[..., Client], monkeypatch: pytest.MonkeyPatch) -> None:
    client = extended(SHOWING_TIME)
    client.new("/posts", title="One", status="publish")
    seen = []
    for second in ("00", "29", "30", "31"):
        monkeypatch.setattr(client.site.clock, "now", lambda moment=f"2030-01-01T00:00:{second}": moment)
        seen.append(client.get("/posts").json[0]["past"])

    assert seen == [False, False, True, True]
    assert client.site.answers.hits == 2


SIGNING_IN = '''
from cms.plugin import Principal

@hookimpl
def authenticate(request, site):
    return site.authentication.by_login("admin") if request.headers.get("x-who") == "admin" else None
'''


def test_a_plugin_that_signs_in_by_a_header_sees_every_request(extended: Callable[..., Client]) -> None:
    client = extended(SIGNING_IN)
    id = client.new("/posts", title="Public", status="publish")["id"]
    for _ in range(2):
        assert client.get(f"/posts/{id}").headers["Allow"] == "GET"
        assert "DELETE" in client.get(f"/posts/{id}", headers={"X-Who": "admin"}).headers["Allow"]

    assert client.site.answers.hits == 1


def test_an_application_that_embeds_a_site_sees_every_request(client: Client, tmp_path: Path) -> None:
    app = Flask(__name__)
    asked: list[str] = []
    app.before_request(lambda: asked.append(request.path))
    init_app(app, {"url": URL, "background": False}, tmp_path / "site-0", "/backend")

    @app.after_request
    def mark(response: Response) -> Response:
        response.headers["X-Host"] = "yes"
        return response

    answers = [app.test_client().get("/backend/api/cms/v2/posts") for _ in range(3)]

    assert [answer.headers["X-Host"] for answer in answers] == ["yes"] * 3
    assert len(asked) == 3
    assert app.extensions["cms"].answers.hits == 2


@pytest.mark.parametrize("path", ["/posts", "//id/api/cms/v2/posts"])
def test_visitors_share_answers_whatever_they_come_with(client: Client, path: str) -> None:
    for agent in ("Firefox", "Chrome", "Lynx"):
        assert client.get(path, headers={"User-Agent": agent, "Accept-Language": "de"}).status_code == 200

    assert (client.site.answers.hits, client.site.answers.misses) == (2, 1)


@pytest.mark.files_only  # the number of a server's database is the same for all connections
@pytest.mark.parametrize("cache", [0, 1_000_000])
def test_a_site_that_was_closed_meanwhile_answers_what_is_there_now(make_client: Callable[..., Client], cache: int) -> None:
    client = make_client(answer_cache=cache)
    for number in range(3):
        client.site.close()
        for _turn in range(2):
            client.http.get("/api/")
        client.site.close()
        with closing(sqlite3.connect(client.site.config.instance / "site.db")) as other, other:
            other.execute("INSERT OR REPLACE INTO options (name, value) VALUES ('title', ?)", (f'"Title {number}"',))

        assert client.http.get("/api/").get_json()["name"] == f"Title {number}"
