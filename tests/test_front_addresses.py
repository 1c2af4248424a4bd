"""Where visitors see things: addresses of the front end, by patterns per type; the API's own stay with the site."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sites import URL, Client

from cms.cli import main
from cms.testing import make_client as make_new_client
from cms.transfer.exporting.exporter import export_wxr

FRONT = "https://www.example.org"
PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                    "1f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082")
Make = Callable[..., Client]


def published(client: Client, base: str, **fields: Any) -> Any:
    return client.new(base, "administrator", **{"title": "Item", "status": "publish", "date_gmt": "2020-02-29T23:30:00", **fields})


def upload(client: Client) -> Any:
    headers = {"Content-Type": "image/png", "Content-Disposition": "attachment; filename=a.png"}
    answer = client.send("POST", "/media", "administrator", data=PNG, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.json


@pytest.mark.parametrize(("config", "front"), [
    ({}, URL), ({"front_url": ""}, URL), ({"front_url": FRONT}, FRONT), ({"front_url": f"{FRONT}/"}, FRONT),
    ({"front_url": f"{FRONT}/blog"}, f"{FRONT}/blog"),
])
def test_what_visitors_see_is_at_the_front_end_and_the_api_at_the_site(make_client: Make, config: dict[str, Any], front: str) -> None:
    client = make_client(**config)
    post = published(client, "/posts", slug="one")
    above = published(client, "/pages", slug="above")
    below = published(client, "/pages", slug="below", parent=above["id"], comment_status="open")
    draft = client.new("/posts", "administrator", title="Draft")
    comment = client.new("/comments", "administrator", post=below["id"], content="Text")
    tag = client.new("/tags", "administrator", name="Tag")
    media = upload(client)
    me = client.get("/users/me", "administrator").json

    assert post["link"] == f"{front}/one/"
    assert below["link"] == f"{front}/above/below/"
    assert draft["link"] == f"{front}/?p={draft['id']}"
    assert comment["link"] == f"{front}/above/below/#comment-{comment['id']}"
    assert tag["link"] == f"{front}/tags/tag/"
    assert media["link"] == f"{front}/a/"
    assert me["link"] == f"{front}/author/{me['slug']}/"
    answer = client.get(f"/pages/{below['id']}")
    assert f'<{front}/above/below/>; rel="alternate"' in answer.headers["Link"]
    home = client.get("//api/").json
    assert (home["home"], home["url"]) == (front, URL)
    assert post["guid"]["rendered"] == f"{URL}/?p={post['id']}"
    assert post["_links"]["self"][0]["href"] == f"{URL}/api/cms/v2/posts/{post['id']}"
    assert media["source_url"].startswith(f"{URL}/uploads/")
    assert client.get("/settings", "administrator").json["url"] == URL


@pytest.mark.parametrize(("pattern", "link"), [
    ("/blog/{slug}/", "/blog/one/"), ("/blog/{slug}", "/blog/one"), ("/{path}/", "/one/"), ("/p/{id}", "/p/{id}"), ("/{slug}-{id}.html", "/one-{id}.html"),
    ("/{year}/{month}/{day}/{slug}/", "/2020/03/01/one/"), ("/über/{slug}", "/%C3%BCber/one"),
])
def test_a_pattern_makes_the_addresses_of_one_type(make_client: Make, pattern: str, link: str) -> None:
    client = make_client(front_url=FRONT, links={"post": pattern})
    assert client.post("/settings", {"timezone": "Asia/Jakarta"}, "administrator").status_code == 200
    post = published(client, "/posts", slug="one")
    page = published(client, "/pages", slug="one")
    expected = FRONT + link.replace("{id}", str(post["id"]))

    assert post["link"] == expected
    assert client.get("/posts?_fields=link").json[0]["link"] == expected
    assert f'<{expected}>; rel="alternate"' in client.get(f"/posts/{post['id']}").headers["Link"]
    assert client.new("/comments", "administrator", post=post["id"], content="Text")["link"].startswith(f"{expected}#comment-")
    assert page["link"] == f"{FRONT}/one/"


@pytest.mark.parametrize(("pattern", "link"), [
    ("/docs/{path}/", "/docs/above/below/"), ("/docs/{slug}/", "/docs/below/"), ("/{path}.html", "/above/below.html"),
])
def test_a_pattern_has_what_is_above_or_not(make_client: Make, pattern: str, link: str) -> None:
    client = make_client(links={"page": pattern})
    above = published(client, "/pages", slug="above")
    below = published(client, "/pages", slug="below", parent=above["id"])

    assert below["link"] == f"{URL}{link}"
    assert client.get("/pages?slug=below&_fields=link").json == [{"link": f"{URL}{link}"}]


def test_what_no_visitor_sees_has_no_pattern(make_client: Make) -> None:
    client = make_client(links={"post": "/blog/{slug}/", "attachment": "/files/{slug}"})
    draft = client.new("/posts", "administrator", title="Draft", slug="draft")
    future = client.new("/posts", "administrator", title="Future", slug="future", status="publish", date_gmt="2099-01-01T00:00:00")

    assert [item["link"] for item in (draft, future)] == [f"{URL}/?p={item['id']}" for item in (draft, future)]


def test_files_have_a_pattern_too(make_client: Make) -> None:
    client = make_client(front_url=FRONT, links={"attachment": "/files/{slug}"})
    media = upload(client)

    assert media["link"] == f"{FRONT}/files/a"


def test_an_item_of_a_plugin_and_a_post_of_one_slug_differ(tmp_path: Path) -> None:
    links = {"post": "/blog/{slug}/", "event": "/events/{slug}/"}
    client = make_new_client(tmp_path, front_url=FRONT, plugins=["events"], links=links)
    post = published(client, "/posts", slug="one")
    event = published(client, "/events", slug="one", start="2030-01-01T10:00:00Z")
    calendar = client.get("/events/calendar").get_data(as_text=True)
    client.close()

    assert [post["link"], event["link"]] == [f"{FRONT}/blog/one/", f"{FRONT}/events/one/"]
    assert f"{FRONT}/events/one/" in calendar


def test_an_export_tells_the_addresses_of_the_front_end_and_the_site(make_client: Make) -> None:
    client = make_client(front_url=FRONT, links={"post": "/blog/{slug}/", "page": "/docs/{path}/"})
    post = published(client, "/posts", slug="one")
    above = published(client, "/pages", slug="above")
    published(client, "/pages", slug="below", parent=above["id"])
    file = io.BytesIO()
    export_wxr(client.site, file)
    text = file.getvalue().decode()

    links = re.findall(r"<link><!\[CDATA\[(.*?)\]\]></link>", text)
    assert {FRONT, f"{FRONT}/blog/one/", f"{FRONT}/docs/above/below/"} <= set(links)
    assert not [link for link in links if link.startswith(URL)]
    for part in (f"<wp:base_site_url><![CDATA[{URL}]]>", f"<wp:base_blog_url><![CDATA[{URL}]]>", f"{URL}/?p={post['id']}]"):
        assert part in text


def test_a_menu_leads_to_the_front_end(make_client: Make) -> None:
    folder = make_client().site.config.instance
    migrate = ["--instance", str(folder), "migrate"]
    assert CliRunner().invoke(main, migrate, env={"CMS_PLUGINS": "menus"}).exit_code == 0
    client = Client(folder, front_url=FRONT, plugins=["menus"], links={"page": "/docs/{path}/"})
    page = published(client, "/pages", slug="one")
    menu = client.new("/menus", "administrator", name="Main")
    item = client.new("/menu-items", "administrator", menus=menu["id"], type="post_type", object="page", object_id=page["id"], status="publish")

    client.site.close()
    assert item["url"] == f"{FRONT}/docs/one/"


def test_a_pattern_of_no_type_is_told_and_passed_over(make_client: Make, caplog: pytest.LogCaptureFixture) -> None:
    make_client(links={"post": "/blog/{slug}/", "evnt": "/events/{slug}/"})

    assert [record.getMessage() for record in caplog.records] == [
        "the configuration has a pattern in links for evnt, but there is no type of this name"]


def test_a_pattern_costs_no_statement(make_client: Make) -> None:
    counts = []
    for links in ({}, {"page": "/docs/{path}/", "post": "/{year}/{slug}/"}, {"page": "/docs/{slug}/"}):
        client = make_client(front_url=FRONT, links=links)
        above = published(client, "/pages", slug="above")
        published(client, "/pages", slug="below", parent=above["id"])
        client.get("/pages")
        counts.append(len(client.statements(lambda client=client: client.get("/pages"))))

    assert counts[1] == counts[0]
    assert counts[2] == counts[0] - 1
