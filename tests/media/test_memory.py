"""A large upload is streamed to the disk: the server's memory doesn't grow with it."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from clients.served import CMS, ROOT, await_answer, free_port
from sites import basic

from media.uploading import read

pytestmark = pytest.mark.long

MEGABYTES = 200
PIECE = os.urandom(1 << 20)


def film() -> Iterator[bytes]:
    """Yield a film of the wanted length, which nobody holds whole."""
    yield read("film.mp4").ljust(1 << 20, b"\0")
    for _number in range(MEGABYTES - 1):
        yield PIECE


def peak(pid: int) -> int:
    """Return the most memory that a process has had at once, in bytes."""
    told = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in told.splitlines() if line.startswith("VmHWM"))


def worker_of(server: int) -> int:
    return int(Path(f"/proc/{server}/task/{server}/children").read_text().split()[0])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system doesn't tell memory by /proc")
@pytest.mark.parametrize("kind", ["gthread", "asgi"])
def test_memory_grows_by_less_than_thirty_megabytes(tmp_path: Path, kind: str) -> None:
    environ = {**os.environ, "CMS_INSTANCE": str(tmp_path), "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT), "WEB_CONCURRENCY": "1"}
    made = json.loads(subprocess.check_output([*CMS, "init", "--json"], env=environ))
    port = free_port()
    headers = {"Authorization": basic(made["login"], made["password"])}
    with subprocess.Popen([*CMS, "serve", "--bind", f"127.0.0.1:{port}", "--worker", kind], env=environ,
                          stdout=subprocess.DEVNULL) as server:
        try:
            await_answer(f"http://127.0.0.1:{port}/api/", server)
            worker = worker_of(server.pid)
            # Once a small one of each kind, so that what is loaded for the first upload is there.
            for send in (send_body, send_form):
                assert send(port, headers, 1)[0] == 201
            before = peak(worker)
            for send in (send_body, send_form):
                status, told = send(port, headers, MEGABYTES)
                assert (status, told["media_details"]["filesize"]) == (201, MEGABYTES << 20)
            grown = peak(worker) - before
        finally:
            server.terminate()
    assert grown < 30_000_000


def send_body(port: int, headers: dict[str, str], megabytes: int) -> tuple[int, dict[str, dict[str, int]]]:
    sent = {**headers, "Content-Type": "video/mp4", "Content-Disposition": 'attachment; filename="film.mp4"',
            "Content-Length": str(megabytes << 20)}
    return _send(port, sent, film(), megabytes, b"", b"")


def send_form(port: int, headers: dict[str, str], megabytes: int) -> tuple[int, dict[str, dict[str, int]]]:
    begin = (b'--edge\r\nContent-Disposition: form-data; name="file"; filename="film.mp4"\r\n'
             b"Content-Type: video/mp4\r\n\r\n")
    end = b'\r\n--edge\r\nContent-Disposition: form-data; name="title"\r\n\r\nLong film\r\n--edge--\r\n'
    sent = {**headers, "Content-Type": "multipart/form-data; boundary=edge",
            "Content-Length": str((megabytes << 20) + len(begin) + len(end))}
    return _send(port, sent, film(), megabytes, begin, end)


def _send(port: int, headers: dict[str, str], pieces: Iterator[bytes], megabytes: int, begin: bytes,
          end: bytes) -> tuple[int, dict[str, dict[str, int]]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.putrequest("POST", "/api/cms/v2/media")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(begin)
    for _number in range(megabytes):
        connection.send(next(pieces))
    connection.send(end)
    answer = connection.getresponse()
    told = json.loads(answer.read())
    connection.close()
    return answer.status, told
