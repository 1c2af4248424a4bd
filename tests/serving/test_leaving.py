"""A process that ends, or makes room for another, closes no connection that it has told its client to go on with."""

from __future__ import annotations

import http.client
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from serving.servers import WORKERS, Server, await_true, make_site, serving

pytestmark = pytest.mark.long

POSTS = "/api/cms/v2/posts"
#: What the buffers between two processes don't hold.
PLUGIN = """
from cms.plugin import hookimpl

SIZE = 30_000_000


@hookimpl
def wrap_wsgi(application, site):
    def around(environ, start_response):
        if environ["PATH_INFO"] != "/api/large":
            return application(environ, start_response)
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(SIZE))])
        return [b"x" * SIZE]

    return around
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site."""
    made: Path = tmp_path_factory.mktemp("served") / "site"
    make_site(made, PLUGIN)
    return made


@pytest.fixture(params=WORKERS)
def server(request: pytest.FixtureRequest, folder: Path) -> Iterator[Server]:
    """The site served by one process, which makes room for another after fifty requests."""
    arguments = "--max-requests=50 --max-requests-jitter=0"
    with serving(folder, request.param, CMS_REQUEST_LOG="off", GUNICORN_CMD_ARGS=arguments) as found:
        yield found


def connected(server: Server) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)


def ask(connection: http.client.HTTPConnection, path: str = POSTS) -> bool:
    """Ask for something, and return whether the connection goes on."""
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 200
    answer.read()
    return not answer.will_close


@pytest.mark.parametrize("reason", ["requests", "signal"])
def test_who_was_told_to_go_on_is_answered_once_more(server: Server, reason: str) -> None:
    (process,) = server.workers()
    with closing(connected(server)) as slow, closing(connected(server)) as busy:
        assert ask(busy)
        slow.request("GET", "/api/large")
        answer = slow.getresponse()
        assert not answer.will_close
        if reason == "signal":
            os.kill(process, signal.SIGTERM)
        while ask(busy):
            pass
        answer.read()

        assert not ask(slow)
    await_true(lambda: process not in server.workers())
    assert server.ask("GET", POSTS).status == 200
