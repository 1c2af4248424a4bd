"""A site served by gunicorn in a process group of its own, for programs that load it, kill it and look at it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from cms.testing import basic

LOGIN = ("admin", "correct-horse-battery")
WORKERS = ("gthread", "asgi")


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return int(some.getsockname()[1])


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a process that serves or imports into a site, with settings by their names."""
    paths = os.pathsep.join(filter(None, (".", os.environ.get("PYTHONPATH"))))
    given = {"INSTANCE": str(folder), "PASSWORD_COST": "low", "REQUEST_LOG": "off", "BACKGROUND": "true", **settings}
    return {**os.environ, "PYTHONPATH": paths, **{f"CMS_{name}": value for name, value in given.items()}}


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """Sends requests below the API as an administrator over a connection that is kept, and made anew when it broke."""

    def __init__(self, port: int, timeout: float = 60, root: str = "/api/cms/v2") -> None:
        self._port, self._timeout, self._root = port, timeout, root
        self._connection: HTTPConnection | None = None

    def send(self, method: str, path: str, data: Any = None, **headers: str) -> Answer:
        """Send JSON, or bytes as they are; raises OSError or HTTPException where no whole answer came."""
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self._port, timeout=self._timeout)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers["Authorization"] = basic(*LOGIN)
        body = data
        if data is not None and not isinstance(data, bytes):
            body = json.dumps(data)
            headers["Content-Type"] = "application/json"
        try:
            return self._exchange(method, self._root + path, body, headers)
        except (OSError, HTTPException):
            self.close()
            raise

    def _exchange(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        assert self._connection is not None
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, found, response.read())

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None


class Served:
    """A site's gunicorn: `start` waits until it answers; the rest ends it or a part of it."""

    def __init__(self, folder: Path, worker: str, port: int, workers: int = 2, **settings: str) -> None:
        self.port = port
        self._command = [sys.executable, "-m", "cms.cli", "serve", "--bind", f"127.0.0.1:{port}", "--worker", worker]
        self._environment = environment(folder, URL=f"http://127.0.0.1:{port}", **settings)
        self._environment["WEB_CONCURRENCY"] = str(workers)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; raises SystemExit where it doesn't answer within a minute."""
        self._process = subprocess.Popen(self._command, env=self._environment, start_new_session=True,
                                         stdout=subprocess.DEVNULL)
        for _ in range(600):
            with suppress(OSError, HTTPException):
                if Connection(self.port, 5, "").send("GET", "/api/").status == 200:
                    return
            time.sleep(0.1)
        raise SystemExit("the server doesn't answer")

    def processes(self) -> list[int]:
        """Return the ids of the master and its workers, the master's first."""
        master = self._master
        children = Path(f"/proc/{master}/task/{master}/children").read_text(encoding="ascii")
        return [master, *(int(each) for each in children.split())]

    def kill_worker(self, number: int) -> None:
        """Kill one of the workers; the master starts another."""
        workers = self.processes()[1:]
        if workers:
            with suppress(ProcessLookupError):
                os.kill(workers[number % len(workers)], signal.SIGKILL)

    def replace_workers(self) -> None:
        """Tell all workers to answer what they have begun and leave; the master starts others."""
        for worker in self.processes()[1:]:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGTERM)

    def kill_master(self) -> None:
        """Kill the master alone, and wait until the workers have seen it and left."""
        workers = self.processes()[1:]
        os.kill(self._master, signal.SIGKILL)
        self._wait()
        deadline = time.monotonic() + 60
        while any(is_alive(each) for each in workers):
            if time.monotonic() > deadline:
                raise SystemExit("workers outlive their master")
            time.sleep(0.05)

    def kill_all(self) -> None:
        """Kill master and workers in one moment, as a power cut does."""
        os.killpg(self._master, signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        """Let it finish and end."""
        if self._process is not None:
            self._process.terminate()
            self._wait()

    def memory(self) -> int:
        """Return the memory of all its processes in bytes, what they share counted once."""
        total = 0
        for process in self.processes():
            for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
        return total

    @property
    def _master(self) -> int:
        assert self._process is not None
        return self._process.pid

    def _wait(self) -> None:
        assert self._process is not None
        self._process.wait(60)


def is_alive(process: int) -> bool:
    """Return whether a process runs; one that nobody has waited for doesn't."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
