"""Imports of one site that name it and its things otherwise: nothing comes twice, nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from transfer.test_import_rules import item, stored, texts

from cms.db.sources import normal_source
from cms.site import Site
from cms.transfer.importing.importer import Report, import_wxr

Bring = Callable[[str], Report]
COMMENT = ("<wp:comment>{number}<wp:comment_author>Bob</wp:comment_author><wp:comment_date_gmt>2020-05-0{day} 10:00:00"
           "</wp:comment_date_gmt><wp:comment_content>{text}</wp:comment_content><wp:comment_approved>1"
           "</wp:comment_approved><wp:comment_parent>{parent}</wp:comment_parent></wp:comment>")


def comment(number: int | None, text: str, day: int = 1, parent: int = 0) -> str:
    told = "" if number is None else f"<wp:comment_id>{number}</wp:comment_id>"
    return COMMENT.format(number=told, text=text, day=day, parent=parent)


def page(id: int, name: str, day: int = 2, inner: str = "", **fields: str) -> str:
    """Write an item with title, slug and date of its own."""
    given = {"post_name": name, "post_date_gmt": f"2020-01-0{day} 03:04:05", **fields}
    return item(id, inner=inner, **given).replace("<title>Title</title>", f"<title>{name}</title>")


def without_number(xml: str) -> str:
    return re.sub(r"<wp:post_id>\d+</wp:post_id>", "", xml)


def slugs(site: Site) -> list[str]:
    return sorted(site.database.column("SELECT slug FROM content"))


@pytest.mark.parametrize(("spelling", "normal"), [
    ("https://old.example", "https://old.example"), ("http://old.example", "https://old.example"),
    ("https://www.old.example", "https://old.example"), ("http://OLD.example/", "https://old.example"),
    ("http://old.example:80", "https://old.example"), ("//old.example//", "https://old.example"),
    ("old.example", "https://old.example"), (" https://old.example ", "https://old.example"),
    ("https://old.example/blog/", "https://old.example/blog"), ("http://old.example:8080", "https://old.example:8080"),
    ("http://me@old.example", "https://old.example"), ("", ""), ("/", ""), ("http://", ""), ("ftp://old.example", ""),
    ("http://[", ""), ("Title", ""), ("A title. Long", ""),
])
def test_a_source_has_one_form_in_all_spellings(spelling: str, normal: str) -> None:
    assert normal_source(spelling) == normal


@pytest.mark.parametrize("spelling", [
    "http://old.example", "https://www.old.example/", "http://WWW.old.example", "https://old.example:443/"])
def test_an_export_under_another_spelling_of_its_address_brings_nothing_twice(
        site: Site, bring: Bring, tmp_path: Path, spelling: str) -> None:
    body = page(1, "one", inner=comment(9, "Yes")) + page(2, "two")
    bring(body)
    path = tmp_path / "export.xml"
    path.write_text(path.read_text("utf-8").replace("https://old.example", spelling), "utf-8")

    report = import_wxr(site, path)

    assert report.imported == {}
    assert (report.known["post"], report.known["comment"]) == (2, 1)


def test_exports_without_an_address_prove_nothing_by_their_numbers(site: Site, bring: Bring, tmp_path: Path) -> None:
    path = tmp_path / "export.xml"

    def bring_nameless(body: str) -> Report:
        bring("")
        text = path.read_text("utf-8").replace("<wp:base_blog_url>https://old.example</wp:base_blog_url>", body)
        path.write_text(text, "utf-8")
        return import_wxr(site, path)

    first = page(1, "one", inner=comment(1, "First")) + page(2, "two", post_type="page", post_parent="3") + page(
        3, "three", post_type="page")
    assert bring_nameless(first).imported["post"] == 1
    other = page(1, "another", day=5, inner=comment(1, "Second")) + page(3, "four", day=6, post_type="page")
    assert bring_nameless(other).imported == {"post": 1, "page": 1, "comment": 1}
    for body in (first, other):
        assert bring_nameless(body).imported == {}
    assert slugs(site) == ["another", "four", "one", "three", "two"]
    parent = "SELECT p.slug FROM content c JOIN content p ON p.id = c.parent_id WHERE c.slug = 'two'"
    assert site.database.scalar(parent) == "three"


def test_numbers_that_begin_anew_lose_and_double_nothing(site: Site, bring: Bring) -> None:
    bring(page(1, "one", inner=comment(1, "On one")) + page(2, "two", day=3))
    moved = page(7, "one", inner=comment(5, "On one")) + page(8, "two", day=3) + page(
        1, "new", day=4, inner=comment(1, "On new"))

    report = bring(moved)

    assert (report.imported, report.known["post"], report.known["comment"]) == ({"post": 1, "comment": 1}, 2, 1)
    assert slugs(site) == ["new", "one", "two"]
    assert bring(moved).imported == {}


def test_an_item_that_was_edited_on_the_old_site_stays_itself(site: Site, bring: Bring) -> None:
    bring(page(1, "one", inner=comment(3, "Fine")))
    for changed in (page(1, "other", day=2), page(1, "one", day=7), page(1, "one", status="draft"),
                    page(1, "one", inner=comment(3, "Edited"))):
        assert bring(changed).imported == {}
    assert slugs(site) == ["one"]


@pytest.mark.parametrize("change", [
    lambda body: body, without_number,
    lambda body: without_number(body).replace("<dc:creator>", "<guid>http://other.example/x</guid><dc:creator>", 1)])
def test_items_without_numbers_are_known_by_what_they_say(
        site: Site, bring: Bring, change: Callable[[str], str]) -> None:
    body = page(1, "one") + page(2, "two", day=3) + page(3, "three", day=3, status="draft")
    first = bring(without_number(body))
    assert first.imported["post"] == 3

    assert bring(change(body)).imported == {}
    assert slugs(site) == ["one", "three", "two"]


def test_items_that_share_a_number_are_told_apart_and_named(site: Site, bring: Bring) -> None:
    body = page(5, "first") + page(5, "second") + page(5, "third", post_type="page") + page(5, "first")

    report = bring(body)

    assert (report.imported["post"], report.imported["page"]) == (2, 1)
    assert slugs(site) == ["first", "second", "third"]
    told = [notice for notice in report.notices if notice.item == 5]
    assert ['"second" has the id' in told[0].text, '"third" has the id' in told[1].text,
            '"first" was left out' in told[2].text] == [True] * 3
    assert bring(body).imported == {}
    assert slugs(site) == ["first", "second", "third"]


@pytest.mark.parametrize(("numbers", "again"), [
    ((1, 1, 1), (1, 1, 1)),            # numbered on each post
    ((None, None, None), (None, None, None)),
    ((1, 2, 3), (7, 8, 9)),            # numbered anew
    ((None, 2, None), (1, 2, 3)),
    ((4, 4, 5), (4, 4, 5)),
])
def test_comments_are_known_by_post_number_and_text(
        site: Site, bring: Bring, numbers: tuple[int | None, ...], again: tuple[int | None, ...]) -> None:
    def body(given: tuple[int | None, ...]) -> str:
        return page(1, "one", inner=comment(given[0], "of one")) + page(2, "two", day=3, inner=comment(given[1], "of two")) + (
            page(3, "three", day=4, inner=comment(given[2], "of three", 1) + comment(given[2], "of three too", 2)))

    assert bring(body(numbers)).imported["comment"] == 4
    for given in (numbers, again, again):
        report = bring(body(given))
        assert ("comment" in report.imported, report.known["comment"]) == (False, 4)
    on = site.database.tuples("SELECT c.slug, o.content FROM comments o JOIN content c ON c.id = o.post_id ORDER BY 1, 2")
    assert on == [("one", "of one"), ("three", "of three"), ("three", "of three too"), ("two", "of two")]


def test_two_comments_that_say_the_same_stay_two(site: Site, bring: Bring) -> None:
    body = page(1, "one", inner=comment(None, "+1") + comment(None, "+1"))
    for imported in (2, 0):
        assert bring(body).imported.get("comment", 0) == imported


def test_answers_find_comments_of_earlier_and_later_imports(site: Site, bring: Bring) -> None:
    first, second, third = comment(11, "First"), comment(12, "Second", parent=11), comment(13, "Third", parent=12)
    bring(page(1, "one", inner=first))
    report = bring(page(1, "one", inner=third))
    assert "stands by itself" in texts(report)
    bring(page(1, "one", inner=second))

    threads = site.database.tuples("SELECT o.content, p.content FROM comments o LEFT JOIN comments p ON p.id = o.parent_id"
                                   " ORDER BY o.id")
    assert threads == [("First", None), ("Second", "First"), ("Third", "Second")]
    assert site.database.rows("SELECT * FROM awaited") == []


def test_ids_are_kept_where_they_are_free(site: Site, bring: Bring) -> None:
    term = ("<wp:category><wp:term_id>{}</wp:term_id><wp:category_nicename>{}</wp:category_nicename></wp:category>").format
    author = "<wp:author><wp:author_id>44</wp:author_id><wp:author_login>ann</wp:author_login></wp:author>"
    bring(author + term(70, "x") + page(1148, "late", inner=comment(900, "Yes")))
    bring(term(60, "y") + page(1000, "early", inner=comment(800, "Yes")) + page(3_000_000_000, "far", day=5))

    assert (stored(site, 1148)["id"], stored(site, 1000)["id"]) == (1148, 1000)
    assert stored(site, 3_000_000_000)["id"] == 1149
    assert site.database.column("SELECT id FROM comments ORDER BY id") == [800, 900]
    assert dict(site.database.tuples("SELECT slug, id FROM terms WHERE slug IN ('x', 'y')")) == {"x": 70, "y": 60}
    assert site.database.scalar("SELECT id FROM users WHERE login = 'ann'") == 44


def test_an_id_that_was_used_here_is_not_used_again(site: Site, bring: Bring) -> None:
    with site.database.write():
        id = site.stores.items.insert("content", {"type": "post", "status": "draft", "author_id": 1,
                                                  "date_gmt": site.now(), "modified_gmt": site.now()})
        site.stores.items.delete("content", id)
    bring(page(id, "one") + page(id + 1, "two", day=3))

    assert stored(site, id)["id"] == id + 2
    assert stored(site, id + 1)["id"] == id + 1


def test_what_was_imported_before_there_were_marks_is_known(site: Site, bring: Bring) -> None:
    body = page(1, "one", inner=comment(3, "Fine")) + page(2, "two", day=3)
    bring(body)
    for table in ("content", "comments", "terms", "users"):
        site.database.execute(f"UPDATE {table} SET source_mark = NULL")

    assert bring(body).imported == {}


@pytest.mark.files_only
def test_sources_of_earlier_imports_get_their_normal_form(site: Site, bring: Bring) -> None:
    bring(page(1, "one") + page(2, "two", day=3) + page(3, "three", day=4))
    change = "UPDATE content SET source_site = ?, source_id = ? WHERE slug = ?"
    for values in (("http://www.old.example/", "1", "one"), ("http://old.example", "1", "two"), ("Title", "3", "three")):
        site.database.execute(change, values)

    migration = import_module("cms.db.migrations.0014_sources")
    for table in ("content", "comments", "terms", "users"):
        migration._normalise(site.database.peewee, table)

    found = site.database.tuples("SELECT source_site, slug FROM content ORDER BY slug")
    sources = sorted(source for source, _slug in found)
    assert sources[0] == "Title"
    assert "https://old.example" in sources
    assert set(sources[1:]) & {"http://old.example", "http://www.old.example/"}


@pytest.mark.parametrize(("author", "changed", "twice"), [
    ("Bob", {}, False), ("Bob &amp; Bo", {}, False), ("Bob", {"text": "No"}, True), ("Bob", {"day": 2}, True)])
def test_comments_without_number_and_mark_are_known_by_what_they_say(
        site: Site, bring: Bring, author: str, changed: dict[str, object], twice: bool) -> None:
    def body(text: str = "Yes & no", day: int = 1) -> str:
        said = comment(None, text.replace("&", "&amp;"), day).replace("Bob", author)
        return page(1, "one", inner=said + comment(None, "Other", 3))

    bring(body())
    site.database.execute("UPDATE comments SET source_mark = NULL")

    report = bring(body(**changed))  # type: ignore[arg-type]

    assert report.known.get("comment") == (1 if twice else 2)
    assert site.database.scalar("SELECT COUNT(*) FROM comments WHERE content <> ''") == (3 if twice else 2)
