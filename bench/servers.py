"""Servers that are measured: started on a free port, asked by processes of their own, weighed by what /proc says."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from processes import processes_of, seconds_of

HERE = Path(__file__).parent
ROOT = HERE.parent
API = "/api/cms/v2"
POLL = 0.005
#: A client for hosts without wrk: ADDRESS SECONDS HEADER... on its command line; it prints how many answers it got.
CLIENT = """
import sys, time
from http.client import HTTPConnection
host, path = sys.argv[1].removeprefix("http://").split("/", 1)
headers = dict(each.split(": ", 1) for each in sys.argv[3:])
connection, answers, end = HTTPConnection(host), 0, time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    connection.request("GET", "/" + path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    answers += 1
print(answers)
"""


def environ_of(**settings: str) -> dict[str, str]:
    """Return the environment of a server: none of the caller's own settings, and compiled modules are kept."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("CMS_", "GUNICORN_")) and name != "PYTHONDONTWRITEBYTECODE"}
    paths = os.pathsep.join(filter(None, (str(ROOT), str(HERE), os.environ.get("PYTHONPATH"))))
    return {**kept, "PYTHONPATH": paths, **settings}


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """A server that runs, and the time from its command to its first answer."""

    process: subprocess.Popen[bytes]
    port: int
    started: float

    def seconds(self) -> float:
        """Return the processor time that its processes have taken, those that have ended included."""
        return seconds_of(self.process.pid)

    def megabytes(self) -> float:
        """Return the memory of its processes, each share of what several have (PSS)."""
        kilobytes = 0
        for process in processes_of(self.process.pid):
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
            kilobytes += int(re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)[1])
        return kilobytes / 1024

    def get(self, path: str, headers: dict[str, str]) -> str:
        """Return the answer to a read."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers=headers)
        text = connection.getresponse().read().decode()
        connection.close()
        return text

    def read(self, path: str, seconds: int, headers: dict[str, str], clients: int = 8) -> int:
        """Ask for an address over connections that are kept, and return how many answers came."""
        address, lines = f"http://127.0.0.1:{self.port}{path}", [f"{name}: {value}" for name, value in headers.items()]
        if shutil.which("wrk"):
            options = [each for line in lines for each in ("-H", line)]
            told = subprocess.run(["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", *options, address],
                                  capture_output=True, text=True, check=True).stdout
            if "Non-2xx" in told:
                raise SystemExit(f"{address}: {told}")
            return int(re.search(r"(\d+) requests in", told)[1])
        command = [sys.executable, "-c", CLIENT, address, str(seconds), *lines]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _client in range(clients)]
        return sum(int(each.communicate()[0]) for each in running)

    def write(self, path: str, bodies: list[bytes], headers: dict[str, str]) -> int:
        """Send bodies one after another over one connection, and return how many."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        for body in bodies:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status not in (200, 201):
                raise SystemExit(f"{path}: {answer.status} {text[:200]!r}")
        connection.close()
        return len(bodies)

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(60)


def start(command: list[str], environ: dict[str, str], path: str, folder: Path) -> Server:
    """Start a server whose command has {port} in it, and wait for its first answer."""
    port, begun = free_port(), time.perf_counter()
    process = subprocess.Popen([each.format(port=port) for each in command], env=environ, cwd=folder,
                               stdout=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", path)
            if connection.getresponse().status == 200:
                return Server(process, port, time.perf_counter() - begun)
        except OSError:
            time.sleep(POLL)
        finally:
            connection.close()
    raise SystemExit(f"{command} ended with {process.returncode}")


def start_site(instance: Path, worker: str, **settings: str) -> Server:
    """Serve a site as `cms serve` does."""
    command = [sys.executable, "-m", "cms.cli", "serve", "--worker", worker, "--bind", "127.0.0.1:{port}"]
    environ = environ_of(CMS_INSTANCE=str(instance), CMS_SYNCHRONOUS="normal", **settings)
    return start(command, environ, f"{API}/posts", instance)


def start_limit(database: Path, name: str, worker: str) -> Server:
    """Serve a limit by as many processes and threads as a site."""
    threads = ["--threads", "4"] if worker == "gthread" else []
    command = [sys.executable, "-m", "gunicorn", "-w", "2", "-k", worker, *threads, "--keep-alive", "5",
               "--log-level", "warning", "--no-control-socket", "-b", "127.0.0.1:{port}", f"limits:{name}"]
    environ = environ_of(LIMIT_DATABASE=str(database), LIMIT_ANSWERS=str(database.with_name("answers.json")))
    return start(command, environ, f"{API}/posts", database.parent)
