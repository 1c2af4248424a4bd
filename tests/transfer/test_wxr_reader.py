"""Reading exports: the fixtures, the format's oddities, damage, and memory."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import pytest

from cms.transfer.records import (
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
from cms.transfer.wxr import read

FIXTURES = Path(__file__).parent.parent / "data" / "wxr"
ITEM = "<item><title>T</title><wp:post_id>7</wp:post_id>{}</item>"

Reader = Callable[..., list[Record]]
Kind = TypeVar("Kind", bound=Record)


def channel(body: str, version: str = "1.2", scheme: str = "http") -> str:
    address = f"{scheme}://wordpress.org/export/{version}/"
    return (
        f'<rss version="2.0" xmlns:wp="{address}" xmlns:excerpt="{address}excerpt/"'
        ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
        f' xmlns:dc="http://purl.org/dc/elements/1.1/">\n<channel>\n{body}\n</channel>\n</rss>\n'
    )


@pytest.fixture
def notices() -> list[Notice]:
    return []


@pytest.fixture
def read_text(tmp_path: Path, notices: list[Notice]) -> Reader:
    def run(content: str | bytes) -> list[Record]:
        path = tmp_path / "export.xml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return list(read(path, notice=notices.append))

    return run


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


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2", "1.3"])
def test_namespaces_are_known_in_each_version_and_spelling(
    read_text: Reader, notices: list[Notice], version: str, scheme: str
) -> None:
    body = ITEM.format("<content:encoded>C</content:encoded><excerpt:encoded>E</excerpt:encoded>"
                       "<dc:creator>me</dc:creator><wp:post_type>page</wp:post_type>")
    records = read_text(channel(body, version, scheme))
    item = the_item(records)
    assert (item.content, item.excerpt, item.author_login, item.type) == ("C", "E", "me", "page")
    assert of(SiteInfo, records)[0].version == version
    assert notices == []


def test_an_unknown_version_is_read_and_told(read_text: Reader, notices: list[Notice]) -> None:
    records = read_text(channel("<wp:wxr_version>1.9</wp:wxr_version>" + ITEM.format("")))
    assert the_item(records).source_id == 7
    assert ["1.9" in notice.text for notice in notices] == [True]


def test_identifiers_lose_white_space_and_texts_keep_it(read_text: Reader, notices: list[Notice]) -> None:
    item = the_item(read_text(channel(
        "<item><title> T </title><wp:post_id>\n <![CDATA[ 12 ]]>\n</wp:post_id><wp:post_parent>0</wp:post_parent>"
        "<wp:menu_order> -3 </wp:menu_order><wp:is_sticky><![CDATA[1]]></wp:is_sticky>"
        "<wp:status>\n<![CDATA[publish]]> </wp:status><content:encoded>\n C </content:encoded></item>"
    )))
    assert (item.source_id, item.parent_source_id, item.menu_order, item.is_sticky) == (12, None, -3, True)
    assert (item.status, item.title, item.content) == ("publish", " T ", "\n C ")
    assert notices == []


def test_what_is_no_number_or_date_is_left_out_and_told(read_text: Reader, notices: list[Notice]) -> None:
    item = the_item(read_text(channel(ITEM.format(
        "<wp:post_parent>x9</wp:post_parent><wp:post_date>2007-13-45 00:00:00</wp:post_date>"
    ))))
    assert (item.parent_source_id, item.date_local, item.date_gmt) == (None, None, None)
    assert {(notice.line, notice.item, notice.text.split()[0]) for notice in notices} == {
        (3, 7, "wp:post_parent"), (3, 7, "wp:post_date")
    }


@pytest.mark.parametrize(("dates", "expected"), [
    ("<pubDate></pubDate>", None),
    ("<pubDate/>", None),
    ("<pubDate>Wed, 30 Nov -0001 00:00:00 +0000</pubDate>", None),
    ("<pubDate>Wed, 20 Oct 2010 14:08:20 +0200</pubDate>", datetime(2010, 10, 20, 12, 8, 20)),
    ("<pubDate>Wed, 20 Oct 2010 14:08:20 +0000</pubDate>"
     "<wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt>", None),
    ("<wp:post_date_gmt><![CDATA[2024-01-02 03:04:05]]></wp:post_date_gmt>", datetime(2024, 1, 2, 3, 4, 5)),
])
def test_dates_in_gmt(
    read_text: Reader, notices: list[Notice], dates: str, expected: datetime | None
) -> None:
    assert the_item(read_text(channel(ITEM.format(dates)))).date_gmt == expected
    assert notices == []


@pytest.mark.parametrize(("categories", "expected"), [
    ("<category>Bare</category>", ()),
    ('<category domain="category">No slug</category>', ()),
    ('<category nicename="a">No taxonomy</category>', ()),
    ('<category domain="category" nicename="a">A</category><category domain="category" nicename="a">A</category>',
     (TermLink("category", "a", "A"),)),
    ('<category domain="category" nicename="a">A</category><category domain="post_tag" nicename="a">A</category>',
     (TermLink("category", "a", "A"), TermLink("post_tag", "a", "A"))),
    ('<category domain="tag" nicename="a">A</category><category domain="post_tag" nicename="a">A</category>',
     (TermLink("post_tag", "a", "A"),)),
    ('<category domain="post_format" nicename="post-format-aside">Aside</category>',
     (TermLink("post_format", "post-format-aside", "Aside"),)),
])
def test_only_categories_with_taxonomy_and_slug_count_once(
    read_text: Reader, categories: str, expected: tuple[TermLink, ...]
) -> None:
    item = the_item(read_text(channel(ITEM.format(categories))))
    assert (item.terms, item.coauthors) == (expected, ())


def test_terms_and_comments_have_meta(read_text: Reader) -> None:
    pair = "<wp:meta_key>k</wp:meta_key><wp:meta_value> v </wp:meta_value>"
    records = read_text(channel(
        f"<wp:term><wp:term_taxonomy>t</wp:term_taxonomy><wp:termmeta>{pair}</wp:termmeta></wp:term>"
        + ITEM.format(f"<wp:comment><wp:comment_user_id>3</wp:comment_user_id>"
                      f"<wp:commentmeta>{pair}</wp:commentmeta></wp:comment>")
    ))
    (comment,) = the_item(records).comments
    assert of(TermRecord, records)[0].meta == comment.meta == (("k", " v "),)
    assert comment.user_id == 3
    assert the_item(records).meta == ()


def test_listed_authors_are_not_made_again_of_items(read_text: Reader) -> None:
    creators = ITEM.format("<dc:creator>stranger</dc:creator>")
    listed = read_text(channel("<wp:author><wp:author_login>me</wp:author_login></wp:author>" + creators))
    assert [author.login for author in of(AuthorRecord, listed)] == ["me"]
    unlisted = read_text(channel(creators * 2))
    assert [author.login for author in of(AuthorRecord, unlisted)] == ["stranger"]


def test_titles_of_other_elements_are_not_the_sites(read_text: Reader) -> None:
    site = of(SiteInfo, read_text(channel("<title>Site</title><image><title>Logo</title></image>" + ITEM.format(""))))
    assert [info.title for info in site] == ["Site"]


def test_characters_that_xml_forbids_are_left_out_with_their_lines(
    read_text: Reader, notices: list[Notice]
) -> None:
    body = ITEM.format("<content:encoded><![CDATA[a\x0bb\x08\nc\x00d\tf\x1f\x7f\uffff]]></content:encoded>")
    assert the_item(read_text(channel(body))).content == "ab\ncd\tf\x7f"
    assert [(notice.line, notice.text.split()[0]) for notice in notices] == [(3, "2"), (4, "3")]


def test_invalid_bytes_become_the_replacement_character(read_text: Reader, notices: list[Notice]) -> None:
    body = channel("\n" + ITEM.format("<content:encoded>caf@ \ufffd ü</content:encoded>")).encode()
    assert the_item(read_text(body.replace(b"@", b"\xe9"))).content == "caf\ufffd \ufffd ü"
    assert [(notice.line, notice.text.split()[:2]) for notice in notices] == [(4, ["1", "invalid"])]


def test_lines_and_characters_hold_across_pieces(read_text: Reader, notices: list[Notice]) -> None:
    filling = ITEM.format("<content:encoded>" + "ü€😀\n" * 9000 + "</content:encoded>") + "\n"
    records = read_text(channel(filling * 3 + "\x0b" + ITEM.format("")))
    items = of(ItemRecord, records)
    assert [item.content for item in items] == ["ü€😀\n" * 9000] * 3 + [""]
    assert [item.line for item in items] == [3, 9004, 18005, 27006]
    assert [notice.line for notice in notices] == [27006]


@pytest.mark.parametrize(("declared", "encoding"), [
    ("", "utf-8"), ("", "utf-8-sig"), ("UTF-8", "utf-8-sig"), ("ISO-8859-1", "latin-1"),
    ("windows-1252", "cp1252"), ("UTF-16", "utf-16"), ("UTF-16", "utf-16-le"), ("UTF-16", "utf-16-be"),
    ("UTF-16", "utf-8"), ("idna", "utf-8"), ("US-ASCII", "ascii"), ("Shift_JIS", "shift_jis"),
])
def test_encodings_are_honoured(
    read_text: Reader, notices: list[Notice], declared: str, encoding: str
) -> None:
    text = {"ascii": "cafe", "shift_jis": "日本"}.get(encoding, "Café ü")
    declaration = f'<?xml version="1.0" encoding="{declared}" ?>\n' if declared else ""
    content = declaration + channel(ITEM.format(f"<content:encoded>{text}</content:encoded>"))
    assert the_item(read_text(content.encode(encoding))).content == text
    assert notices == []


def test_blank_lines_before_the_declaration_are_forgiven(read_text: Reader) -> None:
    content = '\n\n<?xml version="1.0" encoding="UTF-8"?>\n' + channel(ITEM.format(""))
    assert the_item(read_text(content)).line == 6


def test_a_doctype_is_refused_before_entities_are_read() -> None:
    with pytest.raises(ImportRefused, match="DOCTYPE") as caught:
        list(read(FIXTURES / "made-doctype-entities.xml"))
    hostname = Path("/etc/hostname")
    assert not hostname.exists() or hostname.read_text().strip() not in str(caught.value)
    assert "aaaaaaaaaa" not in str(caught.value)


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(ImportRefused, match="the file is empty"):
        list(read(FIXTURES / "made-empty.xml"))


RSS = '<rss version="2.0"><channel><title>A feed</title><item><title>T</title></item></channel></rss>'


@pytest.mark.parametrize(("content", "words"), [
    (b"", ["the file is empty"]),
    (b" \n\t", ["the file is empty"]),
    (b"hello", ["isn't an export", "line 1", "Choose"]),
    (b"PK\x03\x04\x00\x00", ["isn't an export", "archive"]),
    (RSS.encode(), ["is XML", "not an export of WordPress", "Choose"]),
    (b"<html><body/></html>", ["not an export of WordPress"]),
    (channel(ITEM.format("")).replace("channel", "other").encode(), ["not an export of WordPress"]),
    (channel(ITEM.format("</wrong>")).encode(), ["damaged at line 3", "mismatched tag"]),
    (channel(ITEM.format("&nbsp;")).encode(), ["damaged at line 3", "undefined entity"]),
    (channel(ITEM.format("")).encode()[:-20], ["cut off at line 3", "again"]),
    (channel("\n<item><title><![CDATA[half").encode()[:-20], ["cut off at line 4"]),
    (b'<?xml version="1.0" encoding="x-none"?><a/>', ['"x-none"', "UTF-8"]),
    (b'<?xml version="1.0" encoding="zlib"?><a/>', ['"zlib"', "UTF-8"]),
    (b'<!DOCTYPE html><html></html>', ["DOCTYPE"]),
])
def test_what_is_no_sound_export_is_refused_with_advice(
    read_text: Reader, content: bytes, words: list[str]
) -> None:
    with pytest.raises(ImportRefused) as caught:
        read_text(content)
    message = str(caught.value)
    assert [word for word in words if word not in message] == []
    assert message.endswith(("Nothing was imported.", "try again."))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=r"none\.xml can't be opened"):
        list(read(tmp_path / "none.xml"))


def test_progress_ends_at_the_size_of_the_file() -> None:
    path = FIXTURES / "theme-unit-test.wxr.xml"
    told: list[int] = []
    assert len(list(read(str(path), told.append))) == 366
    assert told == sorted(told)
    assert told[-1] == path.stat().st_size
    assert len(told) > 3


def write_items(path: Path, count: int) -> None:
    item = ITEM.format("<content:encoded>" + "text " * 100 + "</content:encoded><wp:post_type>post</wp:post_type>"
                       '<category domain="category" nicename="a">A</category>') + "\n"
    path.write_text(channel(item * count), "utf-8")


def peak_of(records: Iterator[Record]) -> tuple[int, int]:
    tracemalloc.start()
    try:
        return sum(isinstance(record, ItemRecord) for record in records), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_stays_flat_over_many_items(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    write_items(path, 20_000)
    assert path.stat().st_size > 10_000_000
    count, peak = peak_of(read(path))
    assert count == 20_000
    assert peak < 3_000_000
