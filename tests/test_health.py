"""Watchers ask whether a process answers and whether the site can do its work; what fails is named, not explained."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from sites import PASSWORD, Client, Clock

import cms
from cms.testing import basic


def ask(client: Client, path: str) -> tuple[int, str]:
    answer = client.app.test_client().get(path)
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.status_code, answer.text


@pytest.fixture
def working(make_client: Callable[..., Client]) -> Client:
    """A site whose timed work was just looked after."""
    client = make_client()
    client.site.worker.run_due()
    return client


def test_a_site_that_works_is_ready(working: Client) -> None:
    assert ask(working, "/healthz") == (200, "ok\n")
    assert ask(working, "/readyz") == (200, "ok\n")


def test_work_that_stands_still_is_named(make_client: Callable[..., Client]) -> None:
    client = make_client()
    assert ask(client, "/readyz") == (503, "failing: work\n")


def test_a_heartbeat_grows_old(make_client: Callable[..., Client]) -> None:
    client = make_client()
    clock = client.site.context.runtime.now = Clock()
    client.site.worker.run_due()
    clock.now += 301

    assert ask(client, "/readyz") == (503, "failing: work\n")


def test_pending_migrations_are_named(working: Client) -> None:
    with working.site.database.write():
        working.site.database.execute("DELETE FROM schema_migration WHERE name LIKE '0001%'")

    assert ask(working, "/readyz") == (503, "failing: migrations\n")


@pytest.mark.files_only
def test_a_database_that_is_gone_is_named_and_the_process_still_answers(working: Client) -> None:
    working.site.close()
    working.site.config.database.write_bytes(b"no database at all" * 100)
    for ending in ("-wal", "-shm"):
        Path(f"{working.site.config.database}{ending}").unlink(missing_ok=True)

    assert ask(working, "/readyz") == (503, "failing: database, migrations\n")
    assert ask(working, "/healthz") == (200, "ok\n")


@pytest.mark.files_only
@pytest.mark.parametrize("ask_for", ["/readyz", "/api/cms/v2/posts"])
def test_a_removed_log_is_brought_in_by_whichever_thread_notices_it(working: Client, ask_for: str) -> None:
    working.new("/posts", title="Kept", status="publish")
    path, found = working.site.config.database, list[int]()
    Path(f"{path}-wal").unlink()

    def notice() -> None:
        client, signed_in = working.app.test_client(), {"Authorization": basic("admin", PASSWORD)}
        send = client.get if ask_for == "/readyz" else client.post
        found.append(send(ask_for, json={"title": "Lost"}, headers=signed_in).status_code)

    thread = threading.Thread(target=notice)
    thread.start()
    thread.join()

    assert found == [503]
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as file:
        assert file.execute("SELECT title FROM content WHERE title IN ('Kept', 'Lost')").fetchall() == [("Kept",)]


def test_a_disk_that_takes_nothing_is_named(working: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)

    assert ask(working, "/readyz") == (503, "failing: disk\n")


def test_watchers_need_not_know_the_name_of_the_host(make_client: Callable[..., Client]) -> None:
    client = make_client(allowed_hosts="www.example.org")
    web = client.app.test_client()

    assert web.get("/healthz", headers={"Host": "10.1.2.3:8000"}).status_code == 200
    assert web.get("/api/", headers={"Host": "10.1.2.3:8000"}).status_code == 400


def test_discovery_has_neither(working: Client) -> None:
    text = json.dumps(working.app.test_client().get("/api/").json)
    assert "healthz" not in text
    assert "readyz" not in text


def test_an_application_around_a_site_mounts_them_where_it_likes(make_client: Callable[..., Client]) -> None:
    config = make_client().site.config
    app = Flask("host")
    site = cms.init_app(app, {"background": False, "database": config.server or str(config.database)}, config.instance, base="/backend")
    assert app.test_client().get("/healthz").status_code == 404
    app = Flask("host")
    app.register_blueprint(cms.build_health(site), url_prefix="/backend")

    assert app.test_client().get("/backend/healthz").status_code == 200
    site.close()
