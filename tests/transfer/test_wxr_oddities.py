"""Oddities of the format, damage, and files that are no exports."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import pytest

from cms.transfer.wxr.reader import read
from cms.transfer.wxr.records import (
    AuthorRecord,
    ImportRefused,
    ItemRecord,
    Notice,
    Record,
    SiteInfo,
    TermLink,
    TermRecord,
)

ITEM = "<item><title>T</title><wp:post_id>7</wp:post_id>{}</item>"
RSS = '<rss version="2.0"><channel><title>A feed</title><item><title>T</title></item></channel></rss>'

META = "<x:meta><x:key>k</x:key><x:value>v</x:value></x:meta>"
DRAFT = f"""<rss version="2.0" xmlns:x="http://wordpress.org/export/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" x:version="1.3-proposed"><channel>
<title>Draft</title><link>https://old.example</link>
<x:user><x:id>3</x:id><x:login>ann</x:login><x:display_name>Ann</x:display_name></x:user>
<x:term><x:id>9</x:id><x:taxonomy>category</x:taxonomy><x:slug>a</x:slug><x:name>A</x:name><x:parent>b</x:parent>{META}</x:term>
<item><title>T</title><dc:creator>ann</dc:creator><content:encoded>C</content:encoded><description>E</description>
<x:id>7</x:id><x:type>post</x:type><x:name>p</x:name><x:status>publish</x:status><x:password>pw</x:password><x:parent>6</x:parent>
<x:date>2011-01-18 07:40:14</x:date><x:date_gmt>2011-01-18 07:40:14</x:date_gmt><category domain="category" x:slug="a">A</category>
<x:comment><x:id>32</x:id><x:author>Bo</x:author><x:author_email>bo@example.org</x:author_email><x:content>Hi</x:content></x:comment>
{META}</item></channel></rss>"""

Reader = Callable[..., list[Record]]
Kind = TypeVar("Kind", bound=Record)


def of(kind: type[Kind], records: list[Record]) -> list[Kind]:
    return [record for record in records if isinstance(record, kind)]


def the_item(records: list[Record]) -> ItemRecord:
    (item,) = of(ItemRecord, records)
    return item


def channel(body: str, version: str = "1.2", scheme: str = "http") -> str:
    address = f"{scheme}://wordpress.org/export/{version}/"
    named = "" if "wxr_version" in body else f"<wp:wxr_version>{version}</wp:wxr_version>"
    return (
        f'<rss version="2.0" xmlns:wp="{address}" xmlns:excerpt="{address}excerpt/"'
        ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
        f' xmlns:dc="http://purl.org/dc/elements/1.1/">\n<channel>{named}\n{body}\n</channel>\n</rss>\n'
    )


@pytest.fixture
def notices() -> list[Notice]:
    return []


@pytest.fixture
def read_text(tmp_path: Path, notices: list[Notice]) -> Reader:
    def run(content: str | bytes, encoding: str | None = None) -> list[Record]:
        path = tmp_path / "export.xml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return list(read(path, notice=notices.append, encoding=encoding))

    return run


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
    ('<category domain="category">No slug</category>', (TermLink("category", "", "No slug"),)),
    ('<category domain="category">A</category><category domain="category" nicename="a">A</category><category>A</category>',
     (TermLink("category", "a", "A"),)),
    ('<category domain="post_tag"></category>', ()),
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


def test_a_category_that_names_no_taxonomy_is_told(read_text: Reader, notices: list[Notice]) -> None:
    read_text(channel(ITEM.format('<category>Bare</category><category>A</category><category domain="tag" nicename="a">A</category>')))
    assert [(notice.item, notice.text) for notice in notices] == [(7, 'the category "Bare" names no taxonomy and was left out')]


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


def test_invalid_bytes_are_refused_unless_the_encoding_is_named(read_text: Reader, notices: list[Notice]) -> None:
    body = channel("\n" + ITEM.format("<content:encoded>caf@ \ufffd ü</content:encoded>")).encode().replace(b"@", b"\xe9")
    with pytest.raises(ImportRefused, match=r"Line 4, byte 0xe9: .* UTF-8, .* --encoding windows-1252"):
        read_text(body)
    assert the_item(read_text(body, encoding="windows-1252")).content == "café ï¿½ Ã¼"
    assert notices == []
    assert the_item(read_text(body, encoding="utf-8")).content == "caf\ufffd \ufffd ü"
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


@pytest.mark.parametrize(("content", "words"), [
    (b"", ["the file is empty"]),
    (b" \n\t", ["the file is empty"]),
    (b"hello", ["isn't an export", "line 1", "Choose"]),
    (b"PK\x03\x04\x00\x00", ["isn't an export", "archive"]),
    (RSS.encode(), ["is XML", "not an export of WordPress", "Choose"]),
    (channel(ITEM.format("")).replace("channel", "other").encode(), ["not an export of WordPress"]),
    (channel(ITEM.format("</wrong>")).encode(), ["damaged at line 3", "mismatched tag"]),
    (channel(ITEM.format("&nbsp;")).encode(), ["damaged at line 3", "undefined entity"]),
    (channel(ITEM.format("a & b")).encode(), ["damaged at line 3, column ", 'item 7 "T"', "write &amp;"]),
    (channel(ITEM.format("<content:encoded>Bread &butter; x</content:encoded>")).encode(), ["column 72", "item 7", "write &amp;"]),
    (channel(ITEM.format("")).encode()[:-20], ["cut off at line 3", "again"]),
    (b"Warning: headers already sent\n" + channel("").encode(), ["Line 1, column 1", '"Warning: headers already sent"', "Remove"]),
    (b'x<?xml version="1.0"?>' + channel("").encode(), ["before the export", '"x"']),
    (b"<!-- a --> x" + channel("").encode(), ["before the export"]),
    (b"<!DOCTYPE html>\n<html><form>Log in</form></html>", ["page of a web site", "Sign in", "Tools > Export"]),
    (b"<html><body><p>Log in<br></body></html>", ["page of a web site"]),
    (b"<html><body><p>Log in</p></body></html>", ["page of a web site"]),
    (channel("\n<item><title><![CDATA[half").encode()[:-20], ["cut off at line 4"]),
    (b'<?xml version="1.0" encoding="x-none"?><a/>', ['"x-none"', "UTF-8"]),
    (b'<?xml version="1.0" encoding="zlib"?><a/>', ['"zlib"', "UTF-8"]),
    (b'\n<!DOCTYPE rss [<!ENTITY x "y">]><rss></rss>', ["Line 2", "DOCTYPE"]),
])
def test_what_is_no_sound_export_is_refused_with_advice(
    read_text: Reader, content: bytes, words: list[str]
) -> None:
    with pytest.raises(ImportRefused) as caught:
        read_text(content)
    message = str(caught.value)
    assert [word for word in words if word not in message] == []
    assert message.endswith(("Nothing was imported.", "try again."))


@pytest.mark.parametrize("width", [1, 2, 3, 5, 7, 10, 1 << 16])
@pytest.mark.parametrize(("written", "meant", "left_out"), [
    ("a&#x1;b", "ab", 1), ("a&#8;b&#x0;&#xD800;&#xFFFF;", "ab", 4), ("&#9;&#x41;&#128512;", "\tA😀", 0), ("&#99999999;", "", 1),
    ("<![CDATA[a&#x1;b]]>", "a&#x1;b", 0), ("<![CDATA[<!--]]>&#x1;c", "<!--c", 1), ("<!-- <![CDATA[ &#x1; -->&#x1;c", "c", 1),
    ("<![CDATA[]]]]><![CDATA[>&#1;]]>&#1;d", "]]>&#1;d", 1), ("&amp;#1;", "&#1;", 0),
])
def test_references_to_forbidden_characters_are_left_out_where_they_are_references(
    read_text: Reader, notices: list[Notice], monkeypatch: pytest.MonkeyPatch,
    width: int, written: str, meant: str, left_out: int,
) -> None:
    monkeypatch.setattr("cms.transfer.wxr.decoding.CHUNK", width)
    body = channel("\n\n" + ITEM.format(f"<content:encoded>{written}</content:encoded>"))
    # The declaration has to be in the first piece.
    assert the_item(read_text(body)).content == meant
    assert [notice.line for notice in notices] == [5] * left_out


def test_exports_of_the_draft_are_read_as_those_of_other_versions(read_text: Reader, notices: list[Notice]) -> None:
    records = read_text(DRAFT)
    (site,), (author,), (term,) = of(SiteInfo, records), of(AuthorRecord, records), of(TermRecord, records)
    assert (site.version, site.title, site.link) == ("1.3", "Draft", "https://old.example")
    assert (author.login, author.source_id, author.display_name) == ("ann", 3, "Ann")
    assert (term.taxonomy, term.slug, term.name, term.parent_slug, term.meta) == ("category", "a", "A", "b", (("k", "v"),))
    item = the_item(records)
    assert (item.source_id, item.type, item.slug, item.content, item.excerpt, item.password) == (7, "post", "p", "C", "E", "pw")
    assert (item.date_gmt, item.parent_source_id) == (datetime(2011, 1, 18, 7, 40, 14), 6)
    assert (item.terms, item.meta) == ((TermLink("category", "a", "A"),), (("k", "v"),))
    assert [(comment.author, comment.email, comment.content, comment.source_id) for comment in item.comments] == [
        ("Bo", "bo@example.org", "Hi", 32)]
    assert notices == []


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=r"none\.xml can't be opened"):
        list(read(tmp_path / "none.xml"))
