"""Oddities of real exports: each has a rule, and where something changes the report names line and item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from transfer.test_attachments import COMMENT, META, attachment, text
from transfer.test_import_rules import AUTHOR, item, stored

from cms.site import Site
from cms.transfer.importing.importer import Report
from cms.transfer.wxr.records import ImportRefused

Bring = Callable[..., Report]
NO_DATES = {"post_date": "0000-00-00 00:00:00", "post_date_gmt": "0000-00-00 00:00:00"}
DATED = "<wp:comment><wp:comment_date>{}</wp:comment_date><wp:comment_date_gmt>{}</wp:comment_date_gmt></wp:comment>"


@pytest.mark.parametrize(("body", "told", "kept"), [
    pytest.param(item(inner=text("a\x0bb\x1fc")), (None, "that XML doesn't allow"), {"content": "abc"}, id="control characters"),
    pytest.param(item(post_name="a\x00b"), (None, "that XML doesn't allow"), {"slug": "ab"}, id="control characters in a slug"),
    pytest.param(item(inner=text("a&#xD800;b")), None, {"content": "a&#xD800;b"}, id="a surrogate as text"),
    pytest.param(item(inner=text("\u202ea\u200b\ufeff")), None, {"content": "\u202ea\u200b\ufeff"}, id="invisible characters"),
    pytest.param(item(post_parent="7", post_type="page"), (7, "above itself"), {"parent_id": 0}, id="its own parent"),
    pytest.param(item(post_parent="8", post_type="page") + item(8, post_parent="7", post_type="page"), (8, "above itself"),
                 {}, id="a circle of parents"),
    pytest.param(item(post_parent="99", post_type="page"), (7, "isn't in the file"), {"parent_id": 0}, id="a missing parent"),
    pytest.param(item(post_parent="-3", post_type="page"), (7, "isn't in the file"), {"parent_id": 0}, id="a negative parent"),
    pytest.param(item().replace("ann", ""), (7, "no author"), {"author_id": 1}, id="no author"),
    pytest.param(attachment().replace("ann", ""), (7, "no author"), {"author_id": 1}, id="a file without an author"),
    pytest.param(item(), (None, "isn't in the list of authors"), {}, id="an author that isn't listed"),
    pytest.param(item(**NO_DATES), (7, "no date"), {"date_floats": 0}, id="zero dates"),
    pytest.param(attachment(**NO_DATES), (7, "no date"), {"date_floats": 0}, id="a file with zero dates"),
    pytest.param(item(status="draft", **NO_DATES), None, {"date_floats": 1}, id="zero dates of a draft"),
    pytest.param(item(post_date_gmt="2020-02-30 00:00:00"), (7, "isn't a date"), {}, id="a day that isn't"),
    pytest.param(item(post_date_gmt="", post_date="0001-01-01 00:00:00"), (7, "no date"), {}, id="a date before all zones"),
    pytest.param(item(post_date_gmt="9999-12-31 23:59:59"), None, {"date_gmt": "9999-12-31T23:59:59"}, id="a date far ahead"),
    pytest.param(item(post_name=""), None, {"slug": "title"}, id="no slug"),
    pytest.param(attachment(post_name=""), None, {"slug": "title"}, id="a file without a slug"),
    pytest.param(item(post_name="%zz%", status="publish"), (7, 'became "zz"'), {"slug": "zz"}, id="a slug in wrong notation"),
    pytest.param(item(post_name="s" * 900), (7, "can't be one"), {"slug": "s" * 200}, id="a long slug"),
    pytest.param(item().replace("<title>Title</title>", ""), None, {"title": ""}, id="no title"),
    pytest.param(item(menu_order="many"), (7, "isn't a number"), {"menu_order": 0}, id="an order that is no number"),
    pytest.param(item(status="nonsense"), (7, "isn't known"), {"status": "draft"}, id="an unknown state"),
    pytest.param(attachment(status="nonsense"), (7, "isn't one of files"), {"status": "inherit"}, id="a file's unknown state"),
    pytest.param(attachment(attachment_url="http://[x/y.jpg"), None, {"mime_type": "image/jpeg"}, id="an address that is none"),
    pytest.param(attachment(attachment_url="https://old.example/" + "x" * 9_000), None, {"mime_type": ""}, id="a long address"),
    pytest.param(item(inner=META.format("_thumbnail_id", "-1")), None, {"featured_id": 0}, id="a featured image that is none"),
    pytest.param(item(inner=META.format("_wp_trash_meta_time", "9" * 30), status="trash"), None, {"status": "trash"},
                 id="thrown away at no time"),
    pytest.param(item(inner=COMMENT.format("x").replace("comment_approved>1", "comment_approved>?")), (7, "a comment has no date"), {},
                 id="a comment of an unknown state and time"),
    pytest.param(item(inner=DATED.format("0001-01-01 00:00:00", "")), (7, "a comment has no date"), {}, id="a comment before all zones"),
    pytest.param(item(inner=DATED.format("0000-00-00 00:00:00", "0000-00-00 00:00:00")), (7, "a comment has no date"), {},
                 id="a comment with zero dates"),
    pytest.param(item(inner=DATED.format("2020-01-02 03:04:05", "x")), (7, "isn't a date"), {}, id="a comment's date that is none"),
])
def test_oddities_are_imported_and_told(site: Site, bring: Bring, body: str, told: tuple[int | None, str] | None,
                                        kept: dict[str, Any]) -> None:
    site.settings.write({"timezone": "Asia/Tokyo"})
    listed = "" if told and "list of authors" in told[1] else AUTHOR.format("ann", "")
    report = bring(listed + body)
    row = stored(site)
    assert {name: row[name] for name in kept} == kept
    notices = [(notice.item, notice.text) for notice in report.notices]
    if told is None:
        assert notices == []
    else:
        assert all(notice.line == 6 for notice in report.notices)
        assert [item for item, localized in notices if told[1] in localized][-1] == told[0]


@pytest.mark.parametrize(("body", "kind", "reason"), [
    (item(post_type="product"), "product", "the site has no such type"), (item(post_type=""), "item", "the site has no such type"),
    (item(post_type="wp_block"), "wp_block", "the site has no such type"),
    (item(post_type="nav_menu_item"), "nav_menu_item", "the site has no menus"),
    (item(post_type="revision"), "revision", "earlier versions aren't imported"),
    (item(post_type="\N{PILE OF POO}'; DROP TABLE content"), "\N{PILE OF POO}'; DROP TABLE content", "the site has no such type"),
])
def test_unknown_types_are_left_out_and_counted(site: Site, bring: Bring, body: str, kind: str, reason: str) -> None:
    report = bring(body)
    assert report.left_out[kind, reason] == 1
    assert site.database.row("SELECT 1 FROM content") is None


@pytest.mark.parametrize("unit", ["word ", "<p>x</p>", "\n\n", "[gallery]", "<!-- wp:image {\"id\":1} -->", "<b>", "http://old.example/ "])
def test_huge_texts_arrive_whole(site: Site, bring: Bring, unit: str) -> None:
    huge = unit * (300_000 // len(unit))
    report = bring(item(inner=text(huge)), trust_markup=True)
    assert report.imported["post"] == 1
    assert stored(site)["content"] == huge


@pytest.mark.parametrize("body", [item(inner=text("x" * 10_000_001)), attachment(inner=text("x" * 10_000_001)),
                                  item(inner=COMMENT.format("x" * 10_000_001))], ids=["post", "file", "comment"])
def test_a_text_beyond_the_limit_is_refused_with_advice(site: Site, bring: Bring, body: str) -> None:
    with pytest.raises(ImportRefused, match=r"Line 7, item 7: .* 10000001 characters, more than the setting max_body"):
        bring(item(1) + "\n" + body)
    assert site.database.row("SELECT 1 FROM content") is None


def test_all_items_on_one_line_are_told_apart(site: Site, bring: Bring) -> None:
    report = bring(item(1) + attachment(2) + attachment(2) + item(1))
    assert report.imported == {"user": 1, "post": 1, "attachment": 1}
    assert sum(report.left_out[kind, "the file has another item with the same id"] for kind in ("post", "attachment")) == 2


def test_items_without_ids_are_known_by_their_addresses(site: Site, bring: Bring) -> None:
    body = attachment().replace("<wp:post_id>7</wp:post_id>", "<guid>http://old.example/?p=7</guid>")
    first, second = bring(body), bring(body)
    assert (first.imported["attachment"], second.imported, second.known["attachment"]) == (1, {}, 1)
