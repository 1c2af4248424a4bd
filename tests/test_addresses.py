"""Which addresses people may give for links, whatever takes them, and how plain texts are stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from media.uploading import read, send_raw
from sites import Client

KEPT = ("https://example.org/", "http://example.org/a?b=1", "ftp://files.example.org/x", "mailto:me@example.org",
        "tel:+62-21-555", "sms:+6221555", "HTTPS://example.org/Übersicht", "xmpp:me@example.org")
REFUSED = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)", " javascript:alert(1)",
    "javascript&colon;alert(1)", "&#106;avascript:alert(1)", "&#x6a;avascript:alert(1)", "&#0000106avascript:alert(1)",
    "java&Tab;script&colon;alert(1)", "java&NewLine;script:alert(1)", "javascript%3Aalert(1)", "%6aavascript:alert(1)",
    "&amp;#106;avascript:alert(1)", "javascript&amp;colon;alert(1)", "%26%23106;avascript:alert(1)", "vbscript:x",
    "data:text/html,x", "file:///etc/passwd", "blob:https://example.org/1", "view-source:https://example.org/", "about:blank",
    "unknown:x", "http:", "mailto:",
)
TAKES_URI = """
@hookimpl
def register_fields(content_registry):
    from cms.schema.fields import ALWAYS, String
    return {"post": {"source": String(_("Source."), ALWAYS, default="", format="uri")}}
"""


@pytest.mark.parametrize("sent", KEPT)
def test_addresses_of_known_schemes_are_kept(extended: Callable[..., Client], sent: str) -> None:
    client = extended(TAKES_URI)
    assert client.post("/users/me", {"url": sent}, "author").json["url"] == sent
    post = client.new("/posts", title="Item", status="publish", source=sent)
    assert post["source"] == sent
    comment = client.new("/comments", "administrator", post=post["id"], content="C", author_name="N",
                         author_email="n@example.org", author_url=sent)
    assert comment["author_url"] == sent


@pytest.mark.parametrize("sent", REFUSED)
def test_addresses_of_other_schemes_are_dropped_where_that_is_recorded_and_refused_elsewhere(
        extended: Callable[..., Client], sent: str) -> None:
    client = extended(TAKES_URI)
    before = client.post("/users/me", {"url": "https://example.org/"}, "author").json["url"]
    assert before == "https://example.org/"

    assert client.post("/users/me", {"url": sent}, "author").json["url"] == ""
    post = client.new("/posts", title="Item", status="publish")
    comment = client.new("/comments", "administrator", post=post["id"], content="C", author_name="N",
                         author_email="n@example.org", author_url=sent)
    assert comment["author_url"] == ""
    refused = client.post(f"/posts/{post['id']}", {"source": sent})
    assert (refused.status_code, list(refused.json["data"]["params"])) == (400, ["source"])
    assert "https:" in refused.json["data"]["params"]["source"]


@pytest.mark.parametrize(("sent", "stored"), [
    ("example.org", "http://example.org"), ("//example.org/x", "http://example.org/x"), ("", ""), ("http://", ""),
    ("example.org:8080/x", "http://example.org:8080/x"), ("localhost:8000", "http://localhost:8000"),
    ("http://example.org/?a=javascript:x&copy=1", "http://example.org/?a=javascript:x&copy=1"),
])
def test_an_address_without_a_scheme_is_that_of_a_host(client: Client, sent: str, stored: str) -> None:
    assert client.post("/users/me", {"url": sent}, "author").json["url"] == stored


PLAIN = ("Fish & chips", "R&D", "a &amp; b", "\"quoted\" 'single'", "5 > 4", "© 2020 – Ü", "&lt;b&gt;")


@pytest.mark.parametrize("text", PLAIN)
def test_plain_texts_are_stored_as_they_are_and_escaped_in_html(client: Client, text: str) -> None:
    for role in ("author", "editor"):
        id = send_raw(client, "a.txt", b"text", role).json["id"]
        for _time in range(2):  # what was read and is written back stays
            text_now = client.post(f"/media/{id}", {"alt_text": text}, role).json["alt_text"]
            assert text_now == client.get(f"/media/{id}").json["alt_text"] == text
    post = client.new("/posts", title="Item", status="publish")["id"]
    comment: dict[str, Any] = client.new("/comments", "administrator", post=post, content="C", author_user_agent=text)
    assert comment["author_user_agent"] == text


def test_the_name_of_a_program_is_cut_to_length(client: Client) -> None:
    post = client.new("/posts", title="Item", status="publish")["id"]
    comment = client.new("/comments", "administrator", post=post, content="C", author_user_agent="a" * 300)
    changed = client.post(f"/comments/{comment['id']}", {"author_user_agent": "b" * 300}, "administrator").json

    assert (comment["author_user_agent"], changed["author_user_agent"]) == ("a" * 254, "b" * 254)


@pytest.mark.parametrize(("sent", "stored"), [
    ("<b>Bold</b> move", "Bold move"), ("x <script>alert(1)</script>", "x"), ("a\n b\t c\x1fd\x7fe", "a b cd e"),
])
def test_markup_in_plain_texts_goes(client: Client, sent: str, stored: str) -> None:
    id = send_raw(client, "a.txt", b"text", "editor").json["id"]

    assert client.post(f"/media/{id}", {"alt_text": sent}).json["alt_text"].replace("&lt;", "") == stored


def test_an_alternative_text_is_escaped_in_the_html_of_its_picture(client: Client) -> None:
    id = send_raw(client, "harbour.png", read("harbour.png"), "editor").json["id"]
    html = client.post(f"/media/{id}", {"alt_text": 'A & "B" < C'}).json["description"]["rendered"]

    assert 'alt="A &amp; &quot;B&quot; &lt; C"' in html


@pytest.mark.parametrize("way", ["same status", "no status"])
def test_a_slug_that_is_sent_in_the_trash_counts_when_the_item_comes_back(client: Client, way: str) -> None:
    for path in ("posts", "pages"):
        item = client.new(f"/{path}", title="Old", status="publish", slug="old")["id"]
        client.delete(f"/{path}/{item}")
        status = {"status": "trash"} if way == "same status" else {}

        sent = client.post(f"/{path}/{item}", {"slug": "brand new", **status})

        assert (sent.json["status"], sent.json["slug"]) == ("trash", "brand-new__trashed")
        again = client.post(f"/{path}/{item}", {"slug": sent.json["slug"], **status}).json["slug"]
        assert again == "brand-new__trashed"
        taken = client.new(f"/{path}", title="Other", status="publish", slug="brand-new")
        assert taken["slug"] == "brand-new"
        assert client.post(f"/{path}/{item}", {"status": "publish"}).json["slug"] == "brand-new-2"


@pytest.mark.parametrize("sent", ["Élan  vital.pdf", "a--b", "x&y", "c__trashed"])
def test_a_slug_that_is_sent_in_the_trash_is_cleaned_as_any_other(client: Client, sent: str) -> None:
    item = client.new("/posts", title="Old", status="publish", slug="old")["id"]
    usual = client.new("/posts", title="Other", status="publish", slug=sent.removesuffix("__trashed"))["slug"]
    client.delete(f"/posts/{item}")

    assert client.post(f"/posts/{item}", {"slug": sent}).json["slug"] == f"{usual}__trashed"


@pytest.mark.parametrize(("sent", "slug"), [("old__trashed", "old"), ("fresh", "fresh"), ("fresh__trashed", "fresh")])
def test_an_item_that_comes_back_loses_the_mark_of_the_trash(client: Client, sent: str, slug: str) -> None:
    item = client.new("/posts", title="Old", status="publish", slug="old")["id"]
    client.delete(f"/posts/{item}")

    assert client.post(f"/posts/{item}", {"slug": sent, "status": "publish"}).json["slug"] == slug
