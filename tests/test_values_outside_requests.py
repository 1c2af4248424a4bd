"""What a thread that answers no requests reads, as a plugin's job does: as new as what other processes have written."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sites import Client


def test_a_thread_of_its_own_sees_each_write_of_another_process(client: Client, tmp_path: Path) -> None:
    other, titles = Client(tmp_path / "site-0"), []
    with ThreadPoolExecutor(1) as thread:
        for title in ("One", "Two", "Three"):
            assert other.post("/settings", {"title": title}, "administrator").status_code == 200
            titles.append(thread.submit(lambda: client.site.settings["title"]).result())
    other.site.close()

    assert titles == ["One", "Two", "Three"]


def test_a_thread_that_has_answered_a_request_sees_each_write_of_another_process(client: Client, tmp_path: Path) -> None:
    other, titles = Client(tmp_path / "site-0"), []
    with ThreadPoolExecutor(1) as thread:
        thread.submit(client.get, "/posts").result()
        for title in ("One", "Two", "Three"):
            assert other.post("/settings", {"title": title}, "administrator").status_code == 200
            titles.append(thread.submit(lambda: client.site.settings["title"]).result())
    other.site.close()

    assert titles == ["One", "Two", "Three"]
