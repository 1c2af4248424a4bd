"""A site served for real by either kind of worker, with addresses that tell what the application is given."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from clients.served import CMS, ROOT, await_answer, free_port
from sites import basic

WORKERS = ("gthread", "asgi")
#: The event loop of gunicorn's own class of worker, whose connections call the application for each request.
PLAIN_LOOP = "plain asgi"
PASSWORD = "correct-horse-battery"
ADMIN = {"Authorization": basic("admin", PASSWORD)}
#: Below /api/: what WSGI says of a request, a body's length, an answer without end, one that takes long, and failures.
PLUGIN = '''
import hashlib
import json
import threading
import time

from cms.plugin import hookimpl
from cms.plugin import GET, PUBLIC, Answer, Endpoint, Route

PIECE = b"x" * 65_536


class Endless:
    def __init__(self, note):
        self.note = note

    def __iter__(self):
        return self

    def __next__(self):
        return PIECE

    def close(self):
        self.note("closed")


def echo(environ, note):
    variables = {name: value for name, value in environ.items() if isinstance(value, str | bool)}
    return {"environ": variables, "threads": threading.active_count()}


def sum_up(environ, note):
    digest, length = hashlib.sha256(), 0
    try:
        while piece := environ["wsgi.input"].read(50_000):
            digest.update(piece)
            length += len(piece)
    except Exception as error:
        note(type(error).__name__)
        raise
    return {"length": length, "sum": digest.hexdigest()}


def wait(environ, note):
    note("begun")
    time.sleep(float(environ["QUERY_STRING"]))
    note("done")
    return {"done": True}


def fail(environ, note):
    raise RuntimeError("as planned")


ANSWERS = {"/api/echo": echo, "/api/sum": sum_up, "/api/wait": wait, "/api/fail": fail}


@hookimpl
def wrap_wsgi(application, site):
    lock = threading.Lock()

    def note(line):
        with lock, (site.config.instance / "notes").open("a") as notes:
            notes.write(line + "\\n")

    def around(environ, start_response):
        path = environ["PATH_INFO"]
        if path == "/api/endless":
            start_response("200 OK", [("Content-Type", "text/plain")])
            return Endless(note)
        if path not in ANSWERS:
            return application(environ, start_response)
        body = json.dumps(ANSWERS[path](environ, note)).encode()
        start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]

    return around


def search(call):
    try:
        call.site.database.scalar(
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000000000) SELECT max(x) FROM n")
    finally:
        with (call.site.config.instance / "notes").open("a") as notes:
            notes.write("search ended\\n")
    return Answer({})


@hookimpl
def register_routes():
    return [Route("/search", (Endpoint(GET, search, PUBLIC),), "acme/v1")]
'''


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def named(self) -> dict[str, str]:
        return dict(self.headers)


@dataclass
class Server:
    """A server of a site."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes]
    out: IO[bytes]
    errors: IO[bytes]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request over a connection of its own; `_` in names of headers stands for a hyphen."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        finally:
            connection.close()

    def send(self, data: bytes, room: int = 0) -> socket.socket:
        """Send bytes over a connection of their own, which is the caller's to close; `room` is what it holds unread."""
        connection = socket.socket()
        if room:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        connection.settimeout(60)
        connection.connect(("127.0.0.1", self.port))
        connection.sendall(data)
        return connection

    def notes(self) -> list[str]:
        """Return what the application has noted."""
        file = self.folder / "notes"
        return file.read_text().splitlines() if file.exists() else []

    def forget_notes(self) -> None:
        (self.folder / "notes").unlink(missing_ok=True)

    def workers(self) -> list[int]:
        """Return the processes that answer."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(each) for each in children.read_text().split()]

    def stop(self) -> int:
        """Tell the server to end, and return its exit code."""
        self.process.terminate()
        return self.process.wait(60)

    def printed(self) -> tuple[bytes, bytes]:
        """Return what the server has printed as output and as errors."""
        self.out.seek(0)
        self.errors.seek(0)
        return self.out.read(), self.errors.read()


def make_site(folder: Path, plugin: str = PLUGIN) -> None:
    """Make a site with the plugin, or with another or none."""
    (folder / "plugins").mkdir(parents=True)
    if plugin:
        (folder / "plugins" / "acme.py").write_text(plugin, encoding="utf-8")
    subprocess.run([*CMS, "init", "--demo", "--password-stdin"], env=environ_of(folder), input=PASSWORD, text=True,
                   check=True, capture_output=True, timeout=120)


def environ_of(folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a site's commands; settings are given as they stand there."""
    return {**os.environ, "CMS_INSTANCE": str(folder), "CMS_PASSWORD_COST": "low", "CMS_BACKGROUND": "false",
            "CMS_URL": "http://site.example", "CMS_STATEMENT_SECONDS": "0", "WEB_CONCURRENCY": "1",
            "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT), **settings}


def command_of(worker: str, address: str) -> list[str]:
    """Return the command that serves at an address by a kind of worker."""
    if worker == PLAIN_LOOP:
        return [sys.executable, "-m", "gunicorn", "-c", "python:cms.cli.serving", "-k", "asgi", "--bind", address,
                "cms.asgi.entry:app"]
    return [*CMS, "serve", "--bind", address, "--worker", worker]


@contextmanager
def serving(folder: Path, worker: str, **settings: str) -> Iterator[Server]:
    """Serve a site by a kind of worker."""
    port = free_port()
    command = command_of(worker, f"127.0.0.1:{port}")
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors, subprocess.Popen(
            command, env=environ_of(folder, **settings), stdout=out, stderr=errors, cwd=folder) as process:
        try:
            await_answer(f"http://127.0.0.1:{port}/api/", process)
            yield Server(folder, port, process, out, errors)
        finally:
            process.terminate()


def await_true(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it doesn't become true"
        time.sleep(0.02)
