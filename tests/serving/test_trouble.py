"""What goes wrong under a served site: what is answered meanwhile, and that it works again when the cause is gone."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from clients.served import CMS
from media.uploading import read

from serving.servers import ADMIN, WORKERS, Answer, Server, await_true, environ_of, make_site, serving

pytestmark = pytest.mark.long
POSTS = "/api/cms/v2/posts"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_site(tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A site on a disk of its own with 12 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", place], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("file systems can't be mounted here")
    try:
        make_site(place / "site")
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@contextmanager
def read_only(disk: Path) -> Iterator[Path]:
    """Let a disk be seen at another place too, where nothing of it can be written."""
    place = disk.parent / "seen"
    place.mkdir()
    subprocess.run(["mount", "--bind", disk, place], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def write(server: Server, title: str = "Ferry") -> Answer:
    body = json.dumps({"title": title, "status": "publish"})
    return server.ask("POST", POSTS, body, Content_Type="application/json", **ADMIN)


def assert_unavailable(answer: Answer) -> None:
    assert answer.status == 503, answer.body
    assert answer.named["Retry-After"] == "30"
    assert answer.json["code"] == "rest_unavailable"
    assert b"Traceback" not in answer.body


def replace_workers(server: Server) -> None:
    """Kill the processes that answer, and wait until others have come."""
    before = server.workers()
    for worker in before:
        os.kill(worker, signal.SIGKILL)
    await_true(lambda: bool(set(server.workers()) - set(before)) and not set(server.workers()) & set(before))


def limit_files(workers: list[int], size: int) -> None:
    """Let processes write no file beyond a size."""
    for worker in workers:
        resource.prlimit(worker, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def assert_reads(server: Server) -> None:
    assert server.ask("GET", f"{POSTS}?per_page=1").status == 200


def test_no_write_is_acknowledged_into_a_removed_database(folder: Path) -> None:
    with serving(folder, "gthread") as server:
        assert write(server).status == 201
        (folder / "site.db").rename(folder / "away.db")
        assert_unavailable(write(server, "Lost"))
        assert not (folder / "site.db").exists()
        (folder / "away.db").rename(folder / "site.db")
        assert write(server, "Back").status == 201
        assert_reads(server)
    with closing(sqlite3.connect(folder / "site.db")) as file:
        assert not file.execute("SELECT 1 FROM content WHERE title = 'Lost'").fetchall()
        assert file.execute("SELECT 1 FROM content WHERE title = 'Back'").fetchall()


@pytest.mark.parametrize("worker", WORKERS)
def test_a_worker_that_starts_while_the_database_is_away_keeps_its_log(folder: Path, worker: str) -> None:
    with serving(folder, worker) as server:
        assert write(server, "Kept").status == 201
        (folder / "site.db").rename(folder / "away.db")
        replace_workers(server)
        for _attempt in range(2):
            assert_unavailable(server.ask("GET", POSTS))
            assert_unavailable(write(server, "Lost"))
        assert not (folder / "site.db").exists()
        (folder / "away.db").rename(folder / "site.db")
        assert write(server, "Back").status == 201
        titles = [post["title"]["rendered"] for post in server.ask("GET", POSTS).json]
    assert {"Kept", "Back"} <= set(titles)
    assert "Lost" not in titles


@pytest.mark.parametrize("worker", WORKERS)
def test_a_removed_log_loses_nothing_that_was_acknowledged(folder: Path, worker: str) -> None:
    with serving(folder, worker) as server:
        assert write(server, "Kept").status == 201
        (folder / "site.db-wal").unlink()
        for _attempt in range(3):
            assert_unavailable(write(server, "Lost"))
        assert not (folder / "site.db-wal").exists()
        assert server.ask("GET", "/readyz").status == 503
        replace_workers(server)
        assert write(server, "Back").status == 201
        titles = [post["title"]["rendered"] for post in server.ask("GET", POSTS).json]
    assert {"Kept", "Back"} <= set(titles)
    assert "Lost" not in titles


def test_what_starts_while_the_log_is_removed_makes_no_other(folder: Path) -> None:
    with serving(folder, "gthread") as server:
        assert write(server, "Kept").status == 201
        (folder / "site.db-wal").unlink()
        for command in (["doctor"], ["backup", folder / "copy.tar"], ["post", "list"]):
            done = subprocess.run([*CMS, *command], env=environ_of(folder), capture_output=True, text=True, check=False)
            assert done.returncode, done.stdout
            assert not (folder / "site.db-wal").exists()
        assert_unavailable(write(server, "Lost"))
    with closing(sqlite3.connect(folder / "site.db")) as file:
        assert file.execute("SELECT title FROM content WHERE title IN ('Kept', 'Lost')").fetchall() == [("Kept",)]
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("worker", WORKERS)
def test_a_server_that_started_on_a_read_only_disk_writes_once_it_may(disk: Path, worker: str) -> None:
    with closing(sqlite3.connect(disk / "site" / "site.db")) as other, read_only(disk) as seen:
        other.execute("SELECT 1 FROM content").fetchone()  # a log that is there can be read, none can be made
        with serving(seen / "site", worker) as server:
            assert_reads(server)
            for _attempt in range(3):
                assert_unavailable(write(server, "Lost"))
            subprocess.run(["mount", "-o", "remount,rw,bind", seen], check=True)
            assert write(server, "Back").status == 201
            titles = [post["title"]["rendered"] for post in server.ask("GET", POSTS).json]
    assert "Back" in titles
    assert "Lost" not in titles


@pytest.mark.parametrize("worker", WORKERS)
def test_files_that_may_not_grow_refuse_writes_until_they_may(folder: Path, worker: str) -> None:
    with serving(folder, worker) as server:
        assert write(server).status == 201
        workers = server.workers()
        limit_files(workers, (folder / "site.db-wal").stat().st_size + 4_096)
        for _attempt in range(3):
            assert_unavailable(write(server, "Lost " * 2_000))
        assert_reads(server)
        assert server.workers() == workers
        limit_files(workers, resource.RLIM_INFINITY)
        assert write(server, "Back").status == 201


def test_no_write_is_acknowledged_into_a_replaced_database(folder: Path) -> None:
    with serving(folder, "gthread") as server:
        assert write(server).status == 201
        shutil.copyfile(folder / "site.db", folder / "other.db")
        os.replace(folder / "other.db", folder / "site.db")
        assert_unavailable(write(server, "Lost"))
    for name in ("site.db-wal", "site.db-shm"):
        (folder / name).unlink(missing_ok=True)
    with serving(folder, "gthread") as server:
        assert write(server).status == 201


def test_a_full_disk_refuses_writes_until_there_is_room(disk: Path) -> None:
    folder = disk / "site"
    with serving(folder, "gthread") as server:
        assert write(server).status == 201
        fill = disk / "fill"
        with fill.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(b"x" * 4_096):
                pass
        assert_unavailable(write(server, "Lost " * 100))
        assert_reads(server)
        fill.unlink()
        assert write(server, "Back").status == 201


def test_a_damaged_page_is_told_and_others_are_read(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "site.db")) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = file.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'terms'").fetchone()
        (size,) = file.execute("PRAGMA page_size").fetchone()
    with (folder / "site.db").open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    with serving(folder, "gthread") as server:
        assert_unavailable(server.ask("GET", "/api/cms/v2/tags/1"))
        assert server.ask("GET", "/api/cms/v2/users", **ADMIN).status == 200


def test_lost_runtime_data_is_made_anew(folder: Path) -> None:
    with serving(folder, "gthread") as server:
        assert write(server).status == 201
        for path in folder.glob("state.db*"):
            path.unlink()
        assert write(server).status == 201
        assert_reads(server)


@pytest.mark.parametrize("worker", WORKERS)
@pytest.mark.parametrize("cache", ["0", "1000000"])
def test_a_process_in_place_of_another_answers_what_is_there_now(folder: Path, worker: str, cache: str) -> None:
    with serving(folder, worker, CMS_ANSWER_CACHE=cache) as server:
        for number in range(5):
            title = json.dumps({"title": f"Title {number}"}).encode()
            server.ask("POST", "/api/cms/v2/settings", title, Content_Type="application/json", **ADMIN)
            (old,) = server.workers()
            os.kill(old, signal.SIGKILL)
            await_true(lambda old=old: old not in server.workers())

            for _turn in range(2):
                assert server.ask("GET", "/api/").json["name"] == f"Title {number}"


def test_a_lost_folder_of_uploads_is_made_anew(folder: Path) -> None:
    with serving(folder, "gthread") as server:
        sent = {"Content_Type": "image/png", "Content_Disposition": 'attachment; filename="harbour.png"', **ADMIN}
        first = server.ask("POST", "/api/cms/v2/media", read("harbour.png"), **sent)
        assert first.status == 201
        shutil.rmtree(folder / "uploads")
        lost = server.ask("GET", first.json["source_url"].removeprefix("http://site.example"))
        assert lost.status == 404
        other = {**sent, "Content_Disposition": 'attachment; filename="pier.png"'}
        assert server.ask("POST", "/api/cms/v2/media", read("harbour.png"), **other).status == 201
        assert_reads(server)
