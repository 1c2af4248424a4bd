"""Timed work: what is done when, by which process, and how it begins and ends."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from clients.served import CMS, ROOT, free_port
from flask import Flask
from sites import Client, Clock

from cms import init_app

pytestmark = pytest.mark.long

PLUGIN = '''
import os
from cms import hookimpl

@hookimpl
def on_event(event, site):
    with open(site.config.instance / "heard.txt", "a") as file:
        file.write(f"{event.name} {event.item_id} {os.getpid()}\\n")
'''
WAIT = 60.0


@pytest.fixture
def work(make_client: Callable[..., Client]) -> Any:
    """The work of a site whose clock stands still, without the core's jobs."""
    client = make_client()
    client.site.context.runtime.now = Clock()
    return client.site.worker


def test_a_job_is_run_at_once_and_after_each_interval(
    make_client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_client(background=True).site
    work = site.worker
    done: list[float] = []
    read: list[float] = []

    def now() -> float:
        read.append(time.monotonic())
        return read[-1]

    monkeypatch.setattr(site.context.runtime, "now", now)
    work.schedule_every(0.2, "often", lambda: done.append(read[-1]))  # the time by which it was found to be due
    work.schedule_every(3600, "seldom", lambda: done.append(0))

    work.start()
    while len(done) < 6:
        time.sleep(0.01)
    work.stop()

    times = [when for when in done if when]
    assert done.count(0) == 1
    assert all(after - before >= 0.19 for before, after in pairwise(times))


def test_a_long_interval_is_remembered_across_processes(work: Any, make_client: Callable[..., Client]) -> None:
    work.schedule_every(3600, "hourly", lambda: None)
    clock = work._runtime.now
    assert work.run_due() == ["hourly"]
    assert work.run_due() == []
    clock.now += 3599
    assert work.run_due() == []
    clock.now += 1
    assert work.run_due() == ["hourly"]
    clock.now -= 100_000  # set back
    assert work.run_due() == ["hourly"]


def test_a_job_that_fails_is_logged_by_name_and_keeps_nothing_from_others(
        work: Any, caplog: pytest.LogCaptureFixture) -> None:
    done = []
    work.schedule_every(1, "broken", lambda: 1 / 0)
    work.schedule_every(1, "other", lambda: done.append(1))

    work.run_due()

    assert "the job broken failed" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert done == [1]


def test_two_jobs_of_one_name_are_refused(work: Any) -> None:
    work.schedule_every(1, "mine", lambda: None)

    with pytest.raises(ValueError, match="mine"):
        work.schedule_every(2, "mine", lambda: None)


def test_nothing_runs_in_the_background_where_it_is_off(make_client: Callable[..., Client]) -> None:
    client = make_client(background=False)
    client.get("/posts")

    assert not [thread for thread in threading.enumerate() if thread.name == "cms-work"]


def test_the_first_request_begins_the_work_of_an_embedded_site(tmp_path: Path, make_client: Callable[..., Client]) -> None:
    database = make_client().site.config.database
    app = Flask("host")
    site = init_app(app, {"background": True, "database": str(database)}, tmp_path, base="/cms")
    before = threading.enumerate()
    ran = threading.Event()

    def begun() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread not in before]

    assert app.test_client().get("/cms/api/cms/v2/posts").status_code == 200
    site.worker.schedule_every(1, "mine", ran.set)
    assert ran.wait(WAIT)
    assert begun().count("cms-work") == 1
    site.close()
    assert begun() == []


# Real processes.


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, beside that of its plugin, of a site that nothing was done with since it was made."""
    made = tmp_path_factory.mktemp("new") / "instance"
    modules = made.parent / "modules"
    modules.mkdir()
    (modules / "listening.py").write_text(PLUGIN, encoding="utf-8")
    subprocess.run([*CMS, "init"], env=environ(made), check=True, capture_output=True)
    return made


@pytest.fixture
def folder(new: Path, tmp_path: Path) -> Path:
    """The folder of a site with a plugin that writes down each event with the process that delivers it."""
    shutil.copytree(new.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / new.name


def environ(folder: Path) -> dict[str, str]:
    path = f"{ROOT}{os.pathsep}{folder.parent / 'modules'}"
    return {**os.environ, "CMS_INSTANCE": str(folder), "PYTHONPATH": path, "CMS_BACKGROUND": "true",
            "CMS_PASSWORD_COST": "low", "CMS_PLUGINS": "listening", "WEB_CONCURRENCY": "2"}


def heard(folder: Path) -> list[list[str]]:
    file = folder / "heard.txt"
    return [line.split() for line in file.read_text().splitlines()] if file.exists() else []


def await_heard(folder: Path, count: int) -> list[list[str]]:
    await_true(lambda: len(heard(folder)) >= count)
    return heard(folder)


def await_true(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    assert condition()


def waiting(folder: Path) -> int:
    """Return how many deliveries aren't noted as done."""
    with closing(sqlite3.connect(folder / "site.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM deliveries").fetchone()[0])


ADD = """
import sys
from cms.cli import main
for login in sys.argv[1:]:
    main(["user", "add", login, "--email", f"{login}@example.org"], standalone_mode=False)
"""


def add_users(folder: Path, *logins: str) -> None:
    """Run the command for each login, in one process that does nothing else."""
    subprocess.run([sys.executable, "-c", ADD, *logins], env=environ(folder), check=True, capture_output=True)


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    # Elsewhere than in the root, whose gunicorn.conf.py would count.
    with subprocess.Popen(command, env=environ(folder), cwd=folder.parent, stderr=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(WAIT)
            except subprocess.TimeoutExpired:
                process.kill()


def test_another_process_takes_over_when_the_one_that_works_dies(folder: Path) -> None:
    with running([*CMS, "work"], folder) as first:
        add_users(folder, "one")
        await_heard(folder, 2)  # the administrator came before
        await_true(lambda: waiting(folder) == 0)
        with running([*CMS, "work"], folder) as second:
            add_users(folder, "two")
            await_heard(folder, 3)
            first.send_signal(signal.SIGKILL)
            first.wait()
            add_users(folder, "three")
            await_true(lambda: heard(folder)[-1][1] == "4")
            second.terminate()
            assert second.wait(WAIT) == 0

    lines = heard(folder)
    assert {name for name, _id, _pid in lines} == {"user.created"}
    assert [id for _name, id, pid in lines if pid == str(first.pid)] == ["1", "2", "3"]
    # The last one may have been delivered in the moment before that could be noted; what was noted isn't repeated.
    assert [id for _name, id, pid in lines if pid == str(second.pid)] in (["4"], ["3", "4"])
    assert {pid for _name, _id, pid in lines} == {str(first.pid), str(second.pid)}


GUNICORN = [sys.executable, "-m", "gunicorn", "--threads", "4", "--bind", "{bind}", "wsgi:app"]


@pytest.mark.parametrize("command", [
    [*CMS, "serve", "--bind", "{bind}"], GUNICORN, [*GUNICORN, "--preload"],
    [*CMS, "serve", "--bind", "{bind}", "--worker", "asgi"], [*GUNICORN[:-1], "-k", "asgi", "cms.asgi.entry:app"],
], ids=["cms serve", "gunicorn", "gunicorn --preload", "cms serve, asgi", "gunicorn, asgi"])
def test_of_two_workers_one_delivers_each_event_once(folder: Path, command: list[str]) -> None:
    bind = f"127.0.0.1:{free_port()}"
    with running([part.format(bind=bind) for part in command], folder) as server:
        served(f"http://{bind}/api/cms/v2/posts", server)
        add_users(folder, *"abcdef")
        assert len(await_heard(folder, 7)) == 7
        time.sleep(1.5)  # a second worker that delivered too would have done so by now
        server.terminate()
        assert server.wait(WAIT) == 0

    lines = heard(folder)
    assert len({(name, id) for name, id, _pid in lines}) == len(lines) == 7
    assert len({pid for _name, _id, pid in lines}) == 1
    assert lines[0][2] != str(server.pid)


def served(address: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        assert server.poll() is None, "the server ended"
        try:
            for _each in range(8):  # so that each worker gets one
                urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"{address} doesn't answer")


CRASHES = PLUGIN + '''
    if event.item_id == 2 and not (site.config.instance / "crashed").exists():
        (site.config.instance / "crashed").touch()
        os._exit(7)
'''


def test_a_process_that_dies_while_it_delivers_loses_nothing(folder: Path) -> None:
    (folder.parent / "modules" / "listening.py").write_text(CRASHES, encoding="utf-8")
    add_users(folder, "one", "two")

    def once() -> int:
        return subprocess.run([*CMS, "work", "--once"], env=environ(folder), capture_output=True).returncode

    assert [once(), once(), once()] == [7, 0, 0]
    assert [line[1] for line in heard(folder)] in (["1", "2", "1", "2", "3"], ["1", "2", "2", "3"])
