"""What stands in an export, and that it is of one moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sites import Client

from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing.importer import import_wxr
from cms.transfer.importing.media.sources import Folder
from cms.transfer.wxr.reader import read
from cms.transfer.wxr.records import AuthorRecord, ItemRecord, Record, TermRecord

MakeClient = Callable[..., Client]


def exported(client: Client) -> bytes:
    file = BytesIO()
    export_wxr(client.site, file)
    return file.getvalue()


def saved(client: Client, path: Path) -> Path:
    path.write_bytes(exported(client))
    return path


def items(path: Path) -> list[ItemRecord]:
    return [record for record in read(path) if isinstance(record, ItemRecord)]


@pytest.mark.parametrize("sign", [pytest.param("\0", marks=pytest.mark.files_only), "\x01", "\x0b", "\x1f", "\ufffe", "\uffff"])
def test_what_xml_cannot_hold_is_left_out_for_others_and_comes_back_here(
        client: Client, make_client: MakeClient, tmp_path: Path, sign: str) -> None:
    made = client.new("/posts", "administrator", title="ab", content="c]]>", status="publish")
    # As rows were stored before such characters were left out.
    client.site.database.update("content", made["id"], {"title": f"a{sign}b", "content": f"{sign}c]]>"})
    path = saved(client, tmp_path / "export.xml")

    assert ElementTree.parse(path).findtext("channel/item/title") == "ab"
    second = make_client()
    report = import_wxr(second.site, path)
    (post,) = second.get("/posts?context=edit", "administrator").json
    assert (post["title"]["raw"], post["content"]["raw"]) == (f"a{sign}b", f"{sign}c]]>")
    assert report.notices == []


def test_all_is_of_the_moment_when_the_export_began(client: Client) -> None:
    client.new("/posts", title="Before", status="publish")
    client.new("/posts", title="Gone", status="publish")
    written: list[str] = []

    def write(stage: str, done: int, total: int | None) -> None:
        """Change the site through a connection that isn't the export's; a lock of the export would stop it."""
        if not written:
            written.append(client.new("/posts", title="During", status="publish")["slug"])
            assert client.send("DELETE", f"/posts/{gone}?force=true", "editor").status_code == 200
            client.post("/settings", {"title": "Renamed"}, "administrator")

    gone = client.get("/posts?slug=gone").json[0]["id"]
    file = BytesIO()
    counted = export_wxr(client.site, file, write)

    assert (written, counted["post"]) == (["during"], 2)
    assert re.findall(r"<title><!\[CDATA\[(\w+)", file.getvalue().decode())[1:] == ["Before", "Gone"]
    assert client.get("/settings", "administrator").json["title"] == "Renamed"
    assert {post["slug"] for post in client.get("/posts").json} == {"before", "during"}


def test_progress_is_told_item_by_item(full: Client) -> None:
    told: list[tuple[str, int, int | None]] = []

    counted = export_wxr(full.site, BytesIO(), lambda *step: told.append(step))

    total = sum(counted[kind] for kind in ("post", "page", "attachment"))
    assert told == [("writing", number, total) for number in range(1, total + 1)]


def test_no_category_stands_before_its_parent(full: Client, tmp_path: Path) -> None:
    terms = [record for record in read(saved(full, tmp_path / "export.xml")) if isinstance(record, TermRecord)]

    order = [term.slug for term in terms if term.taxonomy == "category"]
    assert order == ["uncategorized", "grose", "middle", "below"]
    assert {term.slug: term.parent_slug for term in terms if term.parent_slug} == {"below": "middle", "middle": "grose"}


def test_states_dates_and_relations_stand_as_wordpress_writes_them(full: Client, tmp_path: Path) -> None:
    found = {item.title: item for item in items(saved(full, tmp_path / "export.xml"))}
    states = {title: item.status for title, item in found.items()}

    assert {title: states[title] for title in ("F", "Pr", "Pe", "D", "Tr", "P & q")} == {
        "F": "future", "Pr": "private", "Pe": "pending", "D": "draft", "Tr": "trash", "P & q": "inherit"}
    assert (found[""].date_gmt, found["D"].date_gmt is None) == (None, False)
    assert dict(found["Tr"].meta)["_wp_trash_meta_status"] == "publish"
    assert dict(found["Td"].meta)["_wp_trash_meta_status"] == "draft"
    assert dict(found["L"].meta) == {"_wp_page_template": "wide.html"}
    picture = found["P & q"]
    assert picture.attachment_url.startswith("http://cms.example/uploads/")
    assert picture.attachment_url.endswith(dict(picture.meta)["_wp_attached_file"])
    assert dict(picture.meta)["_wp_attachment_image_alt"] == "A & b"


def test_no_password_of_an_account_and_no_right_is_in_the_file(full: Client) -> None:
    text = exported(full).decode()
    secrets = [row["password_hash"] for row in full.site.database.rows("SELECT password_hash FROM users")]

    assert len(secrets) == 5
    assert not [secret for secret in secrets if secret in text]
    assert "administrator" not in text


def comparable(path: Path) -> Iterator[Record]:
    """Yield what an export says, with places in place of ids and without lines and addresses made of ids."""
    places: dict[tuple[str, int], int] = {}

    def place(kind: str, id: int | None) -> int | None:
        return places.setdefault((kind, id), len(places)) if id else None

    records = sorted(read(path), key=lambda record: isinstance(record, ItemRecord) and record.type != "attachment")
    for record in records:
        if isinstance(record, (AuthorRecord, TermRecord)):
            yield replace(record, source_id=None, line=0)
        elif isinstance(record, ItemRecord):
            comments = tuple(replace(comment, source_id=place("comment", comment.source_id),
                                     parent_source_id=place("comment", comment.parent_source_id),
                                     user_id=place("user", comment.user_id)) for comment in record.comments)
            meta = tuple((name, str(place("item", int(value))) if name == "_thumbnail_id" else value)
                         for name, value in record.meta)
            yield replace(record, source_id=place("item", record.source_id), comments=comments, meta=meta, line=0,
                          parent_source_id=place("item", record.parent_source_id), guid="",
                          link=re.sub(r"\?\w+=\d+", "", record.link))
        else:
            yield record


def test_a_second_export_says_the_same(make_client: MakeClient, full: Client, tmp_path: Path) -> None:
    second = make_client(templates=["wide.html"])
    first_file = saved(full, tmp_path / "first.xml")
    import_wxr(second.site, first_file, source=Folder(full.site.config.uploads), trust_markup=True)

    assert list(comparable(saved(second, tmp_path / "second.xml"))) == list(comparable(first_file))
