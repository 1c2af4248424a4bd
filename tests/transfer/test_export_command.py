"""`cms export`: a whole file under its name or none, and what is said meanwhile."""

from __future__ import annotations

import json
import os
import pty
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from clients.served import CMS, ROOT
from test_cli import Terminal

from cms.rendering.folding import fold
from cms.transfer.wxr.reader import read
from cms.transfer.wxr.records import ItemRecord

THEME = Path(__file__).parent.parent / "data" / "wxr" / "theme-unit-test.wxr.xml"
SQL = ("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) INSERT INTO comments "
       "(post_id, content, date_gmt, status) SELECT {post}, hex(zeroblob(1000)), '2020-01-01T00:00:00', 'hold' FROM n")


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    made = Terminal(tmp_path / "instance")
    made.run("init", "--password-stdin", "--demo", input="first password\n")
    return made


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "instance")


def test_it_writes_a_file_for_its_owner_alone_and_says_what_it_holds(terminal: Terminal, tmp_path: Path) -> None:
    target = tmp_path / "export.xml"

    told = terminal.json("export", str(target))

    assert told["file"] == str(target)
    assert told["exported"]["user"] == 1
    assert told["exported"]["post"] >= 3
    of_others = told["exported"].pop("comment", 0)  # they are parts of items
    assert len(list(read(target))) == 1 + sum(told["exported"].values())
    assert of_others == sum(len(record.comments) for record in read(target) if isinstance(record, ItemRecord))
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert names(tmp_path) == ["export.xml"]


def test_people_get_a_table(terminal: Terminal, tmp_path: Path) -> None:
    result = terminal.run("export", str(tmp_path / "export.xml"))

    assert ["user", "1"] in [line.split() for line in result.stdout.splitlines()]
    assert result.stderr == ""


def test_standard_output_holds_the_export_alone(terminal: Terminal, tmp_path: Path) -> None:
    result = terminal.run("export", "-", "--json")
    piped = tmp_path / "piped.xml"
    piped.write_bytes(result.stdout_bytes)

    assert json.loads(result.stderr)["exported"]["user"] == 1
    assert len(list(read(piped))) > 4
    assert "user" in terminal.run("export", "-").stderr


def test_an_older_file_is_replaced_only_when_asked(terminal: Terminal, tmp_path: Path) -> None:
    target = tmp_path / "export.xml"
    target.write_text("older")

    assert "--force" in terminal.refusal("export", str(target))
    assert target.read_text() == "older"
    terminal.run("export", str(target), "--force")
    assert target.read_text().startswith("<?xml")
    assert names(tmp_path) == ["export.xml"]


def test_what_can_be_no_target_is_refused(terminal: Terminal, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    assert "no folder" in terminal.refusal("export", str(tmp_path / "none" / "export.xml"))
    for target in (tmp_path, pipe):
        assert "isn't a file" in terminal.refusal("export", str(target), "--force")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_without_a_site_nothing_is_written(tmp_path: Path) -> None:
    assert "make a site there" in Terminal(tmp_path / "instance").refusal("export", str(tmp_path / "export.xml"), code=2)
    assert names(tmp_path) == []


@pytest.fixture
def environ(terminal: Terminal) -> dict[str, str]:
    return {**os.environ, "CMS_INSTANCE": str(terminal.folder), "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT)}


def fill(terminal: Terminal, rows: int) -> None:
    """Add comments of 2 KB, more than are written in a moment."""
    with sqlite3.connect(terminal.folder / "site.db") as connection:
        connection.create_function("fold", 1, fold, deterministic=True)  # of the index for search
        post = connection.execute("SELECT MIN(id) FROM content").fetchone()[0]
        connection.execute(SQL.format(rows=rows, post=post))
    connection.close()


@pytest.mark.long
@pytest.mark.usefixtures("heeding_interrupts")
@pytest.mark.parametrize("older", [True, False])
def test_an_interrupted_export_leaves_nothing_new(
        terminal: Terminal, environ: dict[str, str], tmp_path: Path, older: bool) -> None:
    fill(terminal, 20_000)
    target = tmp_path / "export.xml"
    if older:
        target.write_text("older")
    with subprocess.Popen([*CMS, "export", str(target), "--force"], env=environ, stderr=subprocess.PIPE) as running:
        while not any(path.stat().st_size for path in tmp_path.glob("*.part")) and running.poll() is None:
            time.sleep(0.005)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        _out, told = running.communicate(timeout=60)

    assert (running.returncode, told.split()) == (130, [b"Stopped."])
    assert names(tmp_path) == (["export.xml"] if older else [])
    assert not older or target.read_text() == "older"


def test_a_full_disk_is_told_in_one_line(environ: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*CMS, "export", "-"], env=environ, stdout=full, stderr=subprocess.PIPE, text=True)

    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "Error: No space left on device"
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_ends_it_quietly(terminal: Terminal, environ: dict[str, str]) -> None:
    fill(terminal, 1_000)
    with subprocess.Popen([*CMS, "export", "-"], env=environ, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().startswith(b"<?xml")
        running.stdout.close()
        assert running.stderr.read() == b""
        running.wait(timeout=60)


def test_who_watches_sees_how_far_it_is(environ: dict[str, str], tmp_path: Path) -> None:
    shown, terminal_end = pty.openpty()
    with subprocess.Popen([*CMS, "export", str(tmp_path / "export.xml")], env={**environ, "TERM": "xterm"},
                          stdout=subprocess.DEVNULL, stderr=terminal_end) as running:
        os.close(terminal_end)
        seen = b"".join(pieces(shown))
        running.wait(timeout=60)

    assert running.returncode == 0
    assert b"Writing" in seen
    assert b"100%" in seen


def pieces(end: int) -> Iterator[bytes]:
    while True:
        try:
            piece = os.read(end, 4096)
        except OSError:  # how Linux tells that nobody writes any more
            return
        if not piece:
            return
        yield piece


def peak(command: list[str], environ: dict[str, str]) -> int:
    """Run a command and return the most memory that it had at once, in bytes."""
    running = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    _pid, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0
    return used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.long
def test_memory_does_not_grow_with_the_site(terminal: Terminal, environ: dict[str, str], tmp_path: Path) -> None:
    command = [*CMS, "export", str(tmp_path / "export.xml"), "--force"]
    idle = peak(command, environ)
    fill(terminal, 40_000)

    grown = peak(command, environ) - idle

    assert (tmp_path / "export.xml").stat().st_size > 80_000_000
    assert grown < 20_000_000
