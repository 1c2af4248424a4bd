"""Plugins: what they register shows by itself, and broken ones are refused by name."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from adapter import ready_database
from sites import Client

from cms.hooks import PluginError

GOOD = '''
from cms import _, hookimpl
from cms.plugin import GET, PUBLIC, Answer, Content, Endpoint, Integer, Route, String

@hookimpl
def register_fields():
    words = Integer(_("How many words the text has."), ("view",), readonly=True, columns=("content",),
                    read=lambda row, page: len(row["content"].split()))
    return {"post": {"words": words}}

@hookimpl
def register_filters():
    return {"post": {"title_is": String(_("Only posts with this title."), where=Content.title.__eq__)}}

@hookimpl
def register_routes():
    hello = Endpoint(GET, lambda call: Answer({"hello": call.principal.login}), PUBLIC)
    secret = Endpoint(GET, lambda call: Answer({"secret": 1}), "manage_options")
    return [Route("/hello", (hello,), "example/v1"), Route("/secret", (secret,), "example/v1")]
'''

BAD = {
    "no_such_hook": "@hookimpl\ndef register_nothing():\n    return []",
    "wrong_argument": "@hookimpl\ndef register_routes(nothing):\n    return []",
    "raises": "@hookimpl\ndef register_routes():\n    raise ValueError('broken')",
    "no_such_resource": "@hookimpl\ndef register_fields():\n    return {'nothing': {'x': Integer(_('X.'))}}",
    "name_taken": "@hookimpl\ndef register_fields():\n    return {'post': {'title': Integer(_('X.'))}}",
    "filter_taken": "@hookimpl\ndef register_filters():\n    return {'post': {'search': Integer(_('X.'))}}",
    "no_description": "@hookimpl\ndef register_fields():\n    return {'post': {'x': Integer(_(''))}}",
    "no_permission": "@hookimpl\ndef register_routes():\n"
                     "    return [Route('/x', (Endpoint(GET, print, ''),), 'example/v1')]",
    "route_taken": "@hookimpl\ndef register_routes():\n"
                   "    return [Route('/types', (Endpoint(GET, print, PUBLIC),))]",
    "syntax": "def (",
}
HEAD = "from cms import _, hookimpl\nfrom cms.plugin import GET, PUBLIC, Endpoint, Integer, Route\n"


def test_what_a_plugin_registers_shows_everywhere(
        make_client: Callable[..., Client], module: Callable[[str, str], str]) -> None:
    client = make_client(plugins=[module("good_plugin", GOOD)])
    client.new("/posts", title="One", content="three words here", status="publish")
    client.new("/posts", title="Two", content="two words", status="publish")

    assert [post["words"] for post in client.get("/posts?order=asc&orderby=title").json] == [3, 2]
    found = client.get("/posts?title_is=Two")
    assert ([post["slug"] for post in found.json], found.headers["X-WP-Total"]) == (["two"], "1")
    document = client.get("//api/").json
    assert document["namespaces"] == ["cms/v2", "example/v1"]
    assert "title_is" in document["routes"]["/cms/v2/posts"]["endpoints"][0]["args"]
    assert "words" in client.send("OPTIONS", "/posts").json["schema"]["properties"]
    assert client.get("//api/example/v1/hello", "author").json == {"hello": "author"}
    assert client.get("//api/example/v1/secret").status_code == 401
    assert client.get("//api/example/v1/secret", "editor").status_code == 403
    assert client.get("//api/example/v1/secret", "administrator").json == {"secret": 1}


def test_without_the_plugin_nothing_of_it_is_left(
        make_client: Callable[..., Client], module: Callable[[str, str], str]) -> None:
    make_client(plugins=[module("good_plugin", GOOD)])
    client = make_client()
    client.new("/posts", title="One", status="publish")

    assert "words" not in client.get("/posts").json[0]
    assert client.get("//api/").json["namespaces"] == ["cms/v2"]
    assert client.get("//api/example/v1/hello").status_code == 404


@pytest.mark.parametrize("fault", sorted(BAD))
def test_a_broken_plugin_stops_the_boot_and_is_named(
        make_client: Callable[..., Client], module: Callable[[str, str], str], fault: str) -> None:
    name = module(f"bad_{fault}", HEAD + BAD[fault])

    with pytest.raises(PluginError, match=name) as caught:
        make_client(plugins=[name])

    assert "\n" not in str(caught.value)


def test_two_plugins_that_claim_one_name_are_both_named(
        make_client: Callable[..., Client], module: Callable[[str, str], str]) -> None:
    one, two = module("first_one", GOOD), module("second_one", GOOD)

    with pytest.raises(PluginError) as caught:
        make_client(plugins=[one, two])

    assert "second_one" in str(caught.value)
    assert "first_one" in str(caught.value)


SHOUT = '''
from cms import hookimpl
__version__ = "{version}"

@hookimpl
def render_content(html, kind, field):
    return html.upper().replace("P>", "p>") + "{tail}" if (kind, field) in {where} else None
'''
SOURCE = '''
from cms import hookimpl

@hookimpl
def render_content(html, raw):
    return f"{html}[{raw}]"
'''


def test_plugins_change_rendered_texts_one_after_another(
        make_client: Callable[..., Client], module: Callable[[str, str], str]) -> None:
    where = {("post", "content"), ("comment", "content"), ("page", "title")}
    shout = module("shout", SHOUT.format(version=1, tail="!", where=where))
    client = make_client(plugins=[module("source", SOURCE), shout])

    post = client.new("/posts", title="One", content="text", excerpt="short", status="publish")
    page = client.new("/pages", title="One", content="text", status="publish")
    comment = client.new("/comments", post=post["id"], content="said")

    assert client.get(f"/posts/{post['id']}").json["content"]["rendered"] == "<p>TEXT</p>\n![text]"
    assert post["title"]["rendered"] == "One[One]"
    assert post["excerpt"]["rendered"] == "<p>short</p>\n[short]"
    assert page["title"]["rendered"] == "ONE![One]"
    assert page["content"]["rendered"] == "<p>text</p>\n[text]"
    assert comment["content"]["rendered"] == "<p>SAID</p>\n![said]"


@pytest.mark.files_only  # several sites have one file
def test_texts_follow_the_plugins_and_versions_that_are_there_now(
        make_client: Callable[..., Client], module: Callable[[str, str], str], tmp_path: Path) -> None:
    database = tmp_path / "shared.db"
    shutil.copy(ready_database(), database)

    def site(*plugins: str) -> Client:
        return make_client(plugins=list(plugins), database=str(database))

    def shown(client: Client) -> list[str]:
        paths = (path, f"{path}/revisions")
        item, revisions = (client.get(each, "administrator").json for each in paths)
        return [each["content"]["rendered"].strip() for each in (item, *revisions)]

    where = {("post", "content")}
    name = module("shout_one", SHOUT.format(version=1, tail="!", where=where))
    plain = site()
    path = f"/posts/{plain.new('/posts', 'administrator', title='Item', content='one')['id']}"
    plain.post(path, {"content": "two"}, "administrator")
    assert shown(plain) == ["<p>two</p>", "<p>two</p>"]
    assert shown(site(name)) == ["<p>TWO</p>\n!", "<p>TWO</p>\n!"]
    site(name).post(path, {"content": "three"}, "administrator")
    assert shown(site(name)) == ["<p>THREE</p>\n!", "<p>THREE</p>\n!", "<p>TWO</p>\n!"]

    module(name, SHOUT.format(version=2, tail="?!", where=where))
    del sys.modules[name]
    assert shown(site(name)) == ["<p>THREE</p>\n?!", "<p>THREE</p>\n?!", "<p>TWO</p>\n?!"]
    assert shown(site()) == ["<p>three</p>", "<p>three</p>", "<p>two</p>"]


@pytest.mark.parametrize(("body", "told"), [
    ("raise ValueError('broken')", "plugin bad_render: render_content failed: ValueError: broken"),
    ("return 5", "plugin bad_render: render_content returned int instead of str"),
])
def test_a_plugin_that_fails_while_rendering_is_named_in_the_log_alone(
        make_client: Callable[..., Client], module: Callable[[str, str], str], caplog: pytest.LogCaptureFixture,
        body: str, told: str) -> None:
    text = f"from cms import hookimpl\n@hookimpl\ndef render_content(html):\n    {body}\n"
    client = make_client(plugins=[module("bad_render", text)])

    answer = client.post("/posts", {"title": "One"})

    assert answer.status_code == 500
    assert "bad_render" not in answer.text
    assert told in caplog.text
    assert client.get("/posts?status=any", "editor").json == []


ELSEWHERE = '''
import io
from cms import hookimpl
from cms.plugin import Stored

class Memory:
    def __init__(self):
        self.files = {}

    def put(self, source, key):
        self.files[key] = source.read_bytes()
        return key

    def open(self, key):
        if key not in self.files:
            raise FileNotFoundError(key)
        return Stored(io.BytesIO(self.files[key]), len(self.files[key]), key)

    def delete(self, key):
        self.files.pop(key, None)

    def walk(self):
        return iter([(key, 0.0) for key in self.files])

    def address(self, key):
        return f"https://files.example/{key}"

@hookimpl
def media_storage(config):
    return Memory()
'''


def test_a_plugin_keeps_files_elsewhere(make_client: Callable[..., Client], module: Callable[[str, str], str]) -> None:
    client = make_client(plugins=[module("elsewhere", ELSEWHERE)])
    headers = {"Content-Type": "text/plain", "Content-Disposition": "attachment; filename=note.txt"}

    made = client.send("POST", "/media", "author", data=b"text", headers=headers).json

    key = made["media_details"]["file"]
    assert made["source_url"] == f"https://files.example/{key}"
    assert client.http.get(f"/uploads/{key}").data == b"text"
    assert not client.site.config.uploads.exists()
    refused = client.send("POST", "/media?status=nonsense", "author", data=b"text", headers=headers)
    assert (refused.status_code, len(client.site.context.storage.files)) == (400, 1)
