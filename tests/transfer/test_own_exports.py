"""What imports make of the element that only exports of this system have, and of what an export says of its site."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sites import Client

from cms.site import Site
from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing.importer import Report, import_wxr

HEAD = """<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:cms="urn:headless-cms:export:1">
<channel><title>Old &amp; “far”</title><description>It's <![CDATA[<b>]]></description><language>{language}</language>
<wp:base_blog_url>https://old.example</wp:base_blog_url>{more}"""
AUTHOR = "<wp:author><wp:author_login>ann</wp:author_login>{}</wp:author>"
TERM = ("<wp:category><wp:category_nicename>x</wp:category_nicename><wp:cat_name>X</wp:cat_name>{}</wp:category>")
COMMENT = "<wp:comment><wp:comment_content>Yes</wp:comment_content>{}</wp:comment>"
ITEM = ("<item><title>Title</title><dc:creator>ann</dc:creator><wp:post_id>7</wp:post_id><wp:post_type>post</wp:post_type>"
        "<wp:status>publish</wp:status><wp:post_date>2020-01-01 12:00:00</wp:post_date>{}</item>")
Bring = Callable[..., Report]


def more(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return f"<cms:more><![CDATA[{text}]]></cms:more>"


@pytest.fixture
def bring(site: Site, tmp_path: Path) -> Bring:
    def run(body: str = "", language: str = "en-US", head: Any = None) -> Report:
        path = tmp_path / "own.xml"
        opening = HEAD.format(language=language, more=more(head) if head is not None else "")
        path.write_text(f"{opening}{body}</channel></rss>", "utf-8")
        return import_wxr(site, path)

    return run


def only(site: Site, table: str) -> dict[str, Any]:
    row = site.database.row(f"SELECT * FROM {table} ORDER BY id DESC LIMIT 1")
    assert row is not None
    return dict(row)


def test_a_new_site_takes_name_language_and_zone(site: Site, bring: Bring) -> None:
    report = bring(language="id", head={"timezone": "Asia/Jakarta"})

    taken = {"title": "Old &amp; “far”", "description": "It&#039;s &lt;b&gt;", "language": "id_ID",
             "timezone": "Asia/Jakarta"}
    assert report.settings == report.as_dict()["settings"] == taken
    assert {name: site.settings[name] for name in taken} == taken


def test_what_was_set_before_stays(site: Site, bring: Bring) -> None:
    site.settings.write({"title": "Mine", "description": "", "timezone": "Europe/Berlin"})

    assert bring(language="de-DE", head={"timezone": "Asia/Jakarta"}).settings == {}
    assert (site.settings["title"], site.settings["description"]) == ("Mine", "")
    assert (site.settings["timezone"], site.settings["language"]) == ("Europe/Berlin", "en_US")


def test_an_import_that_fails_takes_nothing(site: Site, bring: Bring, monkeypatch: pytest.MonkeyPatch) -> None:
    before = dict(site.settings.all())
    monkeypatch.setattr(type(site.outbox), "record", lambda *given: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        bring()
    assert dict(site.settings.all()) == before


@pytest.mark.parametrize(("head", "date"), [
    (None, "2020-01-01T12:00:00"), ({"timezone": "Asia/Jakarta"}, "2020-01-01T05:00:00"),
    ({"timezone": "Mars/Base"}, "2020-01-01T12:00:00"), ({"timezone": 7}, "2020-01-01T12:00:00"),
])
def test_local_dates_are_of_the_zone_that_the_export_names(site: Site, bring: Bring, head: Any, date: str) -> None:
    site.settings.write({"timezone": "UTC"})
    bring(ITEM.format(""), head=head)
    assert only(site, "content")["date_gmt"] == date


@pytest.mark.parametrize(("head", "count"), [(None, 1), ({"exact": True}, 0), ({"exact": "yes"}, 1), ([], 1), ("{", 1)])
def test_a_post_without_a_category_stays_without_one_where_the_export_says_all(
        site: Site, bring: Bring, head: Any, count: int) -> None:
    bring(ITEM.format(""), head=head)
    assert len(site.database.rows("SELECT 1 FROM content_terms")) == count


def test_a_default_category_that_nobody_touched_takes_the_name_in_the_file(site: Site, bring: Bring) -> None:
    term = ("<wp:category><wp:category_nicename>uncategorized</wp:category_nicename><wp:cat_name>General</wp:cat_name>"
            "<wp:category_description>All else</wp:category_description></wp:category>")
    report = bring(term)
    assert (report.known, report.imported) == ({"category": 1}, {})
    assert [only(site, "terms")[name] for name in ("id", "name", "sort_name", "description")] == [
        1, "General", "general", "All else"]
    site.database.execute("UPDATE terms SET name = 'Mine', version = 2")
    bring(term, head={"exact": True})
    assert only(site, "terms")["name"] == "Mine"


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", '"x"', '{"a": "\\ud800"}', "[" * 100_000, "{}x"])
def test_what_cannot_be_read_is_told_and_left_out(site: Site, bring: Bring, text: str) -> None:
    report = bring(AUTHOR.format(more(text)) + TERM.format(more(text)) + ITEM.format(more(text) + COMMENT.format(more(text))),
                   head=text)

    assert report.imported == {"user": 1, "category": 1, "post": 1, "comment": 1}
    told = [notice.text for notice in report.notices if "cms:more" in notice.text]
    assert len(told) == 5
    assert {told[0]} == {"cms:more can't be read and was left out"}


ODD: dict[str, Any] = {
    "slug": 7, "nickname": ["x"], "url": "javascript:x", "description": {"a": 1}, "locale": "xx_XX", "agent": 4.5,
    "registered_gmt": "yesterday", "texts": {"title": 7, "wp:author_login": None}, "meta": ["x"], "mime_type": 1,
    "roles": ["administrator"], "password_hash": "x", "id": 1, "source_site": "x",
}


def test_values_of_other_kinds_count_as_none(site: Site, bring: Bring) -> None:
    before = site.now()
    report = bring(AUTHOR.format(more(ODD)) + TERM.format(more(ODD)) + ITEM.format(more(ODD) + COMMENT.format(more(ODD))),
                   head=ODD)

    assert report.imported == {"user": 1, "category": 1, "post": 1, "comment": 1}
    user = only(site, "users")
    assert (user["slug"], user["nickname"], user["url"], user["description"], user["locale"]) == ("ann", "ann", "", "", "")
    assert (user["roles"], user["password_hash"], user["meta"]) == ('["author"]', "!", "{}")
    assert user["registered_gmt"] >= before
    assert (only(site, "content")["title"], only(site, "content")["meta"]) == ("Title", "{}")
    assert only(site, "comments")["author_user_agent"] == ""


def test_texts_beside_the_format_are_cleaned_as_those_of_the_api(site: Site, bring: Bring) -> None:
    values = {"description": "<script>x</script><em>ok</em>", "agent": "A & <b>B</b>" + "c" * 300}
    report = bring(AUTHOR.format(more(values)) + ITEM.format(COMMENT.format(more(values))))

    description = only(site, "users")["description"]
    assert "<script" not in description
    assert "<em>ok</em>" in description
    assert [notice.text.count("script (1)") for notice in report.notices if "description of" in notice.text] == [1]
    assert only(site, "comments")["author_user_agent"] == ("A & B" + "c" * 300)[:254]


def test_no_file_makes_anybody_more_than_an_author(site: Site, bring: Bring) -> None:
    bring(AUTHOR.format(more({"roles": ["administrator"], "meta": {"roles": ["administrator"]}})), head={"exact": True})
    assert only(site, "users")["roles"] == '["author"]'


def test_a_second_import_of_an_export_adds_nothing(full: Client, make_client: Callable[..., Client], tmp_path: Path) -> None:
    path = tmp_path / "export.xml"
    with path.open("wb") as file:
        export_wxr(full.site, file)
    second = make_client()
    first = import_wxr(second.site, path)
    again = import_wxr(second.site, path)

    assert again.imported == {}
    assert {kind: number for kind, number in again.known.items() if kind not in ("user", "category")} == {
        kind: number for kind, number in first.imported.items() if kind not in ("user", "category")}
