"""A site on PostgreSQL and in a bucket whose hosts, server and links fail: nothing is lost, and all goes on by itself."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from adapter import PASSWORD
from postgres_server import NEEDED, PostgresServer, find_programs
from servers import SERVER
from sites import URL, Client
from test_trust import HERE, run

from cms import create_app
from cms.assembly import open_site
from cms.config import load_config
from cms.install.bootstrap import set_up
from cms.testing import basic

sys.path.append(str(HERE / "bench"))
from hosts_network import missing

needs_server = pytest.mark.skipif(not SERVER, reason="CMS_TEST_DATABASE names no server of PostgreSQL")
has_driver = find_spec("psycopg") is not None
needs_programs = pytest.mark.skipif(not has_driver or find_programs() is None, reason=f"{NEEDED}, and the extra postgres")
END_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
ADMIN = {"Authorization": basic("admin", PASSWORD)}


@needs_server
def test_connections_that_the_server_ends_are_replaced_within_the_request(client: Client) -> None:
    client.new("/posts", title="One", status="publish")
    end_connections(client)

    assert client.get("/posts").json[0]["title"]["rendered"] == "One"
    end_connections(client)
    assert client.post("/posts", {"title": "Other", "status": "publish"}, "administrator").status_code == 201
    assert len(client.get("/posts").json) == 2


def end_connections(client: Client) -> None:
    import psycopg

    with psycopg.connect(client.site.config.server, autocommit=True) as connection:
        connection.execute(END_ALL)


@needs_server
def test_both_sides_of_a_connection_look_after_it(make_client: Callable[..., Client]) -> None:
    client = make_client(database_lost_seconds=6)
    found = {name: client.site.database.scalar(f"SHOW {name}") for name in ("tcp_user_timeout", "tcp_keepalives_idle", "lock_timeout")}

    assert found == {"tcp_user_timeout": "6000", "tcp_keepalives_idle": "3", "lock_timeout": "10s"}


@needs_server
def test_no_statement_is_compiled_by_the_server(client: Client) -> None:
    assert client.site.database.scalar("SHOW jit") == "off"


@needs_server
def test_a_process_has_no_more_connections_than_it_may(make_client: Callable[..., Client]) -> None:
    client = make_client(database_connections=1, answer_cache=0)
    client.new("/posts", title="One", status="publish")
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(client.app.test_client().get("/api/cms/v2/posts")))
    thread.start()
    thread.join(20)

    assert (answers[0].status_code, answers[0].json["code"], answers[0].headers["Retry-After"]) == (503, "rest_busy", "1")
    assert client.get("/posts").status_code == 200


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A server that may be stopped."""
    server = PostgresServer(options=["fsync=off"])
    server.start()
    yield server
    server.remove()


@pytest.mark.long
@needs_programs
def test_without_the_server_all_is_answered_with_503_until_it_is_back(server: PostgresServer, tmp_path: Path) -> None:
    settings = {"url": URL, "password_cost": "low", "background": False, "database": f"{server.address}/postgres"}
    site = open_site(load_config(tmp_path, settings, environ={}))
    set_up(site, password=PASSWORD)
    site.worker.run_due()
    site.close()
    app = create_app(settings, tmp_path)
    web = app.test_client()
    assert [web.get(path).status_code for path in ("/api/cms/v2/posts", "/readyz")] == [200, 200]

    server.stop("immediate")

    for method, path in (("GET", "/api/cms/v2/posts"), ("POST", "/api/cms/v2/posts"), ("GET", "/uploads/2026/11/a.png"), ("GET", "/api/")):
        answer = web.open(path, method=method, headers=ADMIN if method == "POST" else {}, json={"title": "x"})
        assert (answer.status_code, answer.json["code"], answer.headers["Retry-After"]) == (503, "rest_unavailable", "5"), path
    app.extensions["cms"].answers.clear()
    threading.Event().wait(1.1)  # what /readyz found is told again for a second
    assert web.get("/readyz").text == "failing: database, migrations, work\n"
    assert web.get("/healthz").status_code == 200

    server.start()
    threading.Event().wait(1.1)  # for so long nobody tries again

    assert web.get("/readyz").text == "failing: work\n"  # a fall empties the tables that know of it
    assert web.post("/api/cms/v2/posts", json={"title": "Back", "status": "publish"}, headers=ADMIN).status_code == 201
    assert [item["title"]["rendered"] for item in web.get("/api/cms/v2/posts").json] == ["Back"]
    app.extensions["cms"].close()


@pytest.mark.long
@needs_programs
def test_two_hosts_share_one_site() -> None:
    if missing():
        pytest.skip(missing())
    done = run("bench/hosts.py", "--suites", "revisions", "--stale", "300", "--kills", "5", "--cut", "4", "--seed", "1")

    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.endswith("two hosts, seed 1: 0 wrong\n")


def test_the_compose_file_names_what_two_hosts_need() -> None:
    found = yaml.safe_load((HERE / "docs" / "deploy" / "compose.yaml").read_text(encoding="utf-8"))

    assert set(found["services"]) == {"database", "init", "one", "other", "nginx"}
    for name in ("init", "one", "other"):
        service = found["services"][name]
        assert set(service["environment"]) >= {"CMS_DATABASE", "CMS_UPLOADS", "CMS_URL", "AWS_ACCESS_KEY_ID"}
        assert service["volumes"] == [f"{'one' if name == 'init' else name}:/data"]
    assert set(found["volumes"]) == {"database", "one", "other"}
