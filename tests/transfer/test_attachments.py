"""What becomes of the attachments of an export, and of what names them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from transfer.pictures import picture, put
from transfer.test_import_rules import item, stored, texts

from cms.db.expressions import UNKNOWN_PARENT
from cms.site import Site
from cms.transfer.importing.importer import Report
from cms.transfer.importing.media.sources import Folder

Bring = Callable[..., Report]
OLD = "https://old.example/wp-content/uploads"
META = "<wp:postmeta><wp:meta_key>{}</wp:meta_key><wp:meta_value><![CDATA[{}]]></wp:meta_value></wp:postmeta>"
COMMENT = ("<wp:comment><wp:comment_id>5</wp:comment_id><wp:comment_author>Bo</wp:comment_author>"
           "<wp:comment_content>{}</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>")


def attachment(id: int = 7, name: str = "2013/03/x.jpg", **fields: str) -> str:
    """Write an attachment of the file."""
    given = {"post_type": "attachment", "status": "inherit", "attachment_url": f"{OLD}/{name}" if name else ""}
    return item(id, **{**given, **fields})


def text(content: str) -> str:
    return f"<content:encoded><![CDATA[{content}]]></content:encoded>"


def media(site: Site, id: int = 7) -> dict[str, Any]:
    row = site.database.row("SELECT * FROM media WHERE content_id = ?", (stored(site, id)["id"],))
    assert row is not None
    return dict(row) | {"details": orjson.loads(row["details"])}


def uploads(site: Site) -> list[str]:
    """Return all files among the uploads and the arrivals."""
    folders = (site.config.uploads, site.config.incoming)
    return sorted(path.relative_to(site.config.instance).as_posix() for folder in folders for path in folder.rglob("*"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "old"
    made.mkdir()
    return made


@pytest.mark.parametrize(("given", "kept"), [
    ({}, {"status": "inherit", "slug": "p7", "title": "Title", "date_gmt": "2020-01-02T03:04:05", "parent_id": 0}),
    ({"post_name": ""}, {"slug": "title"}),
    ({"status": "private"}, {"status": "private"}),
    ({"status": "trash", "post_name": "old"}, {"status": "trash", "slug": "old__trashed", "trashed_status": "inherit"}),
    ({"status": "publish"}, {"status": "inherit"}), ({"status": "odd"}, {"status": "inherit"}),
    ({"comment_status": "closed", "ping_status": "open", "menu_order": "3"},
     {"comment_status": "closed", "ping_status": "open", "menu_order": 3}),
    ({"inner": text("About it") + "<excerpt:encoded>Below it</excerpt:encoded>"},
     {"content": "About it", "excerpt": "Below it"}),
])
def test_attachments_become_media(site: Site, bring: Bring, given: dict[str, str], kept: dict[str, Any]) -> None:
    report = bring(attachment(**given))
    assert report.imported["attachment"] == 1
    row = stored(site)
    assert row["type"] == "attachment"
    assert {name: row[name] for name in kept} == kept


def test_an_unfinished_attachment_is_left_out(site: Site, bring: Bring) -> None:
    report = bring(attachment(status="auto-draft"))
    assert report.left_out == {("attachment", "its state is auto-draft"): 1}
    assert site.database.row("SELECT 1 FROM content") is None


@pytest.mark.parametrize(("name", "mime"), [
    ("2013/03/x.JPG", "image/jpeg"), ("a.pdf?x=1", "application/pdf"), ("a.mp3", "audio/mpeg"), ("a.svg", "image/svg+xml"),
    ("a.tar", "application/x-tar"), ("a.unheard", ""), ("a", ""), ("", ""),
])
def test_a_file_that_stays_away_keeps_its_address_and_a_type_by_its_name(site: Site, bring: Bring, name: str,
                                                                        mime: str) -> None:
    report = bring(attachment(name=name))
    assert stored(site)["mime_type"] == mime
    assert (media(site)["file"], media(site)["origin"]) == ("", f"{OLD}/{name}" if name else "")
    assert report.left_out == {("file", "files weren't asked for"): 1}
    assert report.missing_files == []


@pytest.mark.parametrize(("fields", "address"), [
    ({"attachment_url": "/wp-content/x.jpg"}, "https://old.example/wp-content/x.jpg"),
    ({"attachment_url": "//cdn.example/x.jpg"}, "https://cdn.example/x.jpg"),
    ({"attachment_url": "", "inner": "<guid>http://old.example/x.jpg</guid>"}, "http://old.example/x.jpg"),
    ({"attachment_url": "", "inner": "<guid>urn-of-it</guid>"}, ""),
])
def test_addresses_are_made_whole(site: Site, bring: Bring, fields: dict[str, str], address: str) -> None:
    bring(attachment(**fields))
    assert media(site)["origin"] == address


def test_a_file_is_kept_with_its_renditions_and_measures(site: Site, bring: Bring, folder: Path) -> None:
    put(folder, "2013/03/x.jpg", picture(640, 480))
    report = bring(attachment(inner=META.format("_wp_attachment_image_alt", " A  boat ")), Folder(folder))
    assert report.imported == {"user": 1, "attachment": 1, "file": 1}
    assert report.missing_files == []
    kept = media(site)
    assert (kept["file"], kept["alt_text"], kept["origin"]) == ("2013/03/x.jpg", "A boat", f"{OLD}/2013/03/x.jpg")
    assert (kept["details"]["width"], kept["details"]["height"]) == (640, 480)
    assert kept["size"] == len(picture(640, 480)) == kept["details"]["filesize"]
    assert stored(site)["mime_type"] == "image/jpeg"
    assert uploads(site) == ["uploads/2013", "uploads/2013/03", "uploads/2013/03/x-150x150.jpg",
                             "uploads/2013/03/x-300x225.jpg", "uploads/2013/03/x.jpg"]


def test_the_type_is_what_the_file_says(site: Site, bring: Bring, folder: Path) -> None:
    put(folder, "2013/03/x.jpg", picture(format="PNG"))
    bring(attachment(), Folder(folder))
    assert (stored(site)["mime_type"], media(site)["file"]) == ("image/png", "2013/03/x.png")


def test_parents_may_come_before_later_or_never(site: Site, bring: Bring) -> None:
    report = bring(attachment(1, post_parent="3") + item(3) + attachment(4, post_parent="3")
                   + attachment(5, post_parent="9") + attachment(6, post_parent="6") + attachment(7, post_parent="8")
                   + item(8, post_type="page", status="private") + attachment(10, post_parent="1"))
    post, page = stored(site, 3)["id"], stored(site, 8)["id"]
    assert [stored(site, id)["parent_id"] for id in (1, 4, 5, 6, 7, 10)] == [post, post, UNKNOWN_PARENT, 0, page, post]
    assert [(notice.item, notice.text.split(";")[0]) for notice in report.notices if "attached" in notice.text] == [
        (5, "what it was attached to (9) isn't here"), (6, "it was attached to itself"),
        (10, "it was attached to another file (1)")]


def test_a_page_is_not_put_below_a_file(site: Site, bring: Bring) -> None:
    report = bring(attachment(1) + item(2, post_type="page", post_parent="1"))
    assert stored(site, 2)["parent_id"] == 0
    assert "its parent 1 isn't in the file" in texts(report)


def test_featured_images_may_come_later_or_never(site: Site, bring: Bring) -> None:
    thumbnail = META.format("_thumbnail_id", "{}").format
    report = bring(item(1, inner=thumbnail(9)) + item(2, post_type="page", inner=thumbnail(9)) + item(3, inner=thumbnail(8))
                   + item(4, inner=thumbnail("x")) + item(5, inner=thumbnail(0)) + item(6, inner=thumbnail(1))
                   + attachment(9) + item(10, inner=thumbnail(9)) + item(11, inner=thumbnail("9" * 40)))
    found = stored(site, 9)["id"]
    assert [stored(site, id)["featured_id"] for id in (1, 2, 3, 4, 5, 6, 10, 11)] == [found, found, 0, 0, 0, 0, found, 0]
    assert [notice.item for notice in report.notices if "featured image" in notice.text] == [3, 6, 11]
    assert ("meta", "values that no plugin has declared aren't imported") not in report.left_out


def test_slugs_of_files_are_unique_among_them(site: Site, bring: Bring) -> None:
    report = bring(item(1, post_name="same") + attachment(2, post_name="same", post_parent="1")
                   + attachment(3, post_name="same") + attachment(4, post_name="same", status="trash")
                   + attachment(5, post_name="").replace("<title>Title</title>", "<title>!?</title>"))
    assert [stored(site, id)["slug"] for id in (1, 2, 3, 4)] == ["same", "same", "same-2", "same__trashed"]
    assert stored(site, 5)["slug"] == str(stored(site, 5)["id"])
    assert [notice.item for notice in report.notices if "was taken" in notice.text] == [3]


def test_comments_stand_on_files_too(site: Site, bring: Bring) -> None:
    report = bring(attachment(inner=COMMENT.format("Fine")))
    assert report.imported["comment"] == 1
    row = site.database.row("SELECT * FROM comments")
    assert row is not None
    assert (row["post_id"], row["content"]) == (stored(site)["id"], "Fine")


def test_several_attachments_with_one_address_have_a_file_each(site: Site, bring: Bring, folder: Path) -> None:
    """Deleting one of them must not take the file from the others."""
    put(folder, "2013/03/x.jpg")
    body = attachment(1) + attachment(2) + item(3, inner=text(f"{OLD}/2013/03/x.jpg"))
    report = bring(body, Folder(folder))
    assert report.imported["file"] == 2
    assert {media(site, 1)["file"], media(site, 2)["file"]} == {"2013/03/x.jpg", "2013/03/x-1.jpg"}
    assert stored(site, 3)["content"] == site.context.file_url(media(site, 1)["file"])


def test_a_file_lies_under_the_month_of_its_address_or_its_date(site: Site, bring: Bring, folder: Path) -> None:
    put(folder, "x.jpg")
    put(folder, "y.jpg")
    bring(attachment(1, "x.jpg") + attachment(2, "2013/99/y.jpg", post_date="2011-05-06 07:08:09"), Folder(folder))
    assert media(site, 1)["file"] == "2020/01/x.jpg"
    assert media(site, 2)["file"] == "2011/05/y.jpg"


def test_texts_lead_to_the_files(site: Site, bring: Bring, folder: Path) -> None:
    put(folder, "2013/03/x.jpg", picture(640, 480))
    address = f"{OLD}/2013/03/x-300x225.jpg"
    given = f'<!-- wp:image {{"id":7}} --><img src="{address}" class="wp-image-7"><!-- /wp:image --> \r\n {OLD}/2013/03/no.jpg'
    excerpt = f"<excerpt:encoded>{address}</excerpt:encoded>"
    comment = COMMENT.format(address)
    report = bring(item(1, inner=text(given) + excerpt + comment)
                   + attachment(inner=text(f"Large: {OLD}/2013/03/x.jpg")), Folder(folder))
    id, new = stored(site)["id"], site.context.file_url("2013/03/x-300x225.jpg")
    row = stored(site, 1)
    assert row["content"] == (f'<!-- wp:image {{"id":{id}}} --><img src="{new}" class="wp-image-{id}"><!-- /wp:image --> '
                              f'\n {OLD}/2013/03/no.jpg')
    assert row["excerpt"] == new
    assert new in row["content_html"]
    assert stored(site)["content"] == f"Large: {site.context.file_url('2013/03/x.jpg')}"
    assert site.own_files.show(site.database.rows("SELECT content FROM comments")[0]["content"]) == new
    assert report.addresses == 4


def test_without_files_addresses_stay_and_ids_change(site: Site, bring: Bring) -> None:
    bring(item(1, inner=text(f"[gallery ids='7'] {OLD}/2013/03/x.jpg")) + attachment())
    assert stored(site, 1)["content"] == f"[gallery ids='{stored(site)['id']}'] {OLD}/2013/03/x.jpg"


def test_a_later_import_brings_files_that_were_missing(site: Site, bring: Bring, folder: Path) -> None:
    body = item(1, inner=text(f"{OLD}/2013/03/x.jpg {OLD}/2013/03/y.jpg")) + attachment() + attachment(8, "2013/03/y.jpg")
    put(folder, "2013/03/y.jpg")
    first = bring(body, Folder(folder))
    assert [(file.item, file.address, file.reason) for file in first.missing_files] == [
        (7, f"{OLD}/2013/03/x.jpg", "it isn't in the folder")]
    before = stored(site, 1), stored(site)
    assert before[0]["content"] == f"{OLD}/2013/03/x.jpg {site.context.file_url('2013/03/y.jpg')}"

    put(folder, "2013/03/x.jpg", picture(format="PNG"))
    second = bring(body, Folder(folder))

    assert second.imported == {"file": 1}
    assert second.known == {"user": 1, "post": 1, "attachment": 2, "file": 1}
    assert second.missing_files == []
    assert media(site)["file"] == "2013/03/x.png"
    assert (stored(site)["mime_type"], stored(site)["version"]) == ("image/png", before[1]["version"] + 1)
    after = stored(site, 1)
    assert after["content"] == f"{site.context.file_url('2013/03/x.png')} {site.context.file_url('2013/03/y.jpg')}"
    assert site.context.file_url("2013/03/x.png") in after["content_html"]
    assert (after["version"], after["modified_gmt"]) == (before[0]["version"] + 1, before[0]["modified_gmt"])

    third = bring(body, Folder(folder))
    assert (third.imported, third.addresses) == ({}, 0)
    assert stored(site, 1) == after


def test_files_of_an_earlier_import_are_known_to_a_later_export(site: Site, bring: Bring, folder: Path) -> None:
    """Media and posts may come in exports of their own, in this order."""
    put(folder, "2013/03/x.jpg")
    bring(attachment(), Folder(folder))
    bring(item(1, inner=text(f"{OLD}/2013/03/x.jpg wp-image-7") + META.format("_thumbnail_id", 7)))
    id = stored(site)["id"]
    assert stored(site, 1)["content"] == f"{site.context.file_url('2013/03/x.jpg')} wp-image-{id}"
    assert stored(site, 1)["featured_id"] == id


def test_files_are_attached_to_posts_of_an_earlier_import(site: Site, bring: Bring, folder: Path) -> None:
    put(folder, "2013/03/x.jpg")
    bring(item(1, inner=text(f"{OLD}/2013/03/x.jpg")))
    bring(attachment(post_parent="1"), Folder(folder))
    assert stored(site)["parent_id"] == stored(site, 1)["id"]
    assert stored(site, 1)["content"] == site.context.file_url("2013/03/x.jpg")


def test_what_is_changed_here_stays_changed(site: Site, bring: Bring, folder: Path) -> None:
    put(folder, "2013/03/x.jpg")
    bring(attachment(inner=META.format("_wp_attachment_image_alt", "Old")), Folder(folder))
    site.database.rows("UPDATE media SET alt_text = 'New' RETURNING file")
    report = bring(attachment(inner=META.format("_wp_attachment_image_alt", "Old")), Folder(folder))
    assert report.imported == {}
    assert media(site)["alt_text"] == "New"
    assert len(uploads(site)) == 3


@pytest.mark.parametrize(("body", "files"), [
    (item(7) + attachment(), 1), (attachment() + item(7), 1), (attachment() + attachment(7, "y.jpg"), 2)])
def test_items_that_share_an_id_both_come(site: Site, bring: Bring, folder: Path, body: str, files: int) -> None:
    put(folder, "2013/03/x.jpg")
    put(folder, "y.jpg")
    thumbnail = item(9, inner=META.format("_thumbnail_id", 7))
    for imported in (3, 0):
        report = bring(thumbnail + body, Folder(folder))
        assert report.left_out == {}
        assert sum(report.imported.get(kind, 0) for kind in ("post", "attachment")) == imported
        assert len(site.database.rows("SELECT 1 FROM content")) == 3
        assert len([path for path in uploads(site) if path.endswith("jpg")]) == files
    picture = site.database.scalar("SELECT id FROM content WHERE type = 'attachment' ORDER BY source_id")
    assert stored(site, 9)["featured_id"] == picture


def test_a_file_and_a_post_of_one_id_are_two_items_in_later_imports_too(site: Site, bring: Bring, folder: Path) -> None:
    put(folder, "2013/03/x.jpg")
    bring(item(7))
    report = bring(attachment() + item(8), Folder(folder))
    assert (report.imported, report.left_out) == ({"attachment": 1, "file": 1, "post": 1}, {})
    assert stored(site)["type"] == "post"


def test_attachments_take_a_constant_number_of_statements(site: Site, bring: Bring) -> None:
    def statements(number: int, first: int) -> int:
        seen: list[str] = []
        connection = site.database.peewee.connection()
        connection.set_trace_callback(seen.append)
        bring("".join(attachment(first + id, f"2013/03/{id}.jpg", post_parent="1") for id in range(number)))
        connection.set_trace_callback(None)
        return len([sql for sql in seen if not sql.startswith("--")])

    bring(item(1))
    few, many = statements(10, 100), statements(110, 300)
    # Two rows (the first is traced once more for each of its triggers that acts), looks at its slug and its place.
    assert (many - few) / 100 <= 12
