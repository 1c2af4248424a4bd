"""Whatever a file holds, it is imported or refused with advice; nothing ends in an error that nobody expected."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from servers import SERVER
from transfer.conftest import CHANNEL
from transfer.pictures import put
from transfer.test_attachments import META, attachment
from transfer.test_import_rules import AUTHOR, category, item

from cms.assembly import open_site
from cms.config import load_config
from cms.install.bootstrap import set_up
from cms.site import Site
from cms.transfer.importing.importer import import_wxr
from cms.transfer.importing.media.sources import Folder
from cms.transfer.wxr.records import ImportRefused

pytestmark = pytest.mark.long

COMMENT = """<wp:comment><wp:comment_id>{}</wp:comment_id><wp:comment_author>Bo</wp:comment_author>
<wp:comment_author_email>bo@example.org</wp:comment_author_email><wp:comment_date>2020-01-02 03:04:05</wp:comment_date>
<wp:comment_content><![CDATA[Well https://old.example/wp-content/uploads/2013/03/x.jpg]]></wp:comment_content>
<wp:comment_approved>1</wp:comment_approved><wp:comment_parent>{}</wp:comment_parent></wp:comment>"""
TEXT = """<content:encoded><![CDATA[[gallery ids="9"] <!-- wp:image {"id":9} --><img class="wp-image-9"
src="https://old.example/wp-content/uploads/2013/03/x-300x200.jpg"><!-- /wp:image --> &amp; é 日]]></content:encoded>"""
SMALL = CHANNEL.format("\n".join((
    AUTHOR.format("ann", "ann@example.org"), category("a", "b"), category("b"),
    "<wp:term><wp:term_id>3</wp:term_id><wp:term_taxonomy>nav_menu</wp:term_taxonomy><wp:term_slug>m</wp:term_slug></wp:term>",
    item(1, is_sticky="1", inner=TEXT + META.format("_thumbnail_id", 9) + COMMENT.format(1, 2) + COMMENT.format(2, 0)
         + '<category domain="category" nicename="a">A</category><category domain="post_tag" nicename="t">T</category>'),
    item(2, post_type="page", post_parent="3", status="draft", post_date="2020-01-02 03:04:05", post_date_gmt=""),
    item(3, post_type="page", post_parent="2"), item(4, post_type="nav_menu_item"),
    item(5, status="trash", inner=META.format("_wp_trash_meta_time", "86400")),
    attachment(9, post_parent="1", inner=META.format("_wp_attachment_image_alt", "x")),
))).encode()
#: What breaks readers: signs of XML, of encodings, of numbers and dates.
PARTS = (b"<", b">", b"&", b"]]>", b"<![CDATA[", b"\x00", b"\xff", b"\xfe", b"\xed\xa0\x80", b"&#0;", b"&#xD800;", b"&lt;",
         b"-", b"99999999999999999999", b"0000-00-00 00:00:00", b"0001-01-01 00:00:00", b"9999-12-31 23:59:59", b"%", b"%00",
         b"\xe2\x80\xae", b"\xf0\x9f\x92\xa9", b"<!--", b"?>", b"<wp:post_id>", b"</item>", b"<item>", b"e\xcc\x81", b"__trashed",
         b"inherit", b"attachment", b"post", b"1", b"9", b"", b"[gallery", b"//", b"http://[", b"\\/", b" ", b"\n", b"\x85")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("old")
    put(made, "2013/03/x.jpg")
    return made


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[Site]]:
    """Give a site, the same for a while, then a new one: its zone is far from GMT."""
    opened: list[Site] = []

    def give() -> Iterator[Site]:
        for number in itertools.count():
            if number % 50 == 0:
                config = load_config(tmp_path_factory.mktemp("site"), {"password_cost": "low", "synchronous": "normal"}, environ={})
                opened.append(open_site(config))
                set_up(opened[-1], password="correct-horse-battery")
                opened[-1].settings.write({"timezone": "Asia/Tokyo"})
            yield opened[-1]

    yield give()
    for site in opened:
        site.close()


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Draw the small export with some places changed, doubled, left out or swapped."""
    data = SMALL
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from((0, 0, 1, 1, 2, 5, 20, 200))))
        put_in = draw(st.sampled_from((*PARTS, data[start:end] * 2)) | st.binary(max_size=4))
        data = data[:start] + put_in + data[end:]
    return data


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@example(SMALL)
@given(data=damaged())
def test_damage_is_read_or_refused(sites: Iterator[Site], folder: Path, tmp_path: Path, data: bytes) -> None:
    site = next(sites)
    path = tmp_path / "export.xml"
    path.write_bytes(data)
    before = site.database.rows("SELECT COUNT(*), MAX(id) FROM content")[0]
    refused = ""
    try:
        report = import_wxr(site, path, source=Folder(folder))
    except ImportRefused as refusal:
        refused = str(refusal)
    if refused:
        assert refused.endswith(("Nothing was imported.", "try again."))
        assert tuple(site.database.rows("SELECT COUNT(*), MAX(id) FROM content")[0]) == tuple(before)
    else:
        report.as_dict()
        assert SERVER or site.database.rows("PRAGMA foreign_key_check") == []  # a server sees to it
    keys = {row["file"] for row in site.database.rows("SELECT file FROM media WHERE file <> ''")}
    assert {key for key, _changed in site.context.storage.walk()} == keys
    assert not list(site.config.incoming.glob("*"))


def test_the_small_export_is_whole(sites: Iterator[Site], folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "export.xml"
    path.write_bytes(SMALL.replace(b"https://old.example<", b"https://whole.example<"))
    report = import_wxr(next(sites), path, source=Folder(folder))
    assert {name: report.imported[name] for name in ("post", "page", "attachment", "file", "comment")} == {
        "post": 2, "page": 2, "attachment": 1, "file": 1, "comment": 2}
