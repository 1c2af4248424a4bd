"""Many items are prepared in several processes, and the site is the one that a single process makes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sites import Client

from cms.rendering import sanitising
from cms.transfer.importing import imported_item, preparing, processes
from cms.transfer.importing.importer import import_wxr

EXPORT = """<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://old.example</wp:base_blog_url>{}</channel></rss>"""
ITEM = """<item><title>Item {0}</title><content:encoded>Text {0} &lt;script&gt;</content:encoded><wp:post_id>{0}</wp:post_id>
<wp:post_name>item-{0}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>"""
NUMBERS = range(901, 931)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "export.xml"
    path.write_text(EXPORT.format("".join(map(ITEM.format, NUMBERS))), "utf-8")
    return path


@pytest.fixture(autouse=True)
def two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "FEW_ITEMS", 3)
    monkeypatch.setattr(preparing, "count_processes", lambda: 2)
    monkeypatch.setattr(processes, "CHUNK", 2)


def is_whole(client: Client) -> bool:
    posts = client.get("/posts?per_page=100").json
    return {post["id"]: post["content"]["rendered"] for post in posts} == {
        id: f"<p>Text {id} </p>\n" for id in NUMBERS}


def cleaned_by(monkeypatch: pytest.MonkeyPatch, note: Callable[[], None]) -> None:
    def sanitize_post(html: str) -> str:
        note()
        return sanitising.sanitize_post(html)

    monkeypatch.setattr(imported_item, "sanitize_post", sanitize_post)


def test_others_do_the_work(client: Client, export: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "processes"

    def note() -> None:
        with log.open("a") as file:
            file.write(f"{os.getpid()}\n")

    cleaned_by(monkeypatch, note)

    import_wxr(client.site, export)

    assert is_whole(client)
    done = log.read_text().split()
    assert len(done) == len(NUMBERS)  # each text once
    assert done.count(str(os.getpid())) == 3


def test_what_a_killed_process_was_to_do_is_done_all_the_same(
        client: Client, export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()

    def die() -> None:
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    cleaned_by(monkeypatch, die)

    assert import_wxr(client.site, export).imported["post"] == len(NUMBERS)

    assert is_whole(client)


FAMILY = r"""
import os, time
from cms.transfer.importing.processes import prepare_in_processes

def prepare(item):
    os.write(1, f"{os.getpid()}\n".encode())  # a whole line at once, whatever PYTHONUNBUFFERED says
    time.sleep(60)

for _each in prepare_in_processes(iter(range(100)), prepare, dict, 2):
    pass
"""


def test_the_processes_of_a_killed_import_end() -> None:
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        try:
            children = {int(parent.stdout.readline()) for _number in range(2)}
        finally:
            parent.kill()

        assert len(children) == 2
        assert parent.stdout.read() == ""  # ends when whoever could write there is gone
