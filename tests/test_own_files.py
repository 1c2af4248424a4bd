"""Texts that show the site's own files: whatever address the site gets, they lead to where the files lie."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sites import URL, Client

from cms.cli import main
from cms.rendering.own_files import OwnFiles
from cms.resources.addresses import AddressRewriter, rewrite_addresses
from cms.transfer.exporting.exporter import export_wxr

NEW = "https://other.example:8400"
FILE = "/uploads/2026/11/x.png"
Reopen = Callable[..., Client]

TEXTS = [
    f'<img src="{URL}{FILE}" alt="" />', f"<p>See {URL}{FILE}.</p>", f'<a href="{URL}{FILE}?a=1#b">x</a>',
    f'<img src="{URL}{FILE}" srcset="{URL}{FILE} 1x, {URL}/uploads/y.png 2x" />',
    f'<!-- wp:x {{"url":"{URL}{FILE}"}} --> <p>y</p>',
    '<!-- wp:x {"url":"' + f"{URL}{FILE}".replace("/", r"\/") + '"} --> <p>y</p>',
    f'<div style="background:url({URL}{FILE})">z</div>',
]
OTHERS = [
    f"{URL}/a/", f"{URL}/uploadsx/y.png", f"https://archive.example/web/{URL}{FILE}", "https://elsewhere.example/uploads/x.png",
    "/uploads/2026/11/x.png", "<p>../uploads/ and ./ and /./ and …</p>", "https://cms.example.evil.example/uploads/x.png", "",
    "ftp://cms.example/uploads/x.png", "https://archive.example//cms.example/uploads/x.png", "//cms.example/Uploads/x.png",
    "//www.cms.example/uploads/x.png", "/cms.example/uploads/x.png",
]


@pytest.fixture
def reopen(make_client: Callable[..., Client]) -> Any:
    """Open a client's site under another address."""
    made: list[Client] = []

    def make(client: Client, url: str, **config: Any) -> Client:
        folder: Path = client.site.config.instance
        made.append(Client(folder, url=url, **config))
        made[-1].accounts |= client.accounts
        return made[-1]

    yield make
    for each in made:
        each.site.close()


def post_of(client: Client, id: int) -> Any:
    return client.get(f"/posts/{id}?context=edit", "administrator").json


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_read_as_it_was_sent_and_follows_the_site(client: Client, reopen: Reopen, text: str) -> None:
    made = client.new("/posts", "administrator", title="Post", status="publish", content=text, excerpt=text)
    comment = client.new("/comments", "administrator", post=made["id"], content=text)
    before = post_of(client, made["id"])
    stored = client.site.stores.content.find(made["id"])

    after = post_of(reopen(client, NEW), made["id"])

    assert (before["content"]["raw"], before["excerpt"]["raw"]) == (text, text)
    assert comment["content"]["raw"] == text
    moved = {URL: NEW, URL.replace("/", r"\/"): NEW.replace("/", r"\/")}
    for name in ("content", "excerpt"):
        for form in ("raw", "rendered"):
            wanted = before[name][form]
            for old, new in moved.items():
                wanted = wanted.replace(old, new)
            assert after[name][form] == wanted
    assert stored is not None
    assert not [value for value in dict(stored).values() if isinstance(value, str) and "cms.example" in value]
    assert "/uploads/./" not in str(after) + str(before)


FORMS = [
    (f"https://cms.example{FILE}", f"{URL}{FILE}"), (f"//cms.example{FILE}", f"{URL}{FILE}"),
    (f"HTTP://CMS.Example{FILE}", f"{URL}{FILE}"), (f"url(//cms.example{FILE})", f"url({URL}{FILE})"),
    (r'{"u":"\/\/cms.example\/uploads\/x.png"}', r'{"u":"http:\/\/cms.example\/uploads\/x.png"}'),
    (r'{"j":"http:\\/\\/cms.example\\/uploads\\/x.png"}', r'{"j":"http:\\/\\/cms.example\\/uploads\\/x.png"}'),
]


@pytest.mark.parametrize(("text", "shown"), FORMS)
def test_an_address_is_known_by_either_scheme_and_without_one(text: str, shown: str) -> None:
    files = OwnFiles(f"{URL}/uploads/")

    assert "cms.example" not in files.store(text).lower()
    assert files.show(files.store(text)) == shown


@pytest.mark.parametrize("text", OTHERS)
def test_other_addresses_stay_as_they_are(text: str) -> None:
    files = OwnFiles(f"{URL}/uploads/")

    assert files.store(text) == text
    assert files.show(text) == text


@pytest.mark.parametrize("text", TEXTS)
def test_a_stored_text_stays_when_it_is_stored_again(text: str) -> None:
    files = OwnFiles(f"{URL}/uploads/")

    assert files.store(files.store(text)) == files.store(text)
    assert files.show(files.store(text)) == text
    assert "cms.example" not in files.store(text)


def test_a_site_below_a_prefix_and_one_beside_it_read_the_same() -> None:
    stored = OwnFiles("https://a.example/uploads/").store('<img src="https://a.example/uploads/x.png">')

    assert OwnFiles("https://b.example/backend/uploads/").show(stored) == '<img src="https://b.example/backend/uploads/x.png">'


def test_comments_and_revisions_follow_the_site(client: Client, reopen: Reopen) -> None:
    text = TEXTS[0]
    made = client.new("/posts", "administrator", title="Post", status="publish", content="First")
    client.post(f"/posts/{made['id']}", {"content": text}, "administrator")
    comment = client.new("/comments", "administrator", post=made["id"], content=f"see {URL}{FILE}")

    moved = reopen(client, NEW)
    paths = (f"/posts/{made['id']}", f"/posts/{made['id']}/revisions", f"/comments/{comment['id']}")
    for path in paths:
        answer = moved.get(f"{path}?context=edit&_fields=content", "administrator").get_data(as_text=True)
        assert f"{NEW}{FILE}" in answer
        assert URL not in answer
        assert "/uploads/./" not in answer


def test_a_write_without_the_right_to_any_markup_keeps_the_addresses(client: Client, reopen: Reopen) -> None:
    made = client.new("/posts", "author", title="Post", content=TEXTS[0])

    moved = reopen(client, NEW)
    moved.post(f"/posts/{made['id']}", {"title": "Other"}, "author")

    assert post_of(moved, made["id"])["content"]["raw"] == TEXTS[0].replace(URL, NEW)


def test_html_of_older_rules_follows_the_site_too(client: Client, reopen: Reopen) -> None:
    made = client.new("/posts", "administrator", title="Post", status="publish", content=TEXTS[0])
    client.site.database.execute("UPDATE content SET rendered_by = 'older', content_html = ''")

    assert f'src="{NEW}{FILE}"' in reopen(client, NEW).get(f"/posts/{made['id']}").json["content"]["rendered"]


def test_an_export_has_full_addresses(client: Client, reopen: Reopen) -> None:
    made = client.new("/posts", "administrator", title="Post", status="publish", content=TEXTS[0], excerpt=TEXTS[1])
    client.new("/comments", "administrator", post=made["id"], content=TEXTS[2])
    file = io.BytesIO()

    export_wxr(reopen(client, NEW).site, file)

    text = file.getvalue().decode()
    assert text.count(f"{NEW}{FILE}") >= 3
    assert "/uploads/./" not in text
    assert f"{URL}/uploads/" not in text


@pytest.mark.parametrize(("old", "new", "shown"), [
    (f"{URL}/uploads", "https://cdn.example/files", "https://cdn.example/files/2026/11/x.png"),
    (f"{URL}/uploads/2026", "https://cdn.example/files", "https://cdn.example/files/11/x.png"),
    (f"{URL}/uploads/2025", "https://cdn.example/files", f"{URL}{FILE}"),
    (URL, "https://www.example.org", f"{URL}{FILE}"),
])
def test_rewriting_reaches_files_where_it_names_them(client: Client, old: str, new: str, shown: str) -> None:
    made = client.new("/posts", "administrator", title="Post", content=TEXTS[0], excerpt=TEXTS[5])

    rewriter = AddressRewriter(old, new)
    changed = rewrite_addresses(client.site, rewriter, dry=False)

    assert shown in post_of(client, made["id"])["content"]["raw"]
    reached = f"{URL}{FILE}" != shown
    assert changed.get("content", 0) == reached
    assert "https://cdn.example/files" in post_of(client, made["id"])["excerpt"]["raw"].replace("\\/", "/") or not reached


def test_rewriting_old_addresses_to_the_site_lets_them_follow_it(client: Client, reopen: Reopen) -> None:
    made = client.new("/posts", "administrator", title="Post", content=f'<img src="http://old.example{FILE}">')
    rewrite_addresses(client.site, AddressRewriter("http://old.example", URL), dry=False)

    assert post_of(reopen(client, NEW), made["id"])["content"]["raw"] == f'<img src="{NEW}{FILE}">'


def test_reading_costs_no_statement_more(client: Client) -> None:
    client.new("/posts", "administrator", title="Post", status="publish", content="Text")
    client.get("/posts")
    before = client.statements(lambda: client.get("/posts"))
    client.new("/posts", "administrator", title="Post", status="publish", content=TEXTS[0])
    client.get("/posts")

    assert len(client.statements(lambda: client.get("/posts"))) == len(before)


FIELDS = """
from cms.plugin import List, Object, String
@hookimpl
def register_fields():
    return {resource: {
        "cover": String(_("A picture."), format="uri", default="", filterable=True),
        "pictures": List(_("Pictures."), items=String(_("A picture.")), default=[]),
    } for resource in ("post", "category", "user", "comment")}
"""
PICTURE = f"{URL}{FILE}"


@pytest.mark.parametrize("sent", [PICTURE, f"https://cms.example{FILE}", f"//cms.example{FILE}"])
@pytest.mark.parametrize(("path", "new", "fields"), [
    ("/posts", {"title": "Post", "status": "publish"}, ("cover", "pictures")),
    ("/categories", {"name": "C"}, ("description", "cover", "pictures")),
    ("/users", {"username": "u", "email": "u@example.org", "password": "long enough word"}, ("description", "url", "cover", "pictures")),
    ("/comments", {"status": "approved", "content": "Text", "author_name": "A", "author_email": "a@example.org"}, ("author_url", "cover", "pictures")),
    ("/menu-items", {"title": "Item", "status": "publish"}, ("url",)),
])
def test_all_that_is_stored_of_an_item_follows_the_site(
    extended: Callable[..., Client], reopen: Reopen, path: str, new: dict[str, str], fields: tuple[str, ...], sent: str
) -> None:
    client = extended(FIELDS)
    plugins = [*client.site.config["plugins"], "menus"]
    cms = ["--instance", str(client.site.config.instance), "migrate"]
    assert CliRunner().invoke(main, cms, env={"CMS_PLUGINS": "menus"}).exit_code == 0
    client = reopen(client, URL, plugins=plugins)
    values: dict[str, Any] = {name: [sent] if name == "pictures" else sent for name in fields}
    if path == "/comments":
        new = {**new, "post": client.new("/posts", "administrator", title="P", status="publish")["id"]}
    made = client.new(path, "administrator", **new, **values)
    address = f"{path}/{made['id']}?context=edit&_fields={','.join(fields)}"

    before, after = (each.get(address, "administrator").json for each in (client, reopen(client, NEW, plugins=plugins)))

    assert before == {name: [PICTURE] if name == "pictures" else PICTURE for name in fields}
    assert after == {name: [NEW + FILE] if name == "pictures" else NEW + FILE for name in fields}
    assert {name: made[name] for name in fields} == before
    for table in ("content", "terms", "users", "comments"):
        for row in client.site.database.rows(f"SELECT * FROM {table}"):
            assert not [value for name, value in row.items() if name not in ("email", "guid") and f"cms.example{FILE}" in str(value)]
    if "cover" in fields:
        found = client.get(f"{path}?context=edit&cover={sent}", "administrator").json
        assert [item["id"] for item in found] == [made["id"]]


def test_an_export_has_full_addresses_in_all_values(extended: Callable[..., Client], reopen: Reopen) -> None:
    client = extended(FIELDS)
    post = client.new("/posts", "administrator", title="Post", status="publish", cover=PICTURE, pictures=[PICTURE])
    client.new("/categories", "administrator", name="C", description=PICTURE, cover=PICTURE)
    client.post(f"/users/{client.id_of('author')}", {"url": PICTURE, "description": PICTURE, "cover": PICTURE}, "administrator")
    client.new("/comments", "administrator", post=post["id"], content="Text", author_name="A", author_email="a@example.org",
               author_url=PICTURE)
    file = io.BytesIO()

    export_wxr(reopen(client, NEW, plugins=client.site.config["plugins"]).site, file)

    text = file.getvalue().decode()
    assert text.count(f"{NEW}{FILE}") >= 8
    assert "/uploads/./" not in text
    assert f"{URL}/uploads/" not in text
