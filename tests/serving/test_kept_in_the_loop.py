"""Kept answers that gunicorn's event loop sends by itself are those of the application, on connections that go on."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from serving.servers import ADMIN, Answer, Server, await_true, make_site, serving

pytestmark = pytest.mark.long

POSTS = "/api/cms/v2/posts"
#: More than the loop sends in one piece.
LONG = "<p>A long text of a post.</p>" * 12_000
CLIENTS = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site with demo content, and without a plugin that has to see requests."""
    made: Path = tmp_path_factory.mktemp("served") / "site"
    make_site(made, plugin="")
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    """The site behind an event loop, its requests not logged."""
    with serving(folder, "asgi", CMS_REQUEST_LOG="off", CMS_METRICS_TOKEN="watcher") as found:
        yield found


def is_sent_directly(answer: Answer) -> bool:
    """Tell whether gunicorn's headers come first: what it sends as the application says has them behind its own."""
    return answer.headers[0][0] == "Server"


def metric(server: Server, *parts: str) -> float:
    """Return the sum of the metrics whose lines have these parts."""
    lines = server.ask("GET", "/metrics", Authorization="Bearer watcher").body.decode().splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if all(part in line for part in parts))


def kept_answers(server: Server) -> float:
    """Return how many answers were kept ones."""
    return metric(server, "cms_answer_cache_total", 'found="yes"')


def memory_of(server: Server) -> int:
    """Return the bytes that the processes have which answer."""
    statuses = [Path(f"/proc/{process}/status").read_text() for process in server.workers()]
    return sum(1024 * int(re.search(r"VmRSS:\s+(\d+)", status)[1]) for status in statuses)


def own(answer: Answer) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return what is the same in all answers to a request."""
    changing = {"Date", "X-Request-Id"}
    return answer.status, sorted(each for each in answer.headers if each[0] not in changing), answer.body


def bodies_of(server: Server, sent: bytes) -> list[bytes]:
    """Send requests over one connection, the last of which ends it, and return the bodies of the answers."""
    with server.send(sent) as connection, connection.makefile("rb") as stream:
        rest = stream.read()
    found = []
    while rest:
        head, _end, rest = rest.partition(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
        found.append(rest[:length])
        rest = rest[length:]
    return found


@pytest.mark.parametrize(
    "path",
    [
        POSTS,
        f"{POSTS}/1",
        f"{POSTS}?_embed&per_page=2",
        f"{POSTS}?_envelope",
        "/api/cms/v2",
        f"{POSTS}?slug=hello-world",
        "/id/api/cms/v2/categories",
    ],
)
def test_a_kept_answer_is_the_one_that_was_made(server: Server, path: str) -> None:
    before = kept_answers(server)
    made = server.ask("GET", path)
    between = kept_answers(server)
    kept = server.ask("GET", path)

    assert (between - before, kept_answers(server) - between) == (0, 1)
    assert is_sent_directly(kept)
    assert own(kept) == own(made)
    assert kept.named["X-Request-Id"] != made.named["X-Request-Id"]
    assert len(kept.named["X-Request-Id"]) == 16


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_what_has_no_body_or_is_no_read_is_left_to_gunicorn(server: Server, method: str) -> None:
    server.ask("GET", POSTS)

    assert not is_sent_directly(server.ask(method, POSTS))


def test_what_an_account_asks_is_made_for_it_and_sent_directly(server: Server) -> None:
    server.ask("GET", POSTS)
    before = kept_answers(server)
    answer = server.ask("GET", POSTS, **ADMIN)

    assert kept_answers(server) == before
    assert answer.named["Cache-Control"] == "no-store"
    assert is_sent_directly(answer)


def write(headers: str, text: str, pieces: int = 0, path: str = POSTS) -> bytes:
    """Return a request that makes a post of a text, or changes one, in so many chunks."""
    body = json.dumps({"title": "Written", "content": text, "status": "publish"}).encode()
    framing = f"Content-Length: {len(body)}"
    if pieces:
        size = len(body) // pieces + 1
        parts = [body[place : place + size] for place in range(0, len(body), size)]
        body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
        framing = "Transfer-Encoding: chunked"
    lines = [f"POST {path} HTTP/1.1", "Host: site.example", "Content-Type: application/json", framing,
             f"Authorization: {ADMIN['Authorization']}", headers, "", ""]
    return "\r\n".join(line for line in lines[:-2] if line).encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize(
    ("sent", "is_direct"),
    [
        pytest.param(write("", "A short text."), True, id="short"),
        pytest.param(write("", "A long text. " * 10_000), False, id="long"),
        pytest.param(write("", "A short text.", pieces=3), False, id="in chunks"),
        pytest.param(write("Connection: close", "A short text."), True, id="the last of its connection"),
        pytest.param(write("Cookie: a=1", "&" * 40_000), True, id="an answer longer than its request"),
    ],
)
def test_writes_with_short_bodies_are_answered_directly(server: Server, sent: bytes, is_direct: bool) -> None:
    with server.send(sent) as connection, closing(http.client.HTTPResponse(connection)) as answer:
        answer.begin()
        made = Answer(answer.status, answer.getheaders(), answer.read())

    assert (made.status, is_sent_directly(made)) == (201, is_direct)
    assert made.named["Location"].endswith(f"{POSTS}/{made.json['id']}")
    assert server.ask("GET", f"{POSTS}/{made.json['id']}").json["title"]["rendered"] == "Written"


def test_writes_in_a_row_are_answered_in_their_order(server: Server) -> None:
    last = write("Connection: close", "Text 3")
    sent = write("", "Text 1") + write("", "Text 2") + last

    found = [json.loads(body)["content"]["raw"] for body in bodies_of(server, sent)]

    assert found == ["Text 1", "Text 2", "Text 3"]


@pytest.mark.parametrize("pieces", [0, 3])
def test_a_read_that_comes_together_with_a_write_before_it_sees_that(server: Server, pieces: int) -> None:
    text = f"Text in {pieces} chunks"
    read = f"GET {POSTS}/1 HTTP/1.1\r\nHost: site.example\r\n"
    for _turn in range(2):  # until the loop knows the address
        server.ask("GET", f"{POSTS}/1")
    before = kept_answers(server)
    sent = f"{read}\r\n".encode() + write("", text, pieces, f"{POSTS}/1") + f"{read}Connection: close\r\n\r\n".encode()

    found = [json.loads(body)["content"]["rendered"] for body in bodies_of(server, sent)]

    assert kept_answers(server) == before + 1
    assert text not in found[0]
    assert text in found[2]


@pytest.mark.parametrize("path", ["/api/cms/v2/nothing", f"{POSTS}/999", f"{POSTS}?page=99"])
def test_refusals_are_left_to_gunicorn(server: Server, path: str) -> None:
    refused = server.ask("GET", path)

    assert refused.status in (400, 404)
    assert not is_sent_directly(refused)
    assert refused.json["data"]["status"] == refused.status


def test_an_answer_that_the_client_has_is_not_sent(server: Server) -> None:
    tag = server.ask("GET", POSTS).named["ETag"]

    found = server.ask("GET", POSTS, If_None_Match=tag)

    assert (found.status, found.body) == (304, b"")


def test_requests_at_once_are_answered_in_their_order(server: Server) -> None:
    paths = [POSTS, f"{POSTS}/1", "/api/cms/v2/nothing", f"{POSTS}/1", POSTS]
    alone = [server.ask("GET", path) for path in paths]
    sent = "".join(f"GET {path} HTTP/1.1\r\nHost: site.example\r\n\r\n" for path in paths)
    last = f"GET {POSTS} HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n"

    assert bodies_of(server, (sent + last).encode()) == [answer.body for answer in alone] + [alone[0].body]


@pytest.mark.parametrize("head", [b"HTTP/1.1\r\nHost: a\r\nConnection: close", b"HTTP/1.0"])
def test_a_connection_ends_where_its_client_says_so(server: Server, head: bytes) -> None:
    server.ask("GET", POSTS)
    with server.send(b"GET /api/cms/v2/posts %b\r\n\r\n" % head) as connection:
        with closing(http.client.HTTPResponse(connection)) as answer:
            answer.begin()
            body = answer.read()
        assert connection.recv(1) == b""

    assert answer.getheader("Connection") == "close"
    assert json.loads(body)


def test_a_long_answer_comes_whole(server: Server) -> None:
    made = server.ask(
        "POST",
        POSTS,
        json.dumps({"title": "Long", "content": LONG, "status": "publish"}).encode(),
        Content_Type="application/json",
        **ADMIN,
    ).json
    first, kept = (server.ask("GET", f"{POSTS}/{made['id']}") for _turn in range(2))

    assert is_sent_directly(kept)
    assert own(kept) == own(first)
    assert len(kept.body) > 300_000


def test_slow_clients_of_a_long_answer_take_little_memory_and_keep_nobody_waiting(folder: Path) -> None:
    text = {"title": "Very long", "content": LONG * 5, "status": "publish"}
    # Python's own loop copies what it can't send yet.
    environ = {"CMS_REQUEST_LOG": "off", "CMS_ANSWER_CACHE": "50000000", "GUNICORN_CMD_ARGS": "-w1 --asgi-loop=asyncio"}
    with serving(folder, "asgi", **environ) as server:
        for _post in range(4):
            server.ask("POST", POSTS, json.dumps(text).encode(), Content_Type="application/json", **ADMIN)
        path = f"{POSTS}?per_page=4"
        kept = [server.ask("GET", path) for _turn in range(2)][1]
        before = memory_of(server)
        asked = f"GET {path} HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n".encode()

        # Several times as many as there is room for at once.
        slow = [server.send(asked, room=4096) for _client in range(CLIENTS)]
        beginnings = [connection.recv(10) for connection in slow]
        grown = memory_of(server) - before
        answered = server.ask("GET", POSTS)
        ends = []
        for connection in slow:
            with connection, connection.makefile("rb") as stream:
                ends.append(stream.read().partition(b"\r\n\r\n")[2] == kept.body)

    assert is_sent_directly(kept)
    assert len(kept.body) > 6_000_000
    assert beginnings == [b"HTTP/1.1 2"] * CLIENTS
    assert answered.status == 200
    assert grown < 64 << 20
    assert all(ends)


def test_an_answer_is_as_old_as_the_data(server: Server) -> None:
    changed = {"Content_Type": "application/json", **ADMIN}
    for number in range(20):
        server.ask("GET", f"{POSTS}/1")
        title = f"Title {number}"
        server.ask("POST", f"{POSTS}/1", json.dumps({"title": title}).encode(), **changed)

        assert server.ask("GET", f"{POSTS}/1").json["title"]["rendered"] == title


def test_what_another_process_writes_is_seen_by_the_next_request(server: Server, folder: Path) -> None:
    headers = {"Content_Type": "application/json", **ADMIN}
    with serving(folder, "gthread") as other:
        for number in range(3):
            for _turn in range(3):  # until the loop knows the address
                server.ask("GET", f"{POSTS}/1")
            title = f"Title {number} of another process"
            other.ask("POST", f"{POSTS}/1", json.dumps({"title": title}).encode(), **headers)

            assert server.ask("GET", f"{POSTS}/1").json["title"]["rendered"] == title


def test_the_log_has_what_is_sent_directly(folder: Path) -> None:
    path, known = f"{POSTS}/1", {"X_Forwarded_For": "203.0.113.7, 203.0.113.8"}
    body = json.dumps({"title": "Logged"}).encode()

    def logged() -> dict[str, dict[str, Any]]:
        lines = [line for line in server.printed()[0].splitlines() if line.startswith(b"{")]
        return {line["request_id"]: line for line in map(json.loads, lines)}

    with serving(folder, "asgi", CMS_REQUEST_LOG="json", CMS_TRUSTED_PROXIES="127.0.0.1") as server:
        answers = {
            "made": server.ask("GET", f"{path}?secret", X_Request_ID="made", **known),
            "kept": server.ask("GET", f"{path}?secret", X_Request_ID="kept", **known),
            "write": server.ask("POST", path, body, Content_Type="application/json", X_Request_ID="write", **known, **ADMIN),
        }
        await_true(lambda: answers.keys() <= logged().keys())
        answers["last"] = server.ask("GET", path, X_Request_ID="last", **known)
        server.stop()
        found, printed = logged(), server.printed()[0]

    assert all(map(is_sent_directly, answers.values()))
    assert b"secret" not in printed
    assert {id: (found[id]["method"], found[id]["bytes"], found[id]["status"]) for id in answers} == {
        id: ("POST" if id == "write" else "GET", len(answer.body), 200) for id, answer in answers.items()}
    assert {(found[id]["address"], found[id]["path"], found[id]["level"]) for id in answers} == {
        ("203.0.113.8", path, "info")}
    assert all(0 <= found[id]["milliseconds"] < 20_000 for id in answers)
    moments = [found[id]["time"] for id in answers]
    assert moments == sorted(moments)


def test_hits_are_counted_once(folder: Path) -> None:
    def hits(server: Server) -> float:
        return metric(server, "cms_requests_total", "posts")

    with serving(folder, "asgi", CMS_REQUEST_LOG="off", CMS_METRICS_TOKEN="watcher") as server:
        before = hits(server)
        for _turn in range(5):
            tag = server.ask("GET", POSTS).named["ETag"]
            server.ask("GET", POSTS, If_None_Match=tag)

        assert hits(server) == before + 10
