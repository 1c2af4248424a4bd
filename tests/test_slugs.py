"""One rule for slugs, wherever they come from: how long they are, that lists find them, that written back they stay."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from sites import Client

from cms.db.whole_copy import source_of
from cms.rendering.slugs import MAX_LENGTH, cut_slug
from cms.transfer.importing.importer import import_wxr

FAMILY = "👩‍👩‍👧‍👧"
LONG = {
    "ascii": "w" * 232,
    "words": "word " * 60,
    "japanese": "日本" * 120,
    "decomposed": "ก็" * 120,
    "joined": FAMILY * 40,
    "skin tones": "👍🏽" * 110,
    "a mark at the border": "x" * 199 + "ก็" * 9,
    "hyphen at the border": "x" * 199 + " y" * 9,
}
#: Made by other systems: each is stored, found, written back and exported as it is.
FOREIGN = ["a%e2%80%91b", "%d9%85%db%8c%e2%80%8c%d8%b1%d9%88%d8%af", "%ce%a0%ce%ac%cf%84%cf%81%ce%b1",
           "%e2%80%9cword%e2%80%9d", "v1.2.html", "c--d", "e%cc%81te%cc%81", "caf%c3%a9", "_x_", "~user"]
ITEM = """<item><title>T</title><dc:creator>ann</dc:creator><wp:post_id>{id}</wp:post_id><wp:post_name>{slug}</wp:post_name>
<wp:post_type>{type}</wp:post_type><wp:status>publish</wp:status><wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt></item>"""
TERM = ("<wp:category><wp:category_nicename>{slug}</wp:category_nicename><wp:cat_name>N</wp:cat_name></wp:category>")
HEAD = """<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<wp:wxr_version>1.2</wp:wxr_version><link>https://old.example</link>{}</channel></rss>"""


def create(client: Client, kind: str, text: str, number: int) -> dict[str, str]:
    given = {
        "/posts": {"title": text, "status": "publish"},
        "/pages": {"title": text, "status": "publish", "slug": text},
        "/categories": {"name": text[:50] + str(number), "slug": f"{text}" if number == 0 else None},
        "/tags": {"name": f"{number}{text}"[:200]},
    }[kind]
    return dict(client.new(kind, "administrator", **{name: value for name, value in given.items() if value}))


@pytest.mark.parametrize("kind", ["/posts", "/pages", "/categories", "/tags"])
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_slugs_keep_the_bound_with_their_numbers_and_are_found(client: Client, kind: str, text: str) -> None:
    for number in range(3):
        item = create(client, kind, text, number)
        slug = unquote(item["slug"])
        assert 0 < len(slug) <= MAX_LENGTH
        assert slug.encode().decode() == slug
        found = client.get(f"{kind}?slug={quote(item['slug'])}&hide_empty=false").json
        assert [each["id"] for each in found] == [item["id"]]
        again = client.post(f"{kind}/{item['id']}", {"slug": item["slug"]}, "administrator").json
        assert again["slug"] == item["slug"]


def test_accounts_are_numbered_within_their_shorter_bound(client: Client) -> None:
    logins = ["n" * 58 + ending for ending in ("aa", "ab", "ac")]
    slugs = [client.new("/users", "administrator", username=login, email=f"{login[-2:]}@example.org",
                        password="secret words here")["slug"] for login in logins]
    assert slugs == ["n" * 50, "n" * 48 + "-2", "n" * 48 + "-3"]


def test_python_calls_have_the_same_bound(client: Client) -> None:
    made = [client.site.posts.create(user="admin", title="w" * 232, status="publish") for _number in range(2)]
    assert [item["slug"] for item in made] == ["w" * 200, "w" * 198 + "-2"]


@pytest.mark.parametrize(("text", "most", "cut"), [
    ("abc", 3, "abc"), ("abcd", 3, "abc"), ("ab-c", 3, "ab"), ("aก็ก็", 4, "aก็"), (f"a{FAMILY}", 4, "a"), ("👍🏽👍🏽", 3, "👍🏽"),
    ("\u0301" * 9, 4, "\u0301" * 4),
])
def test_slugs_are_cut_between_characters(text: str, most: int, cut: str) -> None:
    assert cut_slug(text, most) == cut


@pytest.mark.parametrize("slug", FOREIGN)
@pytest.mark.parametrize("type", ["post", "page", "attachment", "category"])
def test_slugs_of_an_export_stay_as_they_were(client: Client, tmp_path: Path, type: str, slug: str) -> None:
    body = TERM.format(slug=slug) if type == "category" else ITEM.format(id=7, slug=slug, type=type)
    path = tmp_path / "export.xml"
    path.write_text(HEAD.format(body), "utf-8")
    report = import_wxr(client.site, path)

    kind = {"post": "/posts", "page": "/pages", "attachment": "/media", "category": "/categories"}[type]
    assert not [notice for notice in report.notices if "slug" in notice.text]
    for sent in (slug, quote(unquote(slug))):
        (item,) = client.get(f"{kind}?slug={sent}&hide_empty=false").json
        assert item["slug"] == slug
    for sent in (slug, unquote(unquote(slug))):
        assert client.post(f"{kind}/{item['id']}", {"slug": sent}, "administrator").json["slug"] == slug


@pytest.mark.parametrize(("sent", "stored"), [
    ("%e3%83%86%e3%82%b9%e3%8", "テス"), ("%e3%83%86%e3", "テ"), ("a/b?c", "abc"), ("a, b", "a-b"), ("ABC", "abc"), ("x" * 300, "x" * 200),
    ("a%e2%80%aeb", "ab"),
])
def test_what_no_slug_can_hold_is_left_out_and_told(client: Client, tmp_path: Path, sent: str, stored: str) -> None:
    path = tmp_path / "export.xml"
    path.write_text(HEAD.format(ITEM.format(id=7, slug=sent, type="post")), "utf-8")
    report = import_wxr(client.site, path)

    (item,) = client.get(f"/posts?slug={quote(stored)}").json
    assert unquote(item["slug"]) == stored
    assert [notice.item for notice in report.notices if "slug" in notice.text] == [7]


def test_a_long_slug_comes_back_from_the_trash_whole(client: Client) -> None:
    item = client.new("/posts", "administrator", title="T", slug="w" * 200, status="publish")
    client.send("DELETE", f"/posts/{item['id']}", "administrator")
    trashed = client.get(f"/posts/{item['id']}?context=edit", "administrator").json["slug"]
    assert [each["id"] for each in client.get(f"/posts?slug={trashed}&status=trash", "administrator").json] == [item["id"]]
    assert client.post(f"/posts/{item['id']}", {"status": "publish"}, "administrator").json["slug"] == "w" * 200


def test_a_term_that_gives_its_slug_back_gets_that_of_a_new_one(client: Client) -> None:
    client.new("/categories", name="Apple")
    fruit = client.new("/categories", name="Fruit")["id"]
    child = client.new("/categories", name="Apple", parent=fruit)
    client.post(f"/categories/{child['id']}", {"slug": "other"})

    assert child["slug"] == "apple-fruit"
    for _time in range(2):
        assert client.post(f"/categories/{child['id']}", {"slug": ""}).json["slug"] == "apple-fruit"


COPIES = """
INSERT INTO content ({columns}, slug) SELECT {columns}, copies.slug FROM content,
(WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT 'news-' || i AS slug FROM n) copies
WHERE content.slug = 'news'
"""


@pytest.mark.parametrize("kind", ["/posts", "/pages"])
def test_a_number_is_found_by_few_looks_however_many_are_taken(client: Client, kind: str) -> None:
    database, made = client.site.database, [client.new(kind, title="News", status="publish")["slug"]]
    with source_of(database) as source:
        names = [name for name in source.tables["content"].columns if name not in ("id", "slug")]
    with database.write():
        database.execute(COPIES.format(columns=", ".join(names)))

    asked = client.statements(lambda: made.append(client.new(kind, title="News", status="publish")["slug"]))

    assert made == ["news", "news-2001"]
    assert 0 < len([sql for sql in asked if "FROM content WHERE slug" in sql]) < 100
    assert not [sql for sql in asked if "slug >" in sql and "slug <" in sql]
    with database.write():
        database.execute("DELETE FROM content WHERE slug = 'news-7'")
    assert client.new(kind, title="News", status="publish")["slug"] == "news-7"
