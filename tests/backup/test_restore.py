"""Backups that are restored into the running site: by the command line, while it is served and written to."""

from __future__ import annotations

import os
import stat
import tarfile
import threading
from pathlib import Path

import pytest
from servers import SERVER, new_database

from backup.sites import POSTS, Served, Site, content_of, make_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    settings = {"CMS_DATABASE": new_database()} if SERVER else {}
    return make_site(tmp_path_factory.mktemp("backup") / "site", **settings)


@pytest.fixture(scope="module")
def served(site: Site):  # type: ignore[no-untyped-def]
    with site.served() as served:
        yield served


class Writer(threading.Thread):
    """Writes posts until it is told to stop, and notes which were acknowledged."""

    def __init__(self, served: Served, name: str) -> None:
        super().__init__(daemon=True)
        self.served, self.prefix, self.ending = served, name, threading.Event()
        self.written: list[str] = []
        self.ids: list[int] = []

    def run(self) -> None:
        number = 0
        while not self.ending.is_set():
            number += 1
            made = self.served.post(f"{self.prefix}-{number}")
            self.written.append(f"{self.prefix}-{number}")
            self.ids.append(made["id"])


def test_what_was_acknowledged_before_a_backup_is_there_after_restoring_it(site: Site, served: Served, tmp_path: Path) -> None:
    writers = [Writer(served, name) for name in ("a", "b", "c")]
    for writer in writers:
        writer.start()
    try:
        while len(writers[0].written) < 5:
            writers[0].ending.wait(0.01)
        before = {title for writer in writers for title in list(writer.written)}
        archive = site.told("backup", str(tmp_path / "archives"))["file"]
        site.told("restore", archive)
    finally:
        for writer in writers:
            writer.ending.set()
            writer.join()

    assert before <= served.titles()
    ids = [id for writer in writers for id in writer.ids]
    assert len(ids) == len(set(ids)), "an id was given out twice"
    assert site.cms("restore", "--check", archive)


def test_every_worker_answers_the_restored_content_at_once(site: Site, served: Served, tmp_path: Path) -> None:
    made = served.post("As it was")
    served.ask("POST", "/api/cms/v2/settings", {"title": "First title"})
    archive = site.told("backup", str(tmp_path / "one.tar"))["file"]
    served.ask("POST", "/api/cms/v2/settings", {"title": "Second title"})
    address = f"{POSTS}/{made['id']}"
    changed = served.ask("POST", address, {"title": "As it became"})
    later = served.post("Written later")
    for _worker in range(8):
        assert served.server.ask("GET", address).json["title"]["rendered"] == "As it became"

    site.told("restore", archive)

    for _worker in range(8):
        assert served.server.ask("GET", address).json["title"]["rendered"] == "As it was"
        assert served.server.ask("GET", f"{POSTS}/{later['id']}").status == 404
        assert served.server.ask("GET", "/api/").json["name"] == "First title"
    assert served.server.ask("GET", address, If_None_Match=changed.named["ETag"]).status == 200
    assert served.ask("POST", address, {"title": "By a stale client"}, If_Match=changed.named["ETag"]).status == 412
    assert served.post("Written after")["id"] > later["id"]


@pytest.mark.long
def test_the_state_before_can_be_restored_from_the_archive_that_a_restore_leaves(site: Site, served: Served,
                                                                                 tmp_path: Path) -> None:
    archive = site.told("backup", str(tmp_path))["file"]
    served.post("Since the backup")
    picture = served.upload("since.png")
    path = picture["source_url"].removeprefix("http://site.example")

    kept = site.told("restore", archive)["kept"]

    assert "Since the backup" not in served.titles()
    site.told("restore", kept)
    assert "Since the backup" in served.titles()
    assert served.server.ask("GET", path).status == 200


@pytest.mark.long
def test_uploads_come_back_and_a_differing_file_of_the_same_name_is_replaced(site: Site, served: Served,
                                                                             tmp_path: Path) -> None:
    pictures = [served.upload(f"sea-{number}.png")["source_url"].removeprefix("http://site.example") for number in range(3)]
    contents = [served.server.ask("GET", path).body for path in pictures]
    files = [site.folder / path.lstrip("/") for path in pictures]
    archive = site.told("backup", str(tmp_path / "archives"))["file"]
    files[0].unlink()
    files[1].write_bytes(b"something else")
    files[2].chmod(0o600)

    site.told("restore", archive)

    assert [served.server.ask("GET", path).body for path in pictures] == contents
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o644}
    assert not (site.folder / "restoring").exists()
    assert not list((site.folder / "incoming").iterdir())


def test_an_archive_is_for_its_owner_alone_and_holds_what_the_database_names(site: Site, served: Served, tmp_path: Path) -> None:
    picture = served.upload("lake.png")
    (site.folder / "uploads" / "stray.txt").write_text("nothing names this")

    archive = Path(site.told("backup", str(tmp_path / "archives"))["file"])

    with tarfile.open(archive) as tar:
        names = tar.getnames()
    assert {"site.dump" if SERVER else "site.db", "config.toml", "manifest.json", "uploads/" + picture["source_url"].partition("/uploads/")[2]} <= set(names)
    assert len([name for name in names if "lake" in name]) == 1 + len(picture["media_details"].get("sizes", {})) - (
        "full" in picture["media_details"].get("sizes", {}))
    assert not [name for name in names if "stray" in name or "state.db" in name]
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert os.listdir(archive.parent) == [archive.name]


@pytest.mark.skipif(bool(SERVER), reason="another folder has the same database on the server")
def test_a_restore_where_there_is_no_site_makes_one(site: Site, served: Served, tmp_path: Path) -> None:
    served.post("Anywhere")
    archive = site.told("backup", str(tmp_path / "one.tar"))["file"]
    other = Site(tmp_path / "other", site.settings)

    told = other.told("restore", archive)

    assert told["kept"] == ""
    assert content_of(other.folder) == content_of(site.folder)
    assert (other.folder / "config.toml").read_text() == (site.folder / "config.toml").read_text()
    with other.served(workers=1) as there:
        assert "Anywhere" in there.titles()


def test_a_name_that_is_taken_is_not_written_over(site: Site, served: Served, tmp_path: Path) -> None:
    taken = tmp_path / "one.tar"
    taken.write_text("mine")

    told = site.cms("backup", str(taken), code=1)

    assert f"{taken} is there already" in told
    assert taken.read_text() == "mine"


@pytest.mark.long
def test_a_missing_upload_is_named_and_does_not_keep_a_site_from_being_backed_up(site: Site, served: Served,
                                                                                tmp_path: Path) -> None:
    key = served.upload("lost.png")["source_url"].partition("/uploads/")[2]
    (site.folder / "uploads" / key).unlink()

    told = site.told("backup", str(tmp_path / "one.tar"))

    assert told["missing"] == [key]
    assert site.cms("restore", "--check", told["file"])


@pytest.mark.long
def test_archives_from_before_restores_are_as_many_as_the_setting_says(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    first = site.told("backup", str(tmp_path / "first.tar"))["file"]
    kept = [Path(site.told("restore", first)["kept"]) for _again in range(2)]
    site.told("restore", str(kept[0]), CMS_BACKUP_KEEP="1")
    left = sorted(kept[0].parent.glob("*-before-restore-*"))
    assert kept[0] in left, "the archive that was restored went"
    assert kept[1] not in left
    newest = site.told("restore", first, CMS_BACKUP_KEEP="1")["kept"]
    assert list(kept[0].parent.glob("*-before-restore-*")) == [Path(newest)]
