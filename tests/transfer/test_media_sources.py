"""Where the files of an import come from: the old site over HTTP, or a folder; and what becomes of them."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from media.uploading import read
from old_site import LOCAL, Answer, OldSite, serve_old_site
from transfer.conftest import CHANNEL
from transfer.pictures import picture, put
from transfer.test_attachments import attachment, media, text, uploads
from transfer.test_import_rules import item, stored

from cms.assembly import open_site
from cms.config import Config, load_config
from cms.media.storage import removing
from cms.net.client import Client
from cms.site import Site
from cms.transfer.importing.importer import Report, import_wxr
from cms.transfer.importing.media.sources import MAX_FAILURES, Folder, Web
from cms.transfer.wxr.records import ImportRefused

Bring = Callable[..., Report]


@pytest.fixture
def old() -> Iterator[OldSite]:
    with serve_old_site() as site:
        yield site


@pytest.fixture
def web() -> Web:
    """A source that may reach this machine."""
    return local_web()


def local_web(timeout: float = 5) -> Web:
    return Web(Client(timeout=timeout, exempt=LOCAL), retry_delays=(0.01, 0.01))


def at(old: OldSite, id: int, path: str) -> str:
    return attachment(id, attachment_url=f"{old.home}{path}", post_name=f"f{id}")


def reasons(report: Report) -> dict[int | None, str]:
    return {file.item: file.reason for file in report.missing_files}


def files_of(site: Site) -> list[str]:
    return [path for path in uploads(site) if (site.config.instance / path).is_file()]


def test_files_are_fetched_from_the_old_site(site: Site, bring: Bring, old: OldSite, web: Web) -> None:
    old.answers |= {"/2013/03/a%20b.jpg": Answer(picture(400, 300)), "/moved.pdf": Answer(
        status=301, headers={"Location": "/r.pdf"}), "/r.pdf": Answer(read("report.pdf"))}
    report = bring(at(old, 1, "/2013/03/a b.jpg") + at(old, 2, "/moved.pdf")
                   + item(3, inner=text(f"{old.home}/2013/03/a%20b-300x225.jpg")), web)
    assert report.imported["file"] == 2
    assert report.missing_files == []
    assert media(site, 1)["file"] == "2013/03/a-b.jpg"
    assert (site.config.uploads / "2013/03/a-b.jpg").read_bytes() == picture(400, 300)
    assert (media(site, 2)["file"], stored(site, 2)["mime_type"]) == ("2020/01/moved.pdf", "application/pdf")
    assert stored(site, 3)["content"] == site.context.file_url("2013/03/a-b-300x225.jpg")


@pytest.mark.parametrize(("answer", "reason"), [
    (Answer(status=404), "answered 404"), (Answer(status=403), "answered 403"), (Answer(status=204), "answered 204"),
    (Answer(status=500), "answered 500"), (Answer(b""), "is empty"),
    (Answer(b"<html>"), "isn't what its name says"), (Answer(read("harbour.png")[:40]), "isn't what its name says"),
    (Answer(b"x" * 100, headers={"Content-Encoding": "gzip"}), "compressed"),
    (Answer(status=302, headers={"Location": "http://10.0.0.1/x.jpg"}), "isn't on the open internet"),
    (Answer(status=302, headers={"Location": "file:///etc/passwd"}), "doesn't begin with http"),
    (Answer(status=302, headers={"Location": "/x.jpg"}), "more than 5 times"),
    (Answer(b"x" * 500, cut=100), "broke off"),
])
def test_a_file_that_does_not_come_is_listed_with_the_reason(site: Site, bring: Bring, old: OldSite, web: Web,
                                                            answer: Answer, reason: str) -> None:
    old.answers["/x.jpg"] = answer
    old.answers["/y.jpg"] = Answer(picture())
    report = bring(at(old, 1, "/x.jpg") + at(old, 2, "/y.jpg"), web)
    assert report.imported["attachment"] == 2
    assert list(reasons(report)) == [1]
    assert reason in reasons(report)[1]
    assert report.missing_files[0].address == media(site, 1)["origin"] == f"{old.home}/x.jpg"
    assert media(site, 1)["file"] == ""
    assert files_of(site) == ["uploads/2020/01/y.jpg"]


def test_limits_of_uploads_hold(tmp_path: Path, old: OldSite) -> None:
    config = load_config(tmp_path, {"max_upload": 20_000, "max_pixels": 10_000, "upload_types": ["png", "jpg"]}, environ={})
    old.answers |= {"/long.png": Answer(b"x" * 30_000), "/unsaid.png": Answer(picture(1, 1, "PNG") + b"x" * 30_000, headers={"Transfer-Encoding": "chunked"}),
                    "/wide.png": Answer(picture(200, 200, "PNG")), "/x.pdf": Answer(read("report.pdf")),
                    "/page.php": Answer(b"<?php"), "/fine.png": Answer(picture(20, 20, "PNG"))}
    names = list(old.answers)
    with site_of(config) as site:
        report = bring_into(site, tmp_path, "".join(at(old, id, name) for id, name in enumerate(names, 1)), local_web())
        told = {names[(id or 0) - 1]: reason for id, reason in reasons(report).items()}
        assert set(told) == set(names) - {"/fine.png"}
        assert told["/long.png"] == told["/unsaid.png"] == "The file is larger than 20000 bytes."
        assert "pixels" in told["/wide.png"]
        assert "type" in told["/x.pdf"]
        assert "type" in told["/page.php"]
        assert files_of(site) == ["uploads/2020/01/fine.png"]


def site_of(config: Config) -> Any:
    from contextlib import contextmanager

    from cms.install.bootstrap import set_up

    @contextmanager
    def opened() -> Iterator[Site]:
        site = open_site(config)
        set_up(site, password="correct-horse-battery")
        yield site
        site.close()

    return opened()


def bring_into(site: Site, folder: Path, body: str, source: Any, progress: Any = None) -> Report:
    path = folder / "export.xml"
    path.write_text(CHANNEL.format(body), "utf-8")
    return import_wxr(site, path, progress, source)


def test_a_server_that_stumbles_is_asked_again(bring: Bring, old: OldSite, web: Web) -> None:
    answers = iter([Answer(status=503), Answer(picture(), cut=20), Answer(picture())])
    old.answers["/x.jpg"] = lambda: next(answers)
    report = bring(at(old, 1, "/x.jpg"), web)
    assert report.imported["file"] == 1
    assert old.paths == ["/x.jpg"] * 3


@pytest.mark.parametrize("path", ["/gone.jpg", "/refused"])
def test_what_will_not_change_is_asked_for_once(bring: Bring, old: OldSite, web: Web, path: str) -> None:
    old.answers["/refused"] = Answer(status=302, headers={"Location": "http://192.168.0.1/"})
    bring(at(old, 1, path), web)
    assert old.paths == [path]


def test_a_host_that_always_fails_is_given_up(bring: Bring) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        home = OldSite(closed.getsockname()[1])
        report = bring("".join(at(home, id, f"/{id}.jpg") for id in range(1, 41)), local_web())
    told = list(reasons(report).values())
    assert len(told) == 40
    assert sum(f"failed for {MAX_FAILURES} other files in a row" in reason for reason in told) > 20
    assert sum("can't be reached" in reason for reason in told) >= MAX_FAILURES


def test_a_host_that_fails_now_and_then_is_not_given_up(bring: Bring, old: OldSite, web: Web) -> None:
    old.answers |= {f"/{id}.jpg": Answer(picture()) if id % 3 == 0 else Answer(status=500) for id in range(1, 41)}
    report = bring("".join(at(old, id, f"/{id}.jpg") for id in range(1, 41)), web)
    assert report.imported["file"] == 13
    assert set(reasons(report).values()) == {"the server answered 500"}


def test_private_addresses_are_not_visited(bring: Bring, old: OldSite) -> None:
    old.answers["/x.jpg"] = Answer(picture())
    report = bring(at(old, 1, "/x.jpg") + attachment(2, attachment_url="http://[::1]/x.jpg")
                   + attachment(3, attachment_url="file:///etc/passwd") + attachment(4, name=""), Web())
    assert old.asked == []
    assert ["isn't visited" in reason for reason in reasons(report).values()] == [True, True, False, False]
    assert [reasons(report)[id] for id in (3, 4)] == ["the export names no address for it"] * 2


def test_files_come_several_at_once_and_before_the_transaction(site: Site, tmp_path: Path, old: OldSite) -> None:
    together, seen = threading.Barrier(4, timeout=5), []

    def answer() -> Answer:
        together.wait()
        return Answer(picture())

    def watch(stage: str, done: int, total: int | None) -> None:
        seen.append((stage, site.database.peewee.in_transaction(), total))

    old.answers |= {f"/{id}.jpg": answer for id in range(1, 9)}
    bring_into(site, tmp_path, "".join(at(old, id, f"/{id}.jpg") for id in range(1, 9)), local_web(), watch)
    stages = [each for each in seen if each[0] != "reading"]
    assert stages == [("fetching", False, 8)] * 8 + [("writing", True, 8)] * 8


class _StopError(BaseException):
    pass


@pytest.mark.parametrize("moment", [("fetching", 3), ("writing", 2)])
def test_an_interruption_leaves_nothing_behind(site: Site, tmp_path: Path, old: OldSite, moment: tuple[str, int]) -> None:
    def stop(stage: str, done: int, total: int | None) -> None:
        if (stage, done) == moment:
            raise _StopError

    slow = Answer(picture(), headers={"Content-Length": "100000"})
    old.answers |= {f"/{id}.jpg": Answer(picture(400, 400)) for id in range(1, 9)}
    body = "".join(at(old, id, f"/{id}.jpg") for id in range(1, 9))
    if moment[0] == "fetching":
        old.answers["/9.jpg"] = slow  # never ends by itself
        body = at(old, 9, "/9.jpg") + body
    before, threads = time.monotonic(), threading.active_count()
    with pytest.raises(_StopError):
        bring_into(site, tmp_path, body, local_web(timeout=20), stop)
    assert time.monotonic() - before < 5
    assert files_of(site) == []
    assert not list(site.config.incoming.iterdir())
    assert site.database.row("SELECT 1 FROM content") is None
    assert sum(thread.name.startswith("fetching") for thread in threading.enumerate()) == 0
    assert threads <= threading.active_count() <= threads + 16  # those of the server


def test_files_of_an_import_that_fails_are_removed(site: Site, bring: Bring, old: OldSite, web: Web,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise ImportRefused("the disk is full")

    old.answers["/x.jpg"] = Answer(picture(400, 300))
    monkeypatch.setattr("cms.transfer.importing.importer.tie_references", fail)
    with pytest.raises(ImportRefused):
        bring(at(old, 1, "/x.jpg"), web)
    assert old.paths == ["/x.jpg"]
    assert files_of(site) == []
    assert site.database.row("SELECT 1 FROM content") is None


def test_a_site_that_cannot_keep_files_refuses(site: Site, bring: Bring, old: OldSite, web: Web,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    old.answers |= {f"/{id}.jpg": Answer(picture()) for id in range(1, 7)}
    monkeypatch.setattr(site.context.storage, "put", full)
    with pytest.raises(ImportRefused, match=r"No space left on device\. Nothing was imported"):
        bring("".join(at(old, id, f"/{id}.jpg") for id in range(1, 7)), web)
    assert files_of(site) == []


def test_one_odd_file_does_not_cost_the_others(site: Site, bring: Bring, old: OldSite, web: Web,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    from cms.media import pictures

    def measure(path: Path) -> tuple[int, int]:
        if path.stat().st_size == len(picture(7, 7)):
            raise ZeroDivisionError
        return 40, 30

    old.answers |= {"/a.jpg": Answer(picture(7, 7)), "/b.jpg": Answer(picture())}
    monkeypatch.setattr(pictures, "measure", measure)
    report = bring(at(old, 1, "/a.jpg") + at(old, 2, "/b.jpg"), web)
    assert reasons(report) == {1: "it can't be kept (ZeroDivisionError)"}
    assert files_of(site) == ["uploads/2020/01/b.jpg"]


def test_files_are_safe_from_upkeep_while_an_import_runs(site: Site, tmp_path: Path, old: OldSite) -> None:
    held: list[bool] = []

    def watch(stage: str, done: int, total: int | None) -> None:
        if stage == "writing":
            with removing(site.config.uploads_lock) as allowed:
                held.append(allowed)

    old.answers["/x.jpg"] = Answer(picture())
    bring_into(site, tmp_path, at(old, 1, "/x.jpg"), local_web(), watch)
    assert held == [False]
    with removing(site.config.uploads_lock) as allowed:
        assert allowed


def test_a_second_import_at_the_same_time_is_refused(site: Site, tmp_path: Path, old: OldSite) -> None:
    refused: list[str] = []

    def import_again(stage: str, done: int, total: int | None) -> None:
        if stage == "writing":
            with pytest.raises(ImportRefused) as refusal:
                import_wxr(site, tmp_path / "export.xml")
            refused.append(str(refusal.value))

    bring_into(site, tmp_path, item(1), None, import_again)
    assert refused == ["Another import into this site is running. Wait for its end, then try again."]


PLACES = "https://old.example/wp-content/uploads/2013/03/x.jpg"


@pytest.mark.parametrize(("address", "place"), [
    (PLACES, "2013/03/x.jpg"), (PLACES, "uploads/2013/03/x.jpg"), (PLACES, "wp-content/uploads/2013/03/x.jpg"),
    (PLACES, "x.jpg"), ("https://old.example/uploads/2013/03/x.jpg", "2013/03/x.jpg"),
    ("https://old.files.example/2013/03/x.jpg", "2013/03/x.jpg"), ("https://old.example/blog/files/a/x.jpg", "a/x.jpg"),
    ("https://old.example/2013/gr%C3%BCn.jpg?x=1", "2013/grün.jpg"), ("https://old.example/2013/grün.jpg", "2013/gru\u0308n.jpg"),
])
def test_files_are_found_in_a_folder(site: Site, bring: Bring, tmp_path: Path, address: str, place: str) -> None:
    put(tmp_path / "old", place)
    report = bring(attachment(attachment_url=address), Folder(tmp_path / "old"))
    assert report.missing_files == []
    assert report.imported["file"] == 1
    assert (tmp_path / "old" / place).exists()


def test_the_item_may_say_where_its_file_lies(site: Site, bring: Bring, tmp_path: Path) -> None:
    put(tmp_path / "old", "sites/2/x.jpg")
    meta = "<wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>sites/2/x.jpg</wp:meta_value></wp:postmeta>"
    report = bring(attachment(attachment_url="https://cdn.example/?file=3", inner=meta), Folder(tmp_path / "old"))
    assert report.imported["file"] == 1


def test_a_name_that_several_files_have_is_not_guessed(bring: Bring, tmp_path: Path) -> None:
    put(tmp_path / "old", "x.jpg")
    put(tmp_path / "old", "2013/03/x.jpg")
    report = bring(attachment(1, "2013/03/x.jpg") + attachment(2, "2014/05/x.jpg"), Folder(tmp_path / "old"))
    assert reasons(report) == {2: 'several files are named "x.jpg"; put each into its folder by year and month'}


@pytest.mark.parametrize("address", [
    "https://old.example/../../secret.jpg", "https://old.example/%2e%2e/secret.jpg", "https://old.example//etc/passwd",
    "https://old.example/link.jpg", "https://old.example/folder.jpg", "https://old.example/a%00b.jpg",
    f"https://old.example/{'x' * 300}.jpg", "https://old.example/", "",
])
def test_nothing_outside_the_folder_is_taken(site: Site, bring: Bring, tmp_path: Path, address: str) -> None:
    put(tmp_path, "secret.jpg")
    (tmp_path / "old" / "folder.jpg").mkdir(parents=True)
    (tmp_path / "old" / "link.jpg").symlink_to(tmp_path / "secret.jpg")
    report = bring(attachment(attachment_url=address), Folder(tmp_path / "old"))
    assert reasons(report) == {7: "it isn't in the folder"}
    assert files_of(site) == []


def test_files_of_a_folder_are_copied(site: Site, bring: Bring, tmp_path: Path) -> None:
    """A change in the folder must not change the site."""
    put(tmp_path / "old", "2013/03/x.jpg")
    bring(attachment(), Folder(tmp_path / "old"))
    (tmp_path / "old/2013/03/x.jpg").write_bytes(b"changed")
    assert (site.config.uploads / "2013/03/x.jpg").read_bytes() == picture()
