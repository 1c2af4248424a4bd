"""The site behind an event loop answers as it does behind threads, and knows when its clients have gone."""

from __future__ import annotations

import hashlib
import http.client
import io
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from clients.served import await_answer, free_port
from media.test_memory import peak
from media.uploading import read

from serving.servers import (
    ADMIN,
    PLAIN_LOOP,
    WORKERS,
    Answer,
    Server,
    await_true,
    environ_of,
    make_site,
    serving,
)

pytestmark = pytest.mark.long

#: What the server adds, or makes anew for each answer.
OF_SERVERS = {"Server", "Date", "Connection", "Transfer-Encoding", "X-Request-Id"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site with demo content."""
    made: Path = tmp_path_factory.mktemp("served") / "site"
    make_site(made)
    return made


@pytest.fixture(scope="module")
def both(folder: Path) -> Iterator[dict[str, Server]]:
    """The site, served by both kinds of worker at once; the event loop sends what it can by itself."""
    with serving(folder, "gthread") as one, serving(folder, "asgi") as other:
        yield {"gthread": one, "asgi": other}


@pytest.fixture(scope="module")
def plain(folder: Path) -> Iterator[Server]:
    """The site behind gunicorn's own event loop, which has its own way with each request."""
    with serving(folder, PLAIN_LOOP) as server:
        yield server


@pytest.fixture(params=["asgi", PLAIN_LOOP])
def asgi(request: pytest.FixtureRequest, both: dict[str, Server], plain: Server) -> Server:
    """The site behind an event loop."""
    server = plain if request.param == PLAIN_LOOP else both["asgi"]
    server.forget_notes()
    return server


def own(answer: Answer) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return what the application has to do with of an answer."""
    return answer.status, [each for each in answer.headers if each[0] not in OF_SERVERS], answer.body


@pytest.mark.parametrize(("method", "path", "headers"), [
    ("GET", "/", {}), ("GET", "/api/", {}), ("GET", "/api/cms/v2/posts", {}), ("HEAD", "/api/cms/v2/posts", {}),
    ("GET", "/api/cms/v2/posts?per_page=1&search=a%20b&_envelope", {}), ("GET", "/api/cms/v2/posts/999999", {}),
    ("OPTIONS", "/api/cms/v2/posts", {}), ("GET", "/id/api/cms/v2/posts/999999", {}), ("GET", "/nowhere", {}),
    ("GET", "/api/cms/v2/users/me", ADMIN), ("GET", "/api/cms/v2/users/me", {}), ("DELETE", "/api/cms/v2/posts/1", {}),
    ("GET", "/api//cms/v2/posts", {}), ("GET", "//", {}), ("GET", "http://site.example/api/cms/v2/types", {}),
    ("GET", "/api/cms/v2/posts?slug=gr%C3%B6%C3%9Fe", {}), ("GET", "/api/%63ms/v2/types", {}),
    ("POST", "/api/cms/v2/posts", {"Content_Length": "0"}), ("PROPFIND", "/api/cms/v2/posts", {}),
    ("GET", "/api/cms/v2/posts", {"Origin": "https://elsewhere.example"}),
])
def test_answers_are_the_same_to_the_byte(both: dict[str, Server], method: str, path: str, headers: dict[str, str]) -> None:
    found = [own(both[worker].ask(method, path, **headers)) for worker in WORKERS]

    assert found[0] == found[1]


def test_an_answer_that_is_known_has_no_body(both: dict[str, Server]) -> None:
    tag = both["asgi"].ask("GET", "/api/cms/v2/posts/1").named["ETag"]
    found = [own(both[worker].ask("GET", "/api/cms/v2/posts/1", If_None_Match=tag)) for worker in WORKERS]

    assert found[0] == found[1]
    assert (found[0][0], found[0][2]) == (304, b"")


REQUESTS = {
    "plain": b"GET /api/echo?a=1&b HTTP/1.1\r\nHost: a.example:81\r\n\r\n",
    "escapes": b"GET /api/ech%6f?x=%C3%A4 HTTP/1.1\r\nHost: a\r\n\r\n",
    "absolute": b"GET http://b.example/api/echo?q HTTP/1.1\r\nHost: a\r\n\r\n",
    "a fragment": b"GET /api/echo#part?x HTTP/1.1\r\nHost: a\r\n\r\n",
    "script name": b"GET /api/echo HTTP/1.1\r\nHost: a\r\nSCRIPT_NAME: /api\r\nScript-Name: /api\r\n\r\n",
    "underscores": b"GET /api/echo HTTP/1.1\r\nHost: a\r\nX_Forwarded_For: 1.2.3.4\r\nPATH_INFO: /x\r\n\r\n",
    "forwarded": b"GET /api/echo HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Proto: https\r\n\r\n",
    "repeated": b"GET /api/echo HTTP/1.1\r\nHost: a\r\nCookie: a=1\r\nX-A: 1\r\ncookie: b=2\r\nX-A: \xe4\r\n\r\n",
    "typed": b"POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: 2\r\n\r\nab",
    "chunked": b"POST /api/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
    "old": b"GET /api/echo HTTP/1.0\r\n\r\n",
    "an id": b"GET /api/echo HTTP/1.1\r\nHost: a\r\nX-Request-ID: mine-1\r\n\r\n",
}


def answer_to(server: Server, data: bytes) -> Answer:
    with server.send(data) as connection, closing(http.client.HTTPResponse(connection)) as answer:
        answer.begin()
        return Answer(answer.status, answer.getheaders(), answer.read())


@pytest.mark.parametrize("sent", REQUESTS.values(), ids=REQUESTS)
def test_the_application_is_given_the_same_variables(both: dict[str, Server], sent: bytes) -> None:
    seen = []
    for worker in WORKERS:
        environ = answer_to(both[worker], sent).json["environ"]
        made = {"REMOTE_PORT", "SERVER_PORT", "wsgi.multiprocess", "HTTP_X_REQUEST_ID", "cms.request_id"}
        assert re.fullmatch("[0-9a-f]{16}", environ["HTTP_X_REQUEST_ID"])  # nobody is trusted here to give one
        seen.append({name: value for name, value in environ.items() if name not in made})

    assert seen[0] == seen[1]
    assert seen[1]["SCRIPT_NAME"] == ""


BAD = {
    "a broken chunk": b"POST /api/cms/v2/posts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                      b"Transfer-Encoding: chunked\r\n\r\n5\r\n{\"titXX\r\n",
    "two lengths": b"POST /api/cms/v2/posts HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
    "two hosts": b"GET /api/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
}


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
def test_what_is_no_request_is_refused(asgi: Server, sent: bytes) -> None:
    assert answer_to(asgi, sent).status == 400


@pytest.mark.parametrize("body", [b"5\r\n{\"titXX\r\n", b"x\r\n"], ids=["too long", "no number"])
def test_a_body_in_broken_pieces_is_refused_by_threads_too(both: dict[str, Server], body: bytes) -> None:
    head = (b"POST /api/cms/v2/posts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n")
    refused = answer_to(both["gthread"], head + body)

    assert (refused.status, refused.json["code"]) == (400, "rest_invalid_body")


def test_json_is_written_and_read(asgi: Server) -> None:
    made = asgi.ask("POST", "/api/cms/v2/posts", json.dumps({"title": "Ärger", "status": "publish"}).encode(),
                    Content_Type="application/json", **ADMIN)
    shown = asgi.ask("GET", made.named["Location"].removeprefix("http://site.example"))

    assert (made.status, shown.json["title"]["rendered"]) == (201, "Ärger")


def pieces(count: int, size: int) -> Iterator[bytes]:
    for number in range(count):
        yield bytes([number % 256]) * size


@pytest.mark.parametrize("chunked", [False, True], ids=["with a length", "in chunks"])
@pytest.mark.parametrize(("count", "size"), [(1, 1), (3, 70_000), (40, 300_000)])
def test_bodies_arrive_whole(asgi: Server, count: int, size: int, chunked: bool) -> None:
    headers = {} if chunked else {"Content_Length": str(count * size)}
    told = asgi.ask("POST", "/api/sum", pieces(count, size), **headers).json

    wanted = hashlib.sha256(b"".join(pieces(count, size))).hexdigest()
    assert told == {"length": count * size, "sum": wanted}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system doesn't tell memory by /proc")
def test_a_large_upload_goes_to_the_disk_and_comes_back_in_parts(asgi: Server) -> None:
    film = read("film.mp4").ljust(40_000_000, b"\0")
    form = (b'--edge\r\nContent-Disposition: form-data; name="file"; filename="film.mp4"\r\nContent-Type: video/mp4\r\n\r\n'
            + film + b"\r\n--edge--\r\n")
    small = {"Content_Type": "video/mp4", "Content_Disposition": 'attachment; filename="small.mp4"', **ADMIN}
    assert asgi.ask("POST", "/api/cms/v2/media", read("film.mp4"), **small).status == 201
    before = peak(asgi.workers()[0])
    made = asgi.ask("POST", "/api/cms/v2/media", form, Content_Type="multipart/form-data; boundary=edge", **ADMIN)
    path = made.json["source_url"].removeprefix("http://site.example")
    whole, part = asgi.ask("GET", path), asgi.ask("GET", path, Range="bytes=39000000-39000009")
    grown = peak(asgi.workers()[0]) - before

    assert (made.status, whole.status, whole.body == film) == (201, 200, True)
    assert (part.status, part.body, part.named["Content-Range"]) == (206, b"\0" * 10, "bytes 39000000-39000009/40000000")
    assert grown < 10_000_000


@pytest.mark.parametrize("path", ["/uploads/none.png", "/uploads/film.mp4"])
@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=5-20"}, {"Range": "bytes=999999999-"}, {"Range": "bytes=-7"}])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_files_are_the_same(both: dict[str, Server], method: str, path: str, headers: dict[str, str]) -> None:
    file = both["asgi"].folder / "uploads" / "film.mp4"
    file.parent.mkdir(exist_ok=True)
    if not file.exists():
        file.write_bytes(read("film.mp4"))
    found = [own(both[worker].ask(method, path, **headers)) for worker in WORKERS]

    assert found[0] == found[1]


def test_a_failure_is_500_and_logged(folder: Path) -> None:
    with serving(folder, "asgi") as server:
        failed = server.ask("GET", "/api/fail")
        again = server.ask("GET", "/api/")
        server.stop()
        _out, errors = server.printed()

    assert (failed.status, again.status) == (500, 200)
    assert b"as planned" not in failed.body
    assert b"RuntimeError: as planned" in errors


def test_a_client_that_goes_away_while_it_sends_is_a_lost_body(asgi: Server) -> None:
    asgi.send(b"POST /api/sum HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc").close()

    await_true(lambda: asgi.notes() == ["ClientDisconnected"])


def test_a_client_that_goes_away_leaves_no_upload(asgi: Server) -> None:
    incoming = asgi.folder / "incoming"
    head = "".join(f"{name}: {value}\r\n" for name, value in ADMIN.items())
    connection = asgi.send(f"POST /api/cms/v2/media HTTP/1.1\r\nHost: a\r\n{head}Content-Length: 9000000\r\nContent-Type: "
                           "video/mp4\r\nContent-Disposition: attachment; filename=a.mp4\r\n\r\n".encode() + bytes(3_000_000))
    await_true(lambda: any(incoming.iterdir()))
    connection.close()

    await_true(lambda: not any(incoming.iterdir()))


def test_an_answer_ends_when_its_client_has_gone(asgi: Server) -> None:
    connection = asgi.send(b"GET /api/endless HTTP/1.1\r\nHost: a\r\n\r\n")
    assert connection.recv(100_000)
    time.sleep(0.5)
    assert asgi.notes() == []
    connection.close()

    await_true(lambda: asgi.notes() == ["closed"])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system doesn't tell memory by /proc")
def test_a_client_that_takes_nothing_costs_no_memory(asgi: Server) -> None:
    before = peak(asgi.workers()[0])
    connections = [asgi.send(b"GET /api/endless HTTP/1.1\r\nHost: a\r\n\r\n") for _number in range(3)]
    time.sleep(1)
    grown = peak(asgi.workers()[0]) - before
    others = asgi.ask("GET", "/api/cms/v2/types")
    for connection in connections:
        connection.close()

    assert others.status == 200
    assert grown < 10_000_000
    await_true(lambda: asgi.notes() == ["closed"] * 3)


def test_a_search_ends_when_its_client_has_gone(asgi: Server) -> None:
    connection = asgi.send(b"GET /api/acme/v1/search HTTP/1.1\r\nHost: a\r\n\r\n")
    time.sleep(1)
    assert asgi.notes() == []
    connection.close()

    await_true(lambda: asgi.notes() == ["search ended"])


@pytest.mark.parametrize("worker", WORKERS)
def test_who_asks_whether_to_send_is_answered(both: dict[str, Server], worker: str) -> None:
    head = b"POST %b HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    with both[worker].send(head % b"/api/sum") as connection:
        begin = connection.recv(1000)
        connection.sendall(b"ab")
        answer = connection.recv(1000)

    assert begin == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert answer.startswith(b"HTTP/1.1 200")


def test_who_may_not_send_is_told_before(asgi: Server) -> None:
    head = b"PUT /api/echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    with asgi.send(head) as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")


SLOW = {
    "heads": b"POST /api/sum HTTP/1.1\r\nHost: a\r\nContent-Le",
    "bodies": b"POST /api/sum HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nslow",
}


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_clients_that_send_slowly_keep_nobody_waiting(asgi: Server, sent: bytes) -> None:
    slow = [asgi.send(sent) for _number in range(8)]
    time.sleep(0.3)
    other = asgi.ask("GET", "/api/echo")
    for connection in slow:
        connection.sendall(b"ngth: 0\r\n\r\n" if sent.endswith(b"Le") else b"ly now")
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        connection.close()

    assert other.status == 200


def test_requests_that_nobody_waits_for_are_not_begun(asgi: Server) -> None:
    busy = [asgi.send(b"GET /api/wait?1.5 HTTP/1.1\r\nHost: a\r\n\r\n") for _number in range(4)]
    await_true(lambda: asgi.notes() == ["begun"] * 4)
    for _number in range(5):
        waiting = asgi.send(b"GET /api/wait?0 HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(0.05)
        waiting.close()
    for connection in busy:
        assert connection.recv(1000)
        connection.close()

    assert asgi.ask("GET", "/api/wait?0").status == 200
    assert sorted(asgi.notes()) == ["begun"] * 5 + ["done"] * 5


def test_more_requests_than_may_wait_are_refused(folder: Path) -> None:
    with serving(folder, "asgi", CMS_THREADS="1") as server:
        server.forget_notes()
        busy = [server.send(b"GET /api/wait?2 HTTP/1.1\r\nHost: a\r\n\r\n")]
        await_true(lambda: server.notes() == ["begun"])
        busy += [server.send(b"GET /api/wait?0 HTTP/1.1\r\nHost: a\r\n\r\n") for _number in range(64)]
        time.sleep(0.5)
        refused = server.ask("GET", "/api/cms/v2/posts")
        answered = []
        for connection in busy:
            with connection:
                answered.append(connection.recv(100).split()[1])
        after = server.ask("GET", "/api/cms/v2/posts")

    assert (refused.status, refused.json["code"], refused.json["data"]["status"]) == (503, "rest_busy", 503)
    assert (refused.named["Retry-After"], refused.named["Content-Type"]) == ("1", "application/json; charset=UTF-8")
    assert refused.json["data"]["request_id"] == refused.named["X-Request-Id"]
    assert answered == [b"200"] * 65
    assert after.status == 200


@pytest.mark.parametrize("worker", WORKERS)
def test_reads_have_a_thread_that_no_write_takes(both: dict[str, Server], worker: str) -> None:
    server = both[worker]
    server.forget_notes()
    writing = [server.send(b"POST /api/wait?1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab") for _number in range(7)]
    await_true(lambda: server.notes() == ["begun"] * 3)
    read = server.ask("GET", "/api/wait?0")
    done_before = server.notes()
    answered = []
    for connection in writing:
        with connection:
            answered.append(connection.recv(100).split()[1])

    assert read.status == 200
    assert sorted(done_before) == ["begun"] * 4 + ["done"]
    assert answered == [b"200"] * 7


@pytest.mark.parametrize("workers", ["1", "2"])
def test_many_clients_are_all_answered(folder: Path, workers: str) -> None:
    with serving(folder, "asgi", WEB_CONCURRENCY=workers) as server, ThreadPoolExecutor(64) as clients:
        def ask(number: int) -> tuple[int, str]:
            return server.ask("GET", f"/api/echo?{number}").status, \
                server.ask("GET", f"/api/echo?{number}").json["environ"]["QUERY_STRING"]

        found = list(clients.map(ask, range(320)))
        processes = len(server.workers())

    assert found == [(200, str(number)) for number in range(320)]
    assert processes == int(workers)


def test_a_connection_carries_many_requests(asgi: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", asgi.port, timeout=60)
    statuses = []
    for body in (None, b"{}", b"x" * 300_000, None):
        connection.request("POST" if body else "GET", "/api/sum" if body else "/api/echo", body)
        answer = connection.getresponse()
        answer.read()
        statuses.append((answer.status, answer.will_close))
    connection.close()

    assert statuses == [(200, False)] * 4


def test_requests_in_a_row_are_answered_in_turn(asgi: Server) -> None:
    one = b"GET /api/echo?%d HTTP/1.1\r\nHost: a\r\n\r\n"
    last = b"GET /api/echo?3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    with asgi.send(one % 1 + one % 2 + last) as connection:
        data = connection.makefile("rb").read()

    assert re.findall(rb'"QUERY_STRING": "(\d)"', data) == [b"1", b"2", b"3"]


@pytest.mark.parametrize("worker", WORKERS)
def test_who_ends_finishes_what_runs(folder: Path, worker: str) -> None:
    with serving(folder, worker) as server:
        server.forget_notes()
        found: list[Answer] = []
        asking = threading.Thread(target=lambda: found.append(server.ask("GET", "/api/wait?2")))
        asking.start()
        await_true(lambda: server.notes() == ["begun"])
        (process,) = server.workers()
        code = server.stop()
        asking.join()

    assert (code, found[0].status, server.notes()) == (0, 200, ["begun", "done"])
    assert not Path(f"/proc/{process}").exists()


@pytest.mark.parametrize("worker", WORKERS)
def test_who_ends_finishes_writes_that_wait(folder: Path, worker: str) -> None:
    with serving(folder, worker, CMS_THREADS="2") as server:
        server.forget_notes()
        write = b"POST /api/wait?0.5 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
        writing = [server.send(write) for _number in range(3)]
        await_true(lambda: server.notes() == ["begun"])
        time.sleep(0.2)
        server.stop()
        answered = []
        for connection in writing:
            with connection:
                answered.append(connection.recv(100).split()[1])

    assert answered == [b"200"] * 3


def test_who_ends_at_once_ends_soon(folder: Path) -> None:
    with serving(folder, "asgi") as server:
        connection = server.send(b"GET /api/endless HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.recv(10)
        began = time.monotonic()
        server.process.send_signal(2)
        server.process.wait(60)
        connection.close()

    assert time.monotonic() - began < 15


def test_the_log_has_the_client_behind_the_proxy(folder: Path) -> None:
    with serving(folder, "asgi", CMS_REQUEST_LOG="json", CMS_TRUSTED_PROXIES="127.0.0.1") as server:
        server.ask("GET", "/api/cms/v2/types?secret", X_Forwarded_For="203.0.113.7", X_Request_ID="proxy-1")
        server.ask("GET", "/api/cms/v2/statuses", X_Request_ID="a b")
        server.send(b"GET /api/wait?1 HTTP/1.1\r\nHost: a\r\n\r\n").close()
        time.sleep(1.5)
        server.stop()
        out, _errors = server.printed()
    lines = [json.loads(line) for line in out.splitlines() if line.startswith(b"{")]
    of = {line["path"]: line for line in lines}

    seen = of["/api/cms/v2/types"]
    assert (seen["address"], seen["request_id"], seen["status"], seen["method"]) == ("203.0.113.7", "proxy-1", 200, "GET")
    assert seen["bytes"] > 100
    assert len(of["/api/cms/v2/statuses"]["request_id"]) == 16
    assert (of["/api/wait"]["status"], of["/api/wait"]["bytes"]) == (499, 0)
    assert b"secret" not in out


KNOWN = """
import cms
from cms.asgi.bridge import Bridge
from cms.asgi.cached_answers import CachedResponse

def find(scope):
    if scope["path"] != "/api/known":
        return None
    return CachedResponse(200, [(b"Content-Length", b"5")], b"known" if scope["method"] == "GET" else b"")

app = Bridge(cms.create_app(), find)
"""


def test_the_log_has_the_client_of_a_known_answer(folder: Path) -> None:
    (folder / "known.py").write_text(KNOWN)
    environ = environ_of(folder, CMS_REQUEST_LOG="json", CMS_TRUSTED_PROXIES="127.0.0.1")
    environ["PYTHONPATH"] += f":{folder}"
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-c", "python:cms.cli.serving", "-k", "asgi", "--bind", f"127.0.0.1:{port}",
               "known:app"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, cwd=folder) as process:
        try:
            await_answer(f"http://127.0.0.1:{port}/api/known", process)
            server = Server(folder, port, process, io.BytesIO(), io.BytesIO())
            answers = [server.ask(method, "/api/known", X_Forwarded_For="203.0.113.7", X_Request_ID="one").body
                       for method in ("GET", "HEAD")]
        finally:
            process.terminate()
        out, _none = process.communicate(timeout=60)
    lines = [json.loads(line) for line in out.splitlines() if b'"one"' in line]

    assert answers == [b"known", b""]
    assert [(line["address"], line["method"], line["status"], line["bytes"]) for line in lines] == [
        ("203.0.113.7", "GET", 200, 5), ("203.0.113.7", "HEAD", 200, 0)]


def test_a_site_that_cant_start_ends_the_server(folder: Path) -> None:
    command = [sys.executable, "-m", "gunicorn", "-k", "asgi", "--preload", "--bind", "127.0.0.1:0", "cms.asgi.entry:app"]
    done = subprocess.run(command, env=environ_of(folder, CMS_REVISIONS="many"), capture_output=True, timeout=60, cwd=folder)

    assert done.returncode
    assert b"CMS_REVISIONS" in done.stderr
