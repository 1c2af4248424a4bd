"""Visitors' reads from a replica of PostgreSQL: never older than the settings allow, and never a reason for an error."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from adapter import PASSWORD
from postgres_server import CARELESS, PostgresServer, find_programs, running
from sites import URL

from cms import create_app
from cms.assembly import open_site
from cms.config import ConfigError, load_config
from cms.install.bootstrap import set_up
from cms.testing import basic

psycopg = pytest.importorskip("psycopg", reason="the extra postgres isn't installed")
pytestmark = pytest.mark.skipif(find_programs() is None, reason="PostgreSQL's programs aren't installed")

POSTS = "/api/cms/v2/posts"
SIGNED_IN = {"Authorization": basic("admin", PASSWORD)}


class Pair:
    """A primary server with a site, and its replica."""

    def __init__(self, primary: PostgresServer, replica: PostgresServer) -> None:
        self.primary, self.replica = primary, replica

    def ask(self, server: PostgresServer, statement: str) -> Any:
        """Return what a statement finds on a server."""
        with psycopg.connect(f"{server.address}/site", autocommit=True) as connection:
            found = connection.execute(statement)
            return found.fetchone()[0] if found.description else None

    def pause(self) -> None:
        """Let the replica stay as it is now."""
        self.ask(self.replica, "SELECT pg_wal_replay_pause()")
        await_true(lambda: self.ask(self.replica, "SELECT pg_get_wal_replay_pause_state()") == "paused")

    def resume(self) -> None:
        """Let the replica go on until it has all that the primary server has."""
        self.ask(self.replica, "SELECT pg_wal_replay_resume()")
        self.await_replayed()

    def await_replayed(self) -> None:
        written = self.ask(self.primary, "SELECT pg_current_wal_lsn()")
        await_true(lambda: self.ask(self.replica, f"SELECT pg_last_wal_replay_lsn() >= '{written}'"))


def await_true(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("made")
    # What a commit has written is where the replica looks for it, not only a moment later.
    options = [option for option in CARELESS if not option.startswith("synchronous_commit")]
    with running(options) as primary:
        with psycopg.connect(f"{primary.address}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE site TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'")
        site = open_site(load_config(folder, {"database": f"{primary.address}/site", "url": URL, "password_cost": "low"}, {}))
        set_up(site, password=PASSWORD)
        site.close()
        with running(primary=primary.address) as replica:
            yield Pair(primary, replica)


class Host:
    """A host of the site that reads from the replica."""

    def __init__(self, pair: Pair, folder: Path, settings: dict[str, object]) -> None:
        self.pair = pair
        usual = {"database": f"{pair.primary.address}/site", "database_replicas": [f"{pair.replica.address}/site"],
                 "url": URL, "password_cost": "low", "background": False, "database_connect_seconds": 2}
        folder.mkdir()
        (folder / "site.server").touch()
        self.app = create_app({**usual, **settings}, folder)
        self.http, self.site = self.app.test_client(), self.app.extensions["cms"]
        self.replicas = self.site.context.replicas

    def write(self, title: str) -> int:
        """Publish a post and return its id."""
        made = self.http.post(POSTS, json={"title": title, "status": "publish"}, headers=SIGNED_IN)
        assert made.status_code == 201
        return int(made.get_json()["id"])

    def newest(self, **headers: str) -> str:
        """Return the title of the newest post, in an answer that nobody has asked for before."""
        self.site.answers.clear()
        found = self.http.get(f"{POSTS}?per_page=1&orderby=id", headers=headers)
        assert found.status_code == 200
        return str(found.get_json()[0]["title"]["rendered"])

    def is_from_replica(self, read: Callable[[], object]) -> bool:
        """Do something that reads, and tell whether the replica was asked for it."""
        before = self.replicas.hits
        read()
        return bool(self.replicas.hits > before)

    def await_replica(self) -> None:
        """Read until the replica answers."""
        await_true(lambda: self.is_from_replica(self.newest))


@pytest.fixture
def make_host(pair: Pair, tmp_path: Path) -> Iterator[Callable[..., Host]]:
    hosts: list[Host] = []

    def make(**settings: object) -> Host:
        hosts.append(Host(pair, tmp_path / f"host-{len(hosts)}", settings))
        hosts[-1].write("First")
        pair.await_replayed()
        hosts[-1].await_replica()
        return hosts[-1]

    yield make
    for host in hosts:
        host.site.close()
    pair.resume()


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let time go by for what the hosts have seen of the primary server."""
    ahead = [0.0]
    monkeypatch.setattr("cms.db.postgres.seen_numbers.monotonic", lambda: time.monotonic() + ahead[0])

    def wait(seconds: float) -> None:
        ahead[0] += seconds

    return wait


def test_each_write_is_seen_at_once_though_visitors_read_from_the_replica(make_host: Callable[..., Host]) -> None:
    host, other = make_host(), make_host()
    before = other.replicas.hits
    for number in range(12):
        host.write(f"Number {number}")
        assert host.newest() == other.newest() == f"Number {number}"
        other.await_replica()
    assert other.replicas.hits - before >= 12


def test_without_a_bound_a_replica_that_is_behind_answers_nothing(pair: Pair, make_host: Callable[..., Host]) -> None:
    host = make_host()
    pair.pause()
    assert host.is_from_replica(host.newest)
    host.write("Newer")
    assert not any(host.is_from_replica(lambda: host.newest() == "Newer" or pytest.fail("old")) for _turn in range(5))
    pair.resume()
    host.await_replica()
    assert host.newest() == "Newer"


def test_within_the_bound_visitors_may_read_what_was_there_before(
    pair: Pair, make_host: Callable[..., Host], wait: Callable[[float], None]
) -> None:
    host = make_host(replica_staleness_seconds=60)
    pair.pause()
    assert host.newest() == "First"
    id = host.write("Newer")
    assert host.newest() == "First"
    assert host.http.get(f"{POSTS}/{id}").status_code == 404
    assert host.newest(**SIGNED_IN) == "Newer"
    wait(60)
    assert host.newest() == "Newer"
    assert not host.is_from_replica(host.newest)


def test_an_old_answer_is_kept_for_no_longer_than_it_may_be_given(
    pair: Pair, make_host: Callable[..., Host], wait: Callable[[float], None]
) -> None:
    host = make_host(replica_staleness_seconds=60)
    pair.pause()
    path = f"{POSTS}?per_page=1&orderby=id&page=1"
    host.http.get(path)
    host.write("Newer")
    host.newest(**SIGNED_IN)
    before = host.site.answers.hits
    assert [host.http.get(path).get_json()[0]["title"]["rendered"] for _turn in range(2)] == ["First", "First"]
    assert host.site.answers.hits > before
    wait(60)
    assert [host.http.get(path).get_json()[0]["title"]["rendered"] for _turn in range(2)] == ["Newer", "Newer"]


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "", SIGNED_IN, 200),
        ("GET", "", {"Authorization": "Basic bm9ib2R5Om5vYm9keQ=="}, 401),
        ("GET", "?password=x", {}, 200),
        ("GET", "?pass%77ord=x", {}, 200),
        ("GET", "?preview=x", {}, 200),
        ("OPTIONS", "", {}, 200),
        ("POST", "", {}, 401),
    ],
)
def test_the_primary_server_answers(make_host: Callable[..., Host], method: str, path: str, headers: dict[str, str], status: int) -> None:
    host = make_host()
    answers = []
    assert not host.is_from_replica(lambda: answers.append(host.http.open(POSTS + path, method=method, headers=headers)))
    assert answers[0].status_code == status
    assert host.is_from_replica(lambda: host.http.get(POSTS + "?page=1"))


def test_a_read_that_writes_goes_on_at_the_primary_server(make_host: Callable[..., Host]) -> None:
    host = make_host()
    site = host.site
    with site.cache.one_look(), host.replicas.reading():
        before = site.database.scalar("SELECT COUNT(*) FROM content")
        with site.database.write():
            site.database.execute("UPDATE content SET menu_order = 7 WHERE id = (SELECT MAX(id) FROM content)")
        assert site.database.scalar("SELECT menu_order FROM content ORDER BY id DESC LIMIT 1") == 7
    assert before > 0


def test_answers_go_on_while_the_replica_is_gone(pair: Pair, make_host: Callable[..., Host]) -> None:
    host = make_host()
    for how in ("fast", "immediate"):
        pair.replica.stop(how)
        try:
            host.write(f"Without, {how}")
            assert {host.newest() for _turn in range(20)} == {f"Without, {how}"}
        finally:
            pair.replica.start()
        host.await_replica()
        assert host.newest() == f"Without, {how}"


def test_no_read_waits_for_a_replica_that_takes_no_connection(pair: Pair, tmp_path: Path) -> None:
    def is_connecting() -> bool:
        return any(thread.name == "replica" for thread in threading.enumerate())

    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql://postgres@127.0.0.1:{silent.getsockname()[1]}/site"
        host = Host(pair, tmp_path / "other", {"database_replicas": [address], "database_connect_seconds": 120})
        host.write("Here")
        assert {host.newest() for _turn in range(5)} == {"Here"}
        assert is_connecting()
    await_true(lambda: not is_connecting())
    host.site.close()


def test_a_statement_that_the_replica_breaks_off_is_run_at_the_primary_server(pair: Pair, make_host: Callable[..., Host]) -> None:
    host = make_host()
    site, end = host.site, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'site'"
    with site.cache.one_look(), host.replicas.reading():
        assert site.database.scalar("SELECT pg_is_in_recovery()") == 1
        assert pair.ask(pair.replica, f"{end} AND pid <> pg_backend_pid()") > 0
        assert site.database.scalar("SELECT pg_is_in_recovery()") == 0
    host.await_replica()


@pytest.mark.parametrize("address", ["{primary}/site", "{replica}/postgres", "postgresql://postgres@127.0.0.1:1/site"])
def test_servers_that_are_no_replicas_of_the_site_are_left_alone(pair: Pair, make_host: Callable[..., Host], address: str, tmp_path: Path) -> None:
    named = address.format(primary=pair.primary.address, replica=pair.replica.address)
    host = Host(pair, tmp_path / "other", {"database_replicas": [named]})
    host.write("Here")
    for _turn in range(5):
        assert host.newest() == "Here"
        time.sleep(0.1)
    assert (host.replicas.hits, host.replicas.misses) == (0, 5)
    host.site.close()


def test_the_primary_server_may_be_gone_for_as_long_as_the_bound_allows(
    pair: Pair, make_host: Callable[..., Host], wait: Callable[[float], None]
) -> None:
    host = make_host(replica_staleness_seconds=60)
    host.newest(**SIGNED_IN)
    pair.primary.stop()
    try:
        assert host.newest() == "First"
        wait(60)
        assert host.http.get(POSTS).status_code == 503
    finally:
        pair.primary.start()
    await_true(lambda: host.http.get(POSTS).status_code == 200)


def test_reads_are_counted(make_host: Callable[..., Host]) -> None:
    from prometheus_client import values

    known = values.ValueClass
    host = make_host(metrics_token="sesame")
    values.ValueClass = known
    host.write("Last")
    host.await_replica()
    told = host.http.get("/metrics", headers={"Authorization": "Bearer sesame"}).text
    assert 'cms_replica_reads_total{answered="replica"}' in told
    assert 'cms_replica_reads_total{answered="primary"}' in told


def test_slow_statements_of_the_replica_are_logged(
        make_host: Callable[..., Host], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    host = make_host(slow_milliseconds=1, answer_cache=0)
    monkeypatch.setattr("cms.db.postgres.cursors.perf_counter", count().__next__)
    caplog.clear()

    assert host.is_from_replica(host.newest)
    assert re.search(r"a statement has taken 1000 ms: SELECT .*content", caplog.text)


def test_replicas_of_a_file_are_refused(tmp_path: Path) -> None:
    config = load_config(tmp_path, {"database_replicas": "postgresql://one/a,postgresql://two,three/b"}, {})
    assert config["database_replicas"] == ("postgresql://one/a", "postgresql://two,three/b")
    with pytest.raises(ConfigError, match="database_replicas needs a database of PostgreSQL"):
        open_site(config)
