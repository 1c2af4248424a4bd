"""A restore that is killed at any moment leaves the state before it or the restored one, each with its own files."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from clients.served import CMS

from backup.sites import Site, content_of, make_site

pytestmark = pytest.mark.long

#: Tables that a restore changes beyond what it restores.
NUMBERS = ("sqlite_sequence", "content", "users", "terms", "comments")


def state_of(site: Site) -> dict[str, object]:
    """Return what a site holds, but for versions of rows, and files that nothing names."""
    found = content_of(site.folder)
    return {name: value for name, value in found.items() if name not in NUMBERS}


def named_files(state: dict[str, object]) -> set[str]:
    """Return the files that rows name; what was being written when all ended is hidden, and has no row."""
    rows = " ".join(map(str, state["media"]))  # type: ignore[call-overload]
    files = {name for name in state if name.startswith("uploads/") and not name.startswith("uploads/.")}
    return {name for name in files if name.rpartition("/")[2] in rows}


def test_a_killed_restore_leaves_one_state_or_the_other(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    with site.served(workers=1) as served:
        served.post("Restored")
        for number in range(20):
            served.upload(f"sea-{number}.png")
        archive = site.told("backup", str(tmp_path / "one.tar"))["file"]
        served.post("Present")
        picture = next((site.folder / "uploads").rglob("sea-3.png"))
    before = picture.read_bytes()
    site.told("restore", archive)
    restored = state_of(site)
    kept = next((site.folder / "backups").glob("*before-restore*"))
    kept_copy = tmp_path / "kept.tar"
    kept.rename(kept_copy)
    start = time.monotonic()
    site.told("restore", str(kept_copy))
    takes = time.monotonic() - start
    present = state_of(site)
    for round in range(6):
        site.told("restore", str(kept_copy))
        picture.write_bytes(b"another picture of the same name")
        next((site.folder / "uploads").rglob("sea-7.png")).unlink()
        process = subprocess.Popen([*CMS, "restore", archive], env=site.environ(), stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(takes * 0.4, takes * 1.1))
        process.send_signal(signal.SIGKILL)
        process.wait()
        # It remembers when the job that cleans up ran last, which isn't to be awaited here.
        (site.folder / "state.db").unlink(missing_ok=True)
        site.cms("work", "--once")

        found = state_of(site)
        is_restored = found["options"] == restored["options"] and "Present" not in " ".join(
            map(str, content_of(site.folder)["content"]))  # type: ignore[call-overload]
        expected = restored if is_restored else present
        assert found["media"] == expected["media"], round
        assert not (site.folder / "restoring").exists(), round
        if is_restored:
            assert picture.read_bytes() == before, round
            assert named_files(found) == named_files(restored), round
        else:
            assert picture.read_bytes() == b"another picture of the same name", round
