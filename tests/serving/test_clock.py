"""A clock that is set back by an hour under a served site: it goes on writing, publishing and barring by the new time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sites import basic

from serving.servers import ADMIN, WORKERS, Answer, Server, await_true, make_site, serving

pytestmark = pytest.mark.long
POSTS = "/api/cms/v2/posts"
#: Has the processes of a site take the time from a file.
PLUGIN = """
import time
from pathlib import Path

from cms.plugin import hookimpl

real = time.time


@hookimpl
def wrap_wsgi(application, site):
    file = site.config.instance / "passed"

    def lie():
        return real() + int(file.read_text())

    time.time = site.context.runtime.now = lie
    return application
"""


class Clock:
    """The clock of a served site, that of this machine but for a number of seconds."""

    def __init__(self, file: Path) -> None:
        self.file, self.passed = file, 0
        self.move(0)

    def move(self, seconds: int) -> None:
        self.passed += seconds
        other = self.file.with_suffix(".new")
        other.write_text(str(self.passed))
        other.replace(self.file)

    def now(self, seconds: int = 0) -> str:
        return (datetime.now(UTC) + timedelta(seconds=self.passed + seconds)).strftime("%Y-%m-%dT%H:%M:%S")


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    make_site(tmp_path / "site")
    (tmp_path / "site" / "plugins" / "moved.py").write_text(PLUGIN, encoding="utf-8")
    return Clock(tmp_path / "site" / "passed")


@pytest.fixture(params=WORKERS)
def server(clock: Clock, request: pytest.FixtureRequest) -> Iterator[Server]:
    settings = {"CMS_BACKGROUND": "true", "CMS_SIGN_IN_FAILURES": "3", "CMS_SIGN_IN_WINDOW": "120"}
    with serving(clock.file.parent, request.param, **settings) as made:
        yield made


def write(server: Server, **fields: str) -> Answer:
    body = json.dumps({"status": "publish", **fields})
    return server.ask("POST", POSTS, body, Content_Type="application/json", **ADMIN)


def newest(server: Server) -> tuple[list[str], int]:
    answer = server.ask("GET", f"{POSTS}?per_page=100")
    titles = [post["title"]["rendered"] for post in answer.json]
    assert answer.status == 200
    return titles, int(answer.named["X-WP-Total"])


def test_a_clock_that_is_set_back_stops_nothing(server: Server, clock: Clock) -> None:
    assert write(server, title="Before").status == 201
    wrong = {"Authorization": basic("admin", "wrong")}
    assert [server.ask("GET", "/api/cms/v2/users/me", **wrong).status for _try in range(4)] == [401, 401, 401, 429]
    await_true(lambda: server.ask("GET", "/readyz").status == 200)
    assert newest(server)[0][0] == "Before"

    clock.move(-3_600)
    titles, total = newest(server)
    assert "Before" not in titles
    assert len(titles) == total
    assert server.ask("GET", "/api/cms/v2/users/me", **ADMIN).status == 200

    assert write(server, title="After").json["date_gmt"] <= clock.now()
    assert write(server, title="Ahead", date_gmt=clock.now(3)).json["status"] == "future"
    assert newest(server)[0][0] == "After"
    await_true(lambda: newest(server)[0][0] == "Ahead")
    await_true(lambda: server.ask("GET", "/readyz").status == 200, 60)

    clock.move(3_600)
    assert newest(server)[0][:3] == ["Before", "Ahead", "After"]
