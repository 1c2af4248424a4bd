"""What takes long is done before a write takes the lock; what others change meanwhile isn't lost."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sites import Client, basic

from cms.transfer.importing.importer import import_wxr

LISTENS = '''
site = None

def note(what):
    if site is not None:
        seen.append((what, site.database.peewee.in_transaction()))

@hookimpl
def before_write(action, resource):
    note("before_write")

@hookimpl
def render_content(html):
    note("render_content")
'''


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def listening(extended: Callable[..., Client], monkeypatch: pytest.MonkeyPatch) -> Client:
    """A site that notes whether it holds the write lock while hooks run and passwords are hashed."""
    client = extended(LISTENS)
    client.account("editor")
    plugin: Any = sys.modules["plugin_one"]
    passwords = client.site.authentication.passwords
    hash = passwords.hash
    monkeypatch.setattr(passwords, "hash", lambda password: [plugin.note("hash"), hash(password)][1])
    plugin.site = client.site
    return client


def heard() -> list[tuple[str, bool]]:
    seen: list[tuple[str, bool]] = sys.modules["plugin_one"].seen
    found, seen[:] = list(seen), []
    return found


WRITES: list[tuple[str, str, dict[str, Any], set[str]]] = [
    ("POST", "/posts", {"title": "T", "content": "C"}, {"before_write", "render_content"}),
    ("POST", "/posts/{post}", {"content": "Changed"}, {"before_write", "render_content"}),
    ("DELETE", "/posts/{post}", {}, {"before_write"}),
    ("DELETE", "/posts/{post}?force=true", {}, {"before_write"}),
    ("DELETE", "/posts/{post}/revisions/{revision}?force=true", {}, {"before_write"}),
    ("POST", "/comments", {"post": "{post}", "content": "C"}, {"before_write", "render_content"}),
    ("POST", "/comments/{comment}", {"content": "Changed"}, {"before_write", "render_content"}),
    ("POST", "/tags", {"name": "N", "description": "D"}, {"before_write"}),
    ("POST", "/users", {"username": "u", "email": "u@example.org", "password": "pass-word-5"}, {"before_write", "hash"}),
    ("POST", "/users/me", {"password": "pass-word-5"}, {"before_write", "hash"}),
    ("POST", "/settings", {"title": "T"}, {"before_write"}),
]


@pytest.mark.parametrize(("method", "path", "body", "expected"), WRITES, ids=[f"{w[0]} {w[1]}" for w in WRITES])
def test_nothing_slow_is_done_under_the_lock(
        listening: Client, method: str, path: str, body: dict[str, Any], expected: set[str]) -> None:
    post = listening.new("/posts", title="Item", status="publish")["id"]
    listening.post(f"/posts/{post}", {"content": "Second"})
    ids = {"post": post, "revision": listening.get(f"/posts/{post}/revisions", "editor").json[0]["id"],
           "comment": listening.new("/comments", post=post, content="Said")["id"]}
    sent = {name: value.format(**ids) if isinstance(value, str) else value for name, value in body.items()}
    heard()

    answer = listening.send(method, path.format(**ids), "administrator", json=sent)

    assert answer.status_code in (200, 201), answer.text
    told = heard()
    assert {what for what, _locked in told} >= expected
    assert [what for what, locked in told if locked] == []


def test_an_upload_is_described_before_the_lock(listening: Client) -> None:
    heard()

    answer = listening.send("POST", "/media", "editor", data=picture(), content_type="image/png",
                            headers={"Content-Disposition": "attachment; filename=a.png"})

    assert answer.status_code == 201, answer.text
    told = heard()
    assert {what for what, _locked in told} == {"before_write", "render_content"}
    assert [what for what, locked in told if locked] == []


def test_texts_are_rendered_anew_without_the_lock(listening: Client) -> None:
    post = listening.new("/posts", title="Item", status="publish")["id"]
    listening.new("/comments", post=post, content="Said")
    for table in ("content", "comments"):
        listening.site.database.execute(f"UPDATE {table} SET rendered_by = 'old'")
    heard()

    assert "rendering" in (listening.site.worker.run_due() or [])

    told = heard()
    assert len(told) >= 4
    assert [what for what, locked in told if locked] == []


EXPORT = """<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://old.example</wp:base_blog_url>{}</channel></rss>"""
ITEM = """<item><title>Item {0}</title><content:encoded>Text {0}</content:encoded><wp:post_id>{0}</wp:post_id>
<wp:post_name>item-{0}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><wp:comment>
<wp:comment_id>{0}</wp:comment_id><wp:comment_content>Said {0}</wp:comment_content>
<wp:comment_approved>1</wp:comment_approved></wp:comment></item>"""


def test_an_import_renders_its_texts_before_it_takes_the_lock(listening: Client, tmp_path: Path) -> None:
    path = tmp_path / "export.xml"
    path.write_text(EXPORT.format(ITEM.format(901) + ITEM.format(902)), "utf-8")
    heard()

    import_wxr(listening.site, path)

    told = heard()
    assert told == [("render_content", False)] * 8  # three texts and a comment of each item
    posts = listening.get("/posts").json
    assert sorted(post["content"]["rendered"] for post in posts) == ["<p>Text 901</p>\n", "<p>Text 902</p>\n"]
    assert len(listening.get("/comments").json) == 2

    import_wxr(listening.site, path)

    assert heard() == []


def test_what_changes_while_an_import_prepares_counts(listening: Client, tmp_path: Path) -> None:
    plugin: Any = sys.modules["plugin_one"]
    path, site = tmp_path / "export.xml", listening.site
    picture = ITEM.format(901).replace(">post<", ">attachment<")
    path.write_text(EXPORT.format(picture + ITEM.format(902).replace("Text 902", "wp-image-901")), "utf-8")
    note, written = plugin.note, []

    def write_once(what: str) -> None:
        if what == "render_content" and not written:
            written.append(site.stores.ids.last("content"))
            with site.database.write():
                site.stores.ids.move("content", 2_000)
        note(what)

    plugin.note = write_once
    import_wxr(site, path)

    file, post = listening.get("/media", "administrator").json[0], listening.get("/posts").json[0]
    assert file["id"] > 2_000
    assert post["content"]["rendered"] == f"<p>wp-image-{file['id']}</p>\n"


MEANWHILE = '''
times, busy = 0, False

@hookimpl
def before_write(resource, row, site):
    global times, busy
    if resource == "post" and row is not None and times and not busy:
        times, busy = times - 1, True
        site.posts.update(row["id"], user="admin", content=f"Between {times}")
        busy = False
'''


@pytest.mark.parametrize("times", [1, 2])
def test_what_others_change_meanwhile_is_kept(extended: Callable[..., Client], times: int) -> None:
    client = extended(MEANWHILE)
    id = client.new("/posts", title="Item", content="First")["id"]
    sys.modules["plugin_one"].times = times  # type: ignore[attr-defined]

    changed = client.post(f"/posts/{id}", {"title": "Changed"}).json

    assert (changed["title"]["raw"], changed["content"]["raw"]) == ("Changed", "Between 0")
    assert changed["content"]["rendered"] == "<p>Between 0</p>\n"


def test_a_condition_on_the_version_counts_when_the_lock_is_taken(extended: Callable[..., Client]) -> None:
    client = extended(MEANWHILE)
    id = client.new("/posts", title="Item", content="First")["id"]
    version = client.get(f"/posts/{id}", "editor").headers["ETag"]
    sys.modules["plugin_one"].times = 1  # type: ignore[attr-defined]

    refused = client.post(f"/posts/{id}", {"title": "Changed"}, headers={"If-Match": version})

    assert (refused.status_code, refused.json["code"]) == (412, "rest_precondition_failed")
    assert client.get(f"/posts/{id}?context=edit", "editor").json["title"]["raw"] == "Item"


CLOSES = '''
@hookimpl
def before_write(resource, values, site):
    if resource == "comment":
        site.posts.update(values["post"], user="admin", comment_status="closed")
'''


def test_what_a_new_item_depends_on_is_looked_at_under_the_lock(extended: Callable[..., Client]) -> None:
    client = extended(CLOSES)
    post = client.new("/posts", title="Item", status="publish")["id"]

    refused = client.post("/comments", {"post": post, "content": "Said"})

    assert (refused.status_code, refused.json["code"]) == (403, "rest_comment_closed")
    assert client.get("/comments").json == []


MEETING = '''
from threading import Barrier, Event

together, going_on = Barrier(8), Event()

@hookimpl
def render_content(html):
    if "everybody" in html:
        together.wait(60)
    if "long" in html:
        assert going_on.wait(60)
'''


def send_posts(client: Client, texts: list[str], sent: Callable[[int, int], None]) -> None:
    """Create a post of 100 KB with each text at the same time, and tell its place and status as soon as it is answered."""
    client.account("editor")

    def create(place: int) -> None:
        content = f"<p>{texts[place]}</p>\n" + "<p>Some words.</p>\n" * 6_000
        answer = client.app.test_client().post("/api/cms/v2/posts", json={"content": content, "status": "publish"},
                                               headers={"Authorization": basic(*client.account("editor"))})
        client.site.database.close()
        sent(place, answer.status_code)

    with ThreadPoolExecutor(len(texts)) as pool:
        list(pool.map(create, range(len(texts))))


def test_eight_writes_render_their_texts_at_the_same_time(extended: Callable[..., Client]) -> None:
    statuses: list[int] = []

    # Each waits in its rendering for the seven others to be in theirs.
    send_posts(extended(MEETING), ["everybody"] * 8, lambda _place, status: statuses.append(status))

    assert statuses == [201] * 8


def test_seven_writes_are_answered_while_an_eighth_renders(extended: Callable[..., Client]) -> None:
    client, answered = extended(MEETING), list[tuple[int, int]]()

    def note(place: int, status: int) -> None:
        answered.append((place, status))
        if len(answered) == 7:
            sys.modules["plugin_one"].going_on.set()

    send_posts(client, ["long", *["short"] * 7], note)

    assert answered[-1] == (0, 201)
    assert sorted(answered) == [(place, 201) for place in range(8)]
