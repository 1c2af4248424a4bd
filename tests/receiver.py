"""A server on this machine that webhooks are delivered to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Request:
    """What was received."""

    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.body))


@dataclass
class Receiver:
    """What came, by path in its order; `answer` is asked for the status and headers of each answer."""

    port: int = 0
    came: list[Request] = field(default_factory=list)
    answer: Callable[[Request], tuple[int, dict[str, str]]] = lambda request: (204, {})

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.place}/hook"

    def events(self) -> list[tuple[str, int]]:
        """Return name and item of what came, and forget it."""
        found = [(request.json["event"], request.json["item"]) for request in self.came]
        self.came.clear()
        return found


@contextmanager
def serve_receiver() -> Iterator[Receiver]:
    """Run a server for as long as this lasts."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            request = Request(dict(self.headers.items()), body)
            receiver.came.append(request)
            status, headers = receiver.answer(request)
            self.send_response(status)
            for name, value in {"Content-Length": "0", **headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
