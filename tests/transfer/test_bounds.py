"""Texts and values of an export that the interface wouldn't take: cut, left out or dropped, and always named."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from sites import Client
from transfer.conftest import CHANNEL
from transfer.test_attachments import META, attachment
from transfer.test_import_rules import category, item, texts
from transfer.test_references import bring_to

from cms.transfer.importing.importer import Report, import_wxr

Import = Callable[[str], Report]
CONTENT = "<content:encoded><![CDATA[{}]]></content:encoded>"
EXCERPT = "<excerpt:encoded><![CDATA[{}]]></excerpt:encoded>"


def person(login: str = "ann", **fields: str) -> str:
    inner = "".join(f"<wp:author_{name}><![CDATA[{value}]]></wp:author_{name}>" for name, value in fields.items())
    return f"<wp:author><wp:author_login>{login}</wp:author_login>{inner}</wp:author>"


def comment(**fields: str) -> str:
    given = {"id": "1", "author": "Eve", "author_email": "eve@example.org", "date_gmt": "2020-01-01 00:00:00",
             "content": "Said", "approved": "1"} | fields
    inner = "".join(f"<wp:comment_{name}><![CDATA[{value}]]></wp:comment_{name}>" for name, value in given.items())
    return item(7, inner=f"<wp:comment>{inner}</wp:comment>")


#: Collection and field, the file with a text in it, how many characters or bytes the text may have, what is told.
CUT: list[tuple[str, str, Callable[[str], str], int, str]] = [
    ("posts", "title", lambda text: item(7).replace("Title", f"<![CDATA[{text}]]>"), 65_535, "its title"),
    ("posts", "excerpt", lambda text: item(7, inner=EXCERPT.format(text)), 65_535, "its excerpt"),
    ("pages", "excerpt", lambda text: item(7, post_type="page", inner=EXCERPT.format(text)), 65_535, "its excerpt"),
    ("posts", "password", lambda text: item(7, post_password=f"<![CDATA[{text}]]>"), 255, "its password"),
    ("media", "title", lambda text: attachment(7, "a.jpg").replace("Title", f"<![CDATA[{text}]]>"), 65_535,
     "its title"),
    ("media", "caption", lambda text: attachment(7, "a.jpg", inner=EXCERPT.format(text)), 65_535, "its caption"),
    ("media", "description", lambda text: attachment(7, "a.jpg", inner=CONTENT.format(text)), 2_000_000,
     "its description"),
    ("media", "alt_text", lambda text: attachment(7, "a.jpg", inner=META.format(
        "_wp_attachment_image_alt", text)), 65_535, "its alternative text"),
    ("categories", "name", lambda text: category("long", name=text), 200, "the name of the category"),
    ("categories", "description", lambda text: category("long", description=text), 65_535, "the description of"),
    ("users", "name", lambda text: person(display_name=text), 250, 'the name of "ann"'),
    ("users", "first_name", lambda text: person(first_name=text), 250, 'the first name of "ann"'),
    ("users", "last_name", lambda text: person(last_name=text), 250, 'the last name of "ann"'),
    ("comments", "author_name", lambda text: comment(author=text), 245, "the name of a comment's author"),
    ("comments", "content", lambda text: comment(content=text), 65_525, "a comment"),
]
#: What a text consists of: wide letters, what cleaning makes longer, and markup that a cut may open.
SIGNS = {"wide": "字", "escaped": "&amp;", "bare": "& ", "markup": f"<b>{'x' * 500}</b> "}


@pytest.fixture
def importing(client: Client, tmp_path: Path) -> Import:
    return lambda body: bring_to(client, tmp_path, body)


def by_slug(client: Client, collection: str, slug: str) -> list[dict[str, Any]]:
    return list(client.get(f"/{collection}", query_string={"slug": slug}).json)


def one_of(client: Client, collection: str) -> dict[str, Any]:
    found = client.get(f"/{collection}", "administrator", query_string={
        "context": "edit", "per_page": 100, "order": "desc", "orderby": "date_gmt" if collection == "comments" else "id"})
    rows = [row for row in found.json if row.get("slug") in ("long", "ann", "p7", None) or row["id"] == 7]
    return dict(rows[0])


#: All of them with the widest letter and one other sign by turns; of the longest texts one is enough.
CASES = []
for case, other in zip(CUT, cycle(("escaped", "bare", "markup")), strict=False):
    CASES += [(*case, name) for name in ("wide", other) if case[3] < 100_000 or name == "wide"]


@pytest.mark.parametrize(("collection", "field", "write", "most", "told", "sign"), CASES,
                         ids=[f"{case[0]}-{case[1]}-{case[5]}" for case in CASES])
def test_a_text_that_is_too_long_is_cut_and_named(
        client: Client, importing: Import, collection: str, field: str, write: Callable[[str], str], most: int,
        told: str, sign: str) -> None:
    report = importing(write(SIGNS[sign] * (most // len(SIGNS[sign]) + 100)))

    row = one_of(client, collection)
    value = row[field]["raw"] if isinstance(row[field], dict) else row[field]
    said = [notice for notice in report.notices if f"more than the {most} that one may have; it was cut" in notice.text]
    assert len(said) == 1, texts(report)
    assert said[0].text.startswith(told)
    assert len(value.encode()) > most // 10
    sent = client.post(f"/{collection}/{row['id']}", {field: value}, "administrator")
    assert sent.status_code == 200, sent.text


def test_an_item_whose_text_is_too_long_is_left_out_by_name(client: Client, importing: Import) -> None:
    said = "<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>C</wp:comment_content></wp:comment>"
    whole, beyond = CONTENT.format("a" * 2_000_000), CONTENT.format("a" * 2_000_001)
    report = importing(item(7, inner=whole) + item(8, inner=beyond + said) + item(9, post_type="page", post_parent="10")
                       + item(10, post_type="page", inner=beyond))

    assert report.imported == {"post": 1, "page": 1, "user": 1}
    assert report.left_out == {("post", "its text is too long"): 1, ("page", "its text is too long"): 1,
                               ("comment", "what they stand on isn't imported"): 1}
    named = [notice for notice in report.notices if "was left out" in notice.text]
    assert [notice.item for notice in named] == [8, 10]
    assert named[0].text.startswith('"Title" was left out: its text has 2000001 bytes, more than the 2000000 that one')
    assert by_slug(client, "posts", "p8") == []
    [post] = by_slug(client, "posts", "p7")
    assert client.post(f"/posts/{post['id']}", {"content": "a" * 2_000_000}).status_code == 200
    assert by_slug(client, "pages", "p9")[0]["parent"] == 0

    importing(item(8, inner=CONTENT.format("Short") + said) + item(10, post_type="page"))

    assert by_slug(client, "posts", "p8")[0]["content"]["rendered"] == "<p>Short</p>\n"
    assert by_slug(client, "pages", "p9")[0]["parent"] == by_slug(client, "pages", "p10")[0]["id"]


#: Field of a comment, what the file says, what is stored, what is told.
VALUES = [
    ("author_email", "eve@example.org", "eve@example.org", ""),
    ("author_email", "eve at home", "", "isn't an e-mail address"),
    ("author_email", f"{'e' * 100}@example.org", "", "isn't an e-mail address"),
    ("author_url", "https://eve.example/?a=1&b", "https://eve.example/?a=1&amp;b", ""),
    ("author_url", f"https://eve.example/{'e' * 200}", "", "is no address of an author's site"),
    ("author_ip", "192.0.2.1", "192.0.2.1", ""), ("author_ip", "2001:DB8::0:1", "2001:db8::1", ""),
    ("author_ip", "", "", ""), ("author_ip", "192.0.2.1, 10.0.0.1", "", "isn't an IP address"),
    ("author_ip", "999.0.0.1", "", "isn't an IP address"), ("author_ip", "localhost", "", "isn't an IP address"),
]


@pytest.mark.parametrize(("field", "given", "kept", "told"), VALUES)
def test_addresses_that_comments_can_t_have_are_dropped_and_named(
        client: Client, importing: Import, field: str, given: str, kept: str, told: str) -> None:
    report = importing(comment(**{{"author_ip": "author_IP"}.get(field, field): given}))

    row = one_of(client, "comments")
    assert row[field] == kept
    assert told in texts(report) if told else "of a comment" not in texts(report)
    assert client.post(f"/comments/{row['id']}", {field: kept}, "administrator").status_code == 200


def test_a_title_of_the_site_that_is_too_long_is_cut_and_named(client: Client, tmp_path: Path) -> None:
    client.site.database.execute("DELETE FROM options")
    path = tmp_path / "export.xml"
    path.write_text(CHANNEL.format("").replace("Old site", "字" * 30_000), "utf-8")
    report = import_wxr(client.site, path)

    title = client.get("/settings", "administrator").json["title"]
    assert len(title) == 65_535 // 3
    assert "the site's title has 90000 bytes" in texts(report)
    assert client.post("/settings", {"title": title}, "administrator").status_code == 200
