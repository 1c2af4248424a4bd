"""Reading the fixtures, with progress and flat memory."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import pytest

from cms.transfer.wxr.reader import read
from cms.transfer.wxr.records import (
    AuthorRecord,
    Coauthor,
    ImportRefused,
    ItemRecord,
    Notice,
    Record,
    SiteInfo,
    TermLink,
    TermRecord,
)

FIXTURES = Path(__file__).parent.parent / "data" / "wxr"
Kind = TypeVar("Kind", bound=Record)


def of(kind: type[Kind], records: list[Record]) -> list[Kind]:
    return [record for record in records if isinstance(record, kind)]


def fixture(name: str) -> list[Record]:
    """Read a fixture that gives no notices."""
    notices: list[Notice] = []
    records = list(read(FIXTURES / name, notice=notices.append))
    assert notices == []
    return records


def the_item(records: list[Record]) -> ItemRecord:
    (item,) = of(ItemRecord, records)
    return item


def test_the_theme_unit_test_is_read_whole() -> None:
    records = fixture("theme-unit-test.wxr.xml")
    items = of(ItemRecord, records)
    assert Counter((item.type, item.status) for item in items) == {
        ("post", "publish"): 49, ("post", "future"): 1, ("post", "draft"): 1, ("page", "publish"): 21,
        ("attachment", "inherit"): 38, ("nav_menu_item", "publish"): 70,
    }
    assert Counter(term.taxonomy for term in of(TermRecord, records)) == {
        "category": 67, "post_tag": 110, "nav_menu": 6
    }
    assert sum(len(item.comments) for item in items) == 32
    assert sum(item.attachment_url != "" for item in items) == 38
    assert [author.login for author in of(AuthorRecord, records)] == ["themedemos", "themereviewteam"]
    unlisted = {item.author_login for item in items} - {"themedemos", "themereviewteam"}
    assert unlisted == {"themereviewteam>", ">themereviewteam"}


def test_records_come_in_the_order_of_the_file_with_their_lines() -> None:
    records = fixture("theme-unit-test.wxr.xml")
    assert isinstance(records[0], SiteInfo)
    assert records[0].base_blog_url == "https://wpthemetestdata.wordpress.com"
    assert (records[0].version, records[0].language) == ("1.2", "en")
    lines = [record.line for record in records[1:] if not isinstance(record, SiteInfo)]
    assert lines == sorted(lines)
    source = (FIXTURES / "theme-unit-test.wxr.xml").read_text("utf-8").split("\n")
    assert all("<item>" in source[item.line - 1] for item in of(ItemRecord, records))


def test_formats_stickiness_and_comments_of_the_theme_unit_test() -> None:
    items = of(ItemRecord, fixture("theme-unit-test.wxr.xml"))
    formats = Counter(link.slug for item in items for link in item.terms if link.taxonomy == "post_format")
    assert formats["post-format-aside"] >= 1
    assert formats.total() == 13
    assert [item.title for item in items if item.is_sticky] == ["Template: Sticky"]
    about = next(item for item in items if item.comments and item.comments[0].source_id == 167)
    assert [comment.parent_source_id for comment in about.comments] == [None, None, None, 168]
    assert [comment.approved for comment in about.comments] == ["1", "1", "1", "0"]
    assert about.comments[0].date == datetime(2007, 9, 4, 10, 49, 28)
    assert about.comments[0].date_gmt == datetime(2007, 9, 4, 0, 49, 28)
    assert about.comments[0].email == "anon@example.com"


def test_version_1_0_names_authors_in_items_and_each_term_once() -> None:
    records = fixture("fixture-wxr-1.0.xml")
    items = of(ItemRecord, records)
    assert Counter(item.type for item in items) == {"post": 3, "page": 3}
    assert sum(len(item.comments) for item in items) == 1
    (author,) = of(AuthorRecord, records)
    assert (author.login, author.display_name, author.email, author.source_id) == ("admin", "admin", "", None)
    assert records.index(author) == records.index(items[0]) - 1
    terms = of(TermRecord, records)
    assert Counter(term.taxonomy for term in terms) == {"category": 5, "post_tag": 4}
    assert {term.source_id for term in terms} == {None}
    assert [(term.slug, term.parent_slug) for term in terms if term.parent_slug] == [("child", "parent")]
    alpha = next(item for item in items if item.source_id == 4)
    assert alpha.terms == (
        TermLink("category", "alpha", "alpha"), TermLink("post_tag", "news", "news"),
        TermLink("post_tag", "roar", "roar"),
    )
    assert next(item for item in items if item.source_id == 8).parent_source_id == 10


def test_nested_cdata_joins() -> None:
    item = the_item(fixture("fixture-cdata.xml"))
    assert item.content == "Content with nested <![CDATA[ tags ]]> :)"
    assert dict(item.meta) == {
        "Plain string": "Foo",
        "Closing CDATA": "]]>",
        "Alot of CDATA": "This has <![CDATA[ opening and ]]> closing <![CDATA[ tags like this: ]]>",
    }


def test_several_authors_are_no_terms() -> None:
    items = of(ItemRecord, fixture("fixture-coauthors.xml"))
    alice, bob = Coauthor("alice-smith", "Alice Smith"), Coauthor("bob-jones", "Bob Jones")
    carol = Coauthor("carol-white", "Carol White")
    assert [item.coauthors for item in items] == [(alice, bob), (alice, bob, carol), (bob,), (alice, bob)]
    assert [link for item in items for link in item.terms] == [
        TermLink("post_tag", "collaboration", "Collaboration")
    ]
    assert [item.author_login for item in items] == ["alice-smith", "alice-smith", "bob-jones", "alice-smith"]


def test_serialized_values_stay_text_and_zero_dates_are_none() -> None:
    item = the_item(fixture("fixture-serialized-postmeta.xml"))
    assert item.meta == (
        ("post-options", 'a:2:{s:18:"special_post_title";s:15:"A special title";s:11:"is_calendar";s:0:"";}'),
    )
    assert (item.status, item.slug, item.date_gmt) == ("draft", "", None)
    assert item.date_local == datetime(2009, 10, 20, 16, 13, 20)
    assert item.terms == (TermLink("category", "uncategorized", "Uncategorized"),)


def test_an_export_of_terms_alone_is_read() -> None:
    records = fixture("fixture-term-formats.xml")
    terms = of(TermRecord, records)
    assert [(term.taxonomy, term.source_id) for term in terms] == [
        ("category", 1), ("category", 2), ("post_tag", 3), ("post_tag", 4), ("post_tag", 5),
        ("custom-taxonomy", 6), ("nav_menu", 7),
    ]
    assert terms[2].name == "A Tag!"
    assert of(ItemRecord, records) == []
    assert of(AuthorRecord, records) == []


def test_unusual_characters_stay_unchanged() -> None:
    records = fixture("fixture-unicode.xml")
    (author,) = of(AuthorRecord, records)
    item = the_item(records)
    assert author.login == item.author_login == "admin\u200c\u200b\u200d\u200e"
    assert author.email == "ădmĩn@ℓocalhost.com"
    assert item.title.startswith('"The Road \u202eNot\u202c Taken"')
    assert "&#xD800;&#xDC00;" in item.content
    assert "\ufffd" not in item.content
    assert dict(item.meta)["_special_chars"].endswith("&#xFEFF;&#xFFFD;")
    assert "💫" in item.slug
    assert item.modified_gmt == datetime(2024, 6, 10, 12, 28, 55)


def test_a_doctype_is_refused_before_entities_are_read() -> None:
    with pytest.raises(ImportRefused, match="DOCTYPE") as caught:
        list(read(FIXTURES / "made-doctype-entities.xml"))
    hostname = Path("/etc/hostname")
    assert not hostname.exists() or hostname.read_text().strip() not in str(caught.value)
    assert "aaaaaaaaaa" not in str(caught.value)


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(ImportRefused, match="the file is empty"):
        list(read(FIXTURES / "made-empty.xml"))


def test_progress_ends_at_the_size_of_the_file() -> None:
    path = FIXTURES / "theme-unit-test.wxr.xml"
    told: list[int] = []
    assert len(list(read(str(path), told.append))) == 366
    assert told == sorted(told)
    assert told[-1] == path.stat().st_size
    assert len(told) > 3


def write_items(path: Path, count: int) -> None:
    address = "http://wordpress.org/export/1.2/"
    item = (
        "<item><title>T</title><wp:post_id>7</wp:post_id><wp:post_type>post</wp:post_type>"
        f'<description>{"text " * 100}</description><category domain="category" nicename="a">A</category></item>\n'
    )
    path.write_text(f'<rss xmlns:wp="{address}"><channel>{item * count}</channel></rss>', "utf-8")


def peak_of(records: Iterator[Record]) -> tuple[int, int]:
    tracemalloc.start()
    try:
        return sum(isinstance(record, ItemRecord) for record in records), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.long
def test_memory_stays_flat_over_many_items(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    write_items(path, 20_000)
    assert path.stat().st_size > 10_000_000
    count, peak = peak_of(read(path))
    assert count == 20_000
    assert peak < 2_000_000
