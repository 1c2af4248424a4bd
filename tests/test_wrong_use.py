"""What people type wrong at the command line: one line that says what is wrong and what to do, with a fitting exit code."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sites import Client

from cms.cli import main

ROOT = Path(__file__).parent.parent


@pytest.fixture
def folder(client: Client) -> Path:
    """The folder of a site."""
    client.site.close()
    return Path(client.site.config.instance)


def run(folder: Path, *arguments: str, **environ: str) -> Result:
    return CliRunner().invoke(main, ["--instance", str(folder), *arguments],
                              env={"CMS_PASSWORD_COST": "low", "CMS_INSTANCE": None, **environ})


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that something listens at."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


BINDS = {
    "127.0.0.1:99999": (2, "--bind can't be '127.0.0.1:99999'. It takes HOST:PORT with a port from 1 to 65535, or unix:PATH."),
    ":99999": (2, "a port from 1 to 65535"),
    "127.0.0.1:0": (2, "a port from 1 to 65535"),
    "127.0.0.1": (2, "It takes HOST:PORT"),
    "8000": (2, "It takes HOST:PORT"),
    "127.0.0.1:": (2, "It takes HOST:PORT"),
    "127.0.0.1:http": (2, "It takes HOST:PORT"),
    "": (2, "It takes HOST:PORT"),
    "203.0.113.9:8000": (1, "Choose an address of this host with --bind."),
    "no-such-host.invalid:8000": (1, "Choose an address of this host with --bind."),
    "unix:/no/such/folder/cms.sock": (1, "There is no folder for the socket file /no/such/folder/cms.sock."),
    "127.0.0.1:{taken}": (1, "Another program listens at 127.0.0.1:{taken}. Stop it, or choose another port, such as --bind"),
}


@pytest.mark.parametrize("bind", BINDS)
def test_where_nothing_can_listen(folder: Path, taken: int, bind: str) -> None:
    code, told = BINDS[bind]

    done = run(folder, "serve", "--bind", bind.format(taken=taken))

    assert (done.exit_code, done.stdout) == (code, "")
    assert told.format(taken=taken) in done.stderr
    assert len(done.stderr.splitlines()) == 1


WRONG = {
    ("token", "revoke", "999"): (1, "There is no token 999."),
    ("events", "retry", "999"): (1, "There are no such events."),
    ("media", "render", "999"): (1, "No picture has the id 999."),
    ("user", "password", "nobody", "--password-stdin"): (1, "There is no account nobody."),
    ("user", "role", "nobody", "editor"): (1, "There is no account nobody."),
    ("export", "/no/such/folder/site.xml"): (1, "There is no folder /no/such/folder."),
    ("import", "/no/such/file.xml"): (1, "The file /no/such/file.xml can't be opened: No such file or directory."),
    ("media", "hold", "no-such-program"): (1, "no-such-program: No such file or directory"),
}


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_what_isnt_there(folder: Path, arguments: tuple[str, ...]) -> None:
    code, told = WRONG[arguments]

    done = run(folder, *arguments)

    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr.startswith(f"Error: {told}")
    assert len(done.stderr.splitlines()) == 1


SETTINGS = {
    "CMS_MAX_UPLOAD=big": "the variable CMS_MAX_UPLOAD sets max_upload to 'big'; it takes a whole number, 1 or more.",
    "CMS_URL=example.org": "sets url to 'example.org'; it takes an address with its scheme, such as https://www.example.org.",
    "CMS_URLL=x": "the environment has CMS_URLL, which is no setting. Did you mean CMS_URL?",
}


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("command", ["init", "migrate", "routes", "plugins", "serve", "nonsense"])
def test_settings_that_cant_be(folder: Path, setting: str, command: str) -> None:
    name, _equals, value = setting.partition("=")

    done = run(folder, command, **{name: value})

    assert (done.exit_code, done.stdout) == (2, "")
    assert SETTINGS[setting] in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", [("migrate",), ("serve",), ("plugins",), ("nonsense",), ("user", "list"), ("import", "a.xml")])
def test_a_folder_that_isnt_there(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = run(tmp_path / "TYPO", *command)

    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (f"Error: There is no folder {tmp_path}/TYPO. Check --instance, or make a site there. "
                           f"Run: cms --instance {tmp_path}/TYPO init\n")
    assert list(tmp_path.iterdir()) == []


def interrupt(*_given: Any, **_more: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(("place", "arguments", "told"), [
    ("cms.transfer.importing.importer.import_wxr", ("import", "--no-media", str(ROOT / "tests/data/wxr/fixture-cdata.xml")),
     "Stopped. Nothing of the export came in; run the command again.\n"),
    ("cms.transfer.exporting.exporter.export_wxr", ("export", "-"), "Stopped.\n"),
    ("cms.db.migrate._applied", ("migrate",), "Stopped.\n"),
    ("cms.cli.instance.require_migrated", ("user", "list"), "Stopped.\n"),
])
def test_ctrl_c(folder: Path, monkeypatch: pytest.MonkeyPatch, place: str, arguments: tuple[str, ...], told: str) -> None:
    monkeypatch.setattr(place, interrupt)

    done = run(folder, *arguments)

    assert (done.exit_code, done.stdout, done.stderr) == (130, "", told)


def command(folder: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "cms.cli", "--instance", str(folder), *arguments]


def environ() -> dict[str, str]:
    return {**os.environ, "CMS_PASSWORD_COST": "low", "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT)}


@pytest.mark.usefixtures("heeding_interrupts")
def test_ctrl_c_in_a_process_of_its_own(folder: Path) -> None:
    waiting = "import sys, time; print(flush=True); time.sleep(60)"
    line = command(folder, "media", "hold", "--", sys.executable, "-c", waiting)
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ()) as running:
        assert running.stdout is not None
        running.stdout.readline()
        time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        _out, err = running.communicate(timeout=60)

    assert (running.returncode, err) == (130, "Stopped.\n")


def test_a_password_isnt_asked_for_where_there_is_no_terminal(folder: Path) -> None:
    done = subprocess.run(command(folder, "user", "password", "admin"), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, start_new_session=True, env=environ())

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == (
        "Error: There is no terminal to ask for the password. Send it in the first line of standard input: --password-stdin")
    assert "Warning" not in done.stderr
