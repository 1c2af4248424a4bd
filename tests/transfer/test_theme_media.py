"""The theme-unit-test export with its files: made here, named as in the export."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from portrait import portray
from sites import Client
from transfer.pictures import content_of, put
from transfer.test_import_files import THEME

from cms.cli import main
from cms.site import Site
from cms.transfer.exporting.exporter import export_wxr
from cms.transfer.importing.importer import Report, import_wxr
from cms.transfer.importing.media.sources import Folder
from cms.transfer.wxr.reader import read
from cms.transfer.wxr.records import ItemRecord

ITEMS = [record for record in read(THEME) if isinstance(record, ItemRecord)]
FILES = [item for item in ITEMS if item.type == "attachment"]
OLD_FILE = re.compile(r"https?://wpthemetestdata\.files\.wordpress\.com/[^\s\"'<>()]*")
#: Files that texts name and no attachment has: they stay where they are.
ELSEWHERE = ("/2018/11/file_block.pdf",)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the old site's uploads."""
    made = tmp_path_factory.mktemp("uploads")
    for number, item in enumerate(FILES):
        place = urlsplit(item.attachment_url).path.lstrip("/")
        put(made, place, content_of(place, 800 + number, 600))
    return made


@pytest.fixture(scope="module")
def imported_once(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    """The folder of a site with the export in it, and what the import reports."""
    instance = tmp_path_factory.mktemp("imported") / "instance"
    instance.mkdir()
    client = Client(instance)
    report = import_wxr(client.site, THEME, source=Folder(folder), trust_markup=True)
    client.site.close()
    return instance, report


@pytest.fixture
def imported(imported_once: tuple[Path, Report], tmp_path: Path) -> Iterator[Client]:
    """A client of a site of its own with the export in it."""
    instance = tmp_path / "imported"
    shutil.copytree(imported_once[0], instance)
    client = Client(instance)
    yield client
    client.site.close()


def rows(site: Site, sql: str) -> list[tuple[Any, ...]]:
    return site.database.tuples(sql)


def relations(kind: str, field: str) -> dict[str, str]:
    """Return what the file says: items of a type by id, with the id of what they name."""
    listed = {item.source_id for item in ITEMS if item.type in ("post", "page", "attachment")}
    named = {item.source_id: item.parent_source_id if field == "parent" else int(dict(item.meta).get("_thumbnail_id", 0))
             for item in ITEMS if item.type in kind.split()}
    return {str(id): str(other) for id, other in named.items() if other in listed}


def test_every_file_and_relation_arrives(imported: Client, imported_once: tuple[Path, Report]) -> None:
    site, report = imported.site, imported_once[1]

    assert (report.imported["attachment"], report.imported["file"], report.missing_files) == (38, 38, [])
    related = "SELECT c.source_id, o.source_id FROM content c JOIN content o ON o.id = c.{} WHERE c.type IN ('{}')"
    parents = dict(rows(site, related.format("parent_id", "attachment")))
    assert parents == relations("attachment", "parent")
    assert len(parents) == 36
    featured = dict(rows(site, related.format("featured_id", "post', 'page")))
    assert featured == relations("post page", "featured")
    assert featured == {"1011": "1022", "1016": "1027", "1163": "1628", "1177": "1023", "1752": "771"}
    assert dict(rows(site, related.format("parent_id", "page"))) == relations("page", "parent")
    alt = dict(rows(site, "SELECT c.source_id, m.alt_text FROM content c JOIN media m ON m.content_id = c.id"))
    assert alt == {str(item.source_id): dict(item.meta).get("_wp_attachment_image_alt", "") for item in FILES}


def test_files_keep_their_months_names_and_types(imported: Client) -> None:
    site = imported.site
    kept = rows(site, "SELECT c.source_id, m.file, m.origin, c.mime_type FROM content c JOIN media m ON m.content_id = c.id")
    for source_id, file, origin, mime in kept:
        item = next(item for item in FILES if str(item.source_id) == source_id)
        assert origin == item.attachment_url
        assert file == urlsplit(origin).path.lstrip("/")
        assert mime == {"jpg": "image/jpeg", "gif": "image/gif", "mp3": "audio/mpeg", "mov": "video/quicktime"}[file[-3:]]
        assert (site.config.uploads / file).stat().st_size > 0


def test_no_address_of_a_file_that_is_here_leads_to_the_old_site(
        imported: Client, imported_once: tuple[Path, Report]) -> None:
    site, report = imported.site, imported_once[1]
    texts = [text for row in rows(site, "SELECT content, excerpt FROM content") for text in row]
    left = {urlsplit(address).path for text in texts for address in OLD_FILE.findall(text)}
    assert left == set(ELSEWHERE)
    before = [address for item in ITEMS if item.type in ("post", "page", "attachment")
              for text in (item.content, item.excerpt, *(comment.content for comment in item.comments))
              for address in OLD_FILE.findall(text)]
    moved = [address for address in before if not address.endswith(ELSEWHERE)]
    assert report.addresses == len(moved) > 80


def test_what_is_no_address_or_id_of_a_file_stays_byte_for_byte(imported: Client) -> None:
    site = imported.site
    ours = re.compile(r"http://cms\.example/uploads/[^\s\"'<>()]*")
    stored = dict(rows(site, "SELECT source_id, content FROM content"))
    for item in (item for item in ITEMS if str(item.source_id) in stored):
        plain = OLD_FILE.sub("@", item.content)
        found = ours.sub("@", OLD_FILE.sub("@", site.own_files.show(stored[str(item.source_id)])))
        assert re.sub("[0-9]+", "", found) == re.sub("[0-9]+", "", plain)


def test_ids_in_galleries_and_blocks_are_those_of_the_media_here(imported: Client) -> None:
    site = imported.site
    ids = dict(rows(site, "SELECT source_id, id FROM content WHERE type = 'attachment'"))
    gallery = re.compile(r'\[gallery [^\]]*ids="([0-9,]+)"|wp:gallery \{"ids":\[([0-9",]+)\]|wp:image \{"id":([0-9]+)')
    stored = dict(rows(site, "SELECT source_id, content FROM content"))
    seen = 0
    for item in (item for item in ITEMS if str(item.source_id) in stored):
        given = [number for match in gallery.findall(item.content) for number in re.findall("[0-9]+", "".join(match))]
        found = [number for match in gallery.findall(stored[str(item.source_id)]) for number in re.findall("[0-9]+", "".join(match))]
        assert found == [str(ids.get(number, number)) for number in given]
        seen += sum(number in ids for number in given)
    assert seen > 50


def test_a_second_import_brings_no_file_twice(imported: Client, folder: Path) -> None:
    site = imported.site
    before = sorted(site.config.uploads.rglob("*")), rows(site, "SELECT * FROM content"), rows(site, "SELECT * FROM media")
    report = import_wxr(site, THEME, source=Folder(folder), trust_markup=True)
    assert report.imported == {}
    assert report.known["attachment"] == report.known["file"] == 38
    assert (sorted(site.config.uploads.rglob("*")), rows(site, "SELECT * FROM content"),
            rows(site, "SELECT * FROM media")) == before


def test_media_read_back_over_http(imported: Client) -> None:
    client = imported
    answer = client.get("/media?per_page=100")
    assert answer.headers["X-WP-Total"] == "38"
    for item in answer.json:
        file = next(file for file in FILES if file.source_id == int(client.site.database.scalar(
            "SELECT source_id FROM content WHERE id = ?", (item["id"],))))
        assert item["title"]["rendered"]
        assert item["date_gmt"] == f"{file.date_gmt:%Y-%m-%dT%H:%M:%S}"
        assert (item["post"] is None) is (file.parent_source_id is None)
        address = item["source_url"].removeprefix("http://cms.example")
        assert client.http.get(address, buffered=True).status_code == 200
    post = next(post for post in client.get("/posts?per_page=100&_embed").json if post["featured_media"])
    (featured,) = post["_embedded"]["wp:featuredmedia"]
    assert set(featured["media_details"]["sizes"]) == {"thumbnail", "medium", "medium_large", "full"}


def test_what_was_imported_leads_to_its_files_under_another_address(imported: Client) -> None:
    site = imported.site
    site.close()

    client = Client(site.config.instance, url="http://127.0.0.1:8400")
    found: set[str] = set()
    for form in ("posts", "pages", "comments"):
        shown = client.get(f"/{form}?per_page=100&_fields=content,excerpt").get_data(as_text=True)
        assert "http://cms.example" not in shown
        assert "/uploads/./" not in shown
        found |= set(re.findall(r"http://127\.0\.0\.1:8400(/uploads/[^\s\"'\\\\<>()]*)", shown))
    assert len(found) > 10
    assert not [each for each in found if client.http.get(each, buffered=True).status_code != 200]
    client.close()


def run(site: Site, *arguments: str) -> Any:
    return CliRunner().invoke(main, ["--instance", str(site.config.instance), "import", *arguments])


def test_the_command_takes_files_from_a_folder(site: Site, folder: Path) -> None:
    shown = run(site, str(THEME), "--media", str(folder), "--json")
    assert shown.exit_code == 0, shown.output
    told = json.loads(shown.stdout)
    assert (told["imported"]["file"], told["missing_files"], told["further_missing_files"]) == (38, [], 0)
    assert told["addresses"] > 80


def test_the_command_lists_files_that_are_missing(site: Site, tmp_path: Path) -> None:
    put(tmp_path / "old", "2008/06/canola2.jpg")
    shown = run(site, str(THEME), "--media", str(tmp_path / "old"))
    assert re.search(r"^ *file +1 +0 *$", shown.stdout, re.MULTILINE)
    assert "File that is still at its old address" in shown.stdout
    line = r"^ *616 +[0-9]+ +https://wpthemetestdata\S+/dsc20050727_091048_222\.jpg +it isn't in the folder *$"
    assert re.search(line, shown.stdout, re.MULTILINE)
    assert "addresses in texts lead to files that are here now" in shown.stdout
    told = json.loads(run(site, str(THEME), "--media", str(tmp_path / "old"), "--json").stdout)
    assert len(told["missing_files"]) == 37
    assert set(told["missing_files"][0]) == {"item", "line", "address", "reason"}


def test_the_command_leaves_files_where_they_are(site: Site) -> None:
    told = json.loads(run(site, str(THEME), "--no-media", "--json").stdout)
    assert (told["imported"]["attachment"], "file" in told["imported"], told["missing_files"]) == (38, False, [])
    assert told["left_out"]["file: files weren't asked for"] == 38


@pytest.mark.parametrize(("arguments", "words"), [
    (("--media", "/not/there"), "does not exist"), (("--media", str(THEME)), "is a file"),
    (("--media", "/", "--no-media"), "Choose one of"),
])
def test_the_command_refuses_what_makes_no_sense(site: Site, arguments: tuple[str, ...], words: str) -> None:
    shown = run(site, str(THEME), *arguments)
    assert shown.exit_code == 2
    assert words in shown.output


def test_the_command_fetches_unless_told_otherwise(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def resolve(name: str) -> list[str]:
        asked.append(threading.current_thread().name)
        return ["10.0.0.1"]

    monkeypatch.setattr("cms.net.client.resolve", resolve)
    told = json.loads(run(site, str(THEME), "--json").stdout)
    assert len(told["missing_files"]) == len(asked) == 38
    assert all(name.startswith("fetching") for name in asked)
    assert {file["reason"] for file in told["missing_files"]} == {
        'its address isn\'t visited: "wpthemetestdata.files.wordpress.com" isn\'t on the open internet: 10.0.0.1'}


def test_report_counts_what_it_does_not_list() -> None:
    report = Report()
    for number in range(1_010):
        report.miss(number, number, "a", "b")
    told = report.as_dict()
    assert (len(told["missing_files"]), told["further_missing_files"]) == (1_000, 10)


@pytest.mark.long
def test_it_moves_on_with_all_its_files(make_client: Callable[..., Client], folder: Path, tmp_path: Path) -> None:
    first, second = make_client(), make_client()
    import_wxr(first.site, THEME, source=Folder(folder), trust_markup=True)
    with (tmp_path / "moved.xml").open("wb") as file:
        export_wxr(first.site, file)

    report = import_wxr(second.site, tmp_path / "moved.xml", source=Folder(first.site.config.uploads), trust_markup=True)

    assert (report.imported["file"], report.missing_files, report.left_out, report.notices) == (38, [], {}, [])
    assert portray(second) == portray(first)
    uploads = [sorted(path.relative_to(site.config.uploads) for path in site.config.uploads.rglob("*"))
               for site in (first.site, second.site)]
    assert uploads[0] == uploads[1]
