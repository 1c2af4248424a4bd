"""A web server on this machine that plays the old site of an import, or any other host."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOCAL = ("127.0.0.0/8",)


@dataclass
class Answer:
    """What the server says to a request: a status, a body and headers; `cut` bytes of the body are held back."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0


@dataclass
class OldSite:
    """The answers by path, and what was asked for, with the value of `Host` and of `Authorization`."""

    port: int = 0
    answers: dict[str, Answer | Callable[[], Answer]] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    @property
    def home(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        """The paths that were asked for, in order."""
        return [path for path, _host, _credentials in self.asked]


@contextmanager
def serve_old_site() -> Iterator[OldSite]:
    """Run a server for as long as this lasts."""
    site = OldSite()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.asked.append((self.path, self.headers.get("Host", ""), self.headers.get("Authorization", "")))
            site.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            given = site.answers.get(self.path, Answer(status=404))
            answer = given() if callable(given) else given
            self.send_response(answer.status)
            for name, value in self._headers(answer).items():
                self.send_header(name, value)
            self.end_headers()
            body = answer.body[: len(answer.body) - answer.cut]
            chunked = "Transfer-Encoding" in answer.headers
            self.wfile.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if chunked else body)
            self.close_connection = bool(answer.cut)

        def _headers(self, answer: Answer) -> dict[str, str]:
            length = {"Content-Length": str(len(answer.body))}
            return answer.headers if "Transfer-Encoding" in answer.headers else length | answer.headers

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
