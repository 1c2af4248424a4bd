"""A process that forks while its threads use the site: the child serves at once, and harms nothing of the parent's."""

from __future__ import annotations

import logging
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import pytest
from servers import SERVER
from sites import Client

from cms import forks
from cms.media import pictures
from cms.net.client import Client as HttpClient

TIMEOUT = 20.0

pytestmark = pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")


def run_in_child(work: Callable[[], bool]) -> bool:
    """Fork, and return whether the child's work returns True before the timeout."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if work() else 1
        finally:
            os._exit(code)
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        finished, status = os.waitpid(child, os.WNOHANG)
        if finished:
            return status == 0
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def lists_and_writes(client: Client) -> bool:
    """Read and write over HTTP, each on a connection that is made for it."""
    listed = client.app.test_client().get("/api/cms/v2/posts")
    client.new("/posts", title="Of the child", status="publish")
    return listed.status_code == 200


@contextmanager
def threads(client: Client, *works: Callable[[], object]) -> Iterator[list[BaseException]]:
    """Do each work over and over in a thread of its own; yields what they raise."""
    stop, faults = threading.Event(), list[BaseException]()

    def repeat(work: Callable[[], object]) -> None:
        try:
            while not stop.is_set():
                work()
        except BaseException as fault:
            faults.append(fault)
        finally:
            client.site.database.close()

    started = [threading.Thread(target=repeat, args=(work,)) for work in works]
    for thread in started:
        thread.start()
    try:
        yield faults
    finally:
        stop.set()
        for thread in started:
            thread.join(TIMEOUT)
    assert not any(thread.is_alive() for thread in started)


def test_children_answer_whatever_threads_are_amid(client: Client) -> None:
    client.account("editor")
    posts = [client.new("/posts", title=f"Post {number}", status="publish")["id"] for number in range(20)]
    token = client.site.tokens.create(1, "Name", "all", None)[1]
    context, made = client.site.context, list[int]()

    def ask(path: str, **headers: str) -> None:
        assert client.app.test_client().get(f"/api/cms/v2{path}", headers=headers).status_code in (200, 401, 429)

    def write() -> None:
        made.append(client.new("/posts", title="Of a thread", status="publish")["id"])

    def sign_in() -> None:
        ask("/users/me", Authorization="Basic YWRtaW46d3Jvbmc=")
        context.runtime.note_token_use("x", "2030-01-01T00:00:00", "192.0.2.1")

    works = [write, sign_in, lambda: ask("/posts?_embed&search=post"), lambda: ask("/posts?per_page=100"),
             lambda: ask("/users/me", Authorization=f"Bearer {token}"), context.version.number]
    with threads(client, *works) as faults:
        served = [run_in_child(lambda: lists_and_writes(client)) for _ in range(6)]

    assert served == [True] * 6
    assert faults == []
    stored = client.site.database.column("SELECT title FROM content WHERE type = 'post'")
    assert stored.count("Of the child") == 6
    assert stored.count("Of a thread") == len(made) > 0
    assert SERVER or client.site.database.scalar("PRAGMA integrity_check") == "ok"
    assert len(posts) == 20


def test_what_closes_the_databases_waits_for_who_asks_for_the_changes(
        client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    database = client.site.database
    connect, closing = database.peewee.connection, threading.Thread(target=forks.close_all)
    is_waited_for = []

    def connection() -> sqlite3.Connection:
        opened: sqlite3.Connection = connect()
        if not is_waited_for:
            closing.start()
            closing.join(0.2)
            is_waited_for.append(closing.is_alive())
        return opened

    monkeypatch.setattr(database.peewee, "connection", connection)
    changes = database.changes()
    closing.join()

    assert is_waited_for == [True]
    assert changes >= 0


def test_a_fork_waits_for_a_transaction_of_another_thread(client: Client) -> None:
    begun, database = threading.Event(), client.site.database

    def write() -> None:
        with database.write():
            database.execute("UPDATE users SET name = 'Changed' WHERE id = 1")
            begun.set()
            time.sleep(0.5)
        database.close()

    writer = threading.Thread(target=write)
    writer.start()
    assert begun.wait(TIMEOUT)
    seen = run_in_child(lambda: database.scalar("SELECT name FROM users WHERE id = 1") == "Changed"
                        and lists_and_writes(client))
    writer.join()

    assert seen
    assert database.scalar("SELECT name FROM users WHERE id = 1") == "Changed"


def test_nothing_is_open_in_the_child_and_the_parent_goes_on(client: Client) -> None:
    client.get("/posts")
    path = str(client.site.config.database)

    def opens_none() -> bool:
        links = [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
        return not [link for link in links if link.startswith((path, str(client.site.config.state)))]

    if Path("/proc/self/fd").exists():
        assert run_in_child(opens_none)
    assert client.get("/posts").status_code == 200


def test_a_child_outlives_the_parents_connections(client: Client) -> None:
    # The last one that closes a database clears its log away: a child that had inherited it would write into nothing.
    client.get("/posts")
    ready, go_on = os.pipe(), os.pipe()

    def writes_later() -> bool:
        client.get("/posts")
        os.write(ready[1], b".")
        os.read(go_on[0], 1)
        return lists_and_writes(client)

    child = os.fork()
    if child == 0:
        os._exit(0 if writes_later() else 1)
    os.read(ready[0], 1)
    client.site.close()
    if not SERVER:
        with sqlite3.connect(client.site.config.database) as other:
            other.execute("SELECT 1 FROM users")
        other.close()
    os.write(go_on[1], b".")
    status = os.waitpid(child, 0)[1]

    assert status == 0
    assert client.site.database.scalar("SELECT COUNT(*) FROM content WHERE title = 'Of the child'") == 1


def test_who_forks_inside_a_transaction_of_their_own_goes_on_with_it(client: Client,
                                                                     caplog: pytest.LogCaptureFixture) -> None:
    database = client.site.database
    with caplog.at_level(logging.WARNING, "cms"), database.write():
        database.execute("UPDATE users SET name = 'Changed' WHERE id = 1")
        ended = run_in_child(lambda: True)
        database.execute("UPDATE users SET url = 'http://example.org' WHERE id = 1")

    assert ended
    assert "while a transaction is open" in caplog.text
    assert database.row("SELECT name, url FROM users WHERE id = 1") == {"name": "Changed", "url": "http://example.org"}


class Slow:
    """Something whose property takes long to find out."""

    @cached_property
    def value(self) -> int:
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.5)
        return 1


def test_a_child_serves_while_a_thread_of_the_parent_holds_every_lock(client: Client) -> None:
    context, http = client.site.context, HttpClient()
    client.get("/posts")
    locked, release = threading.Event(), threading.Event()
    locks = [context.version._lock, context.runtime._lock, context.database.peewee._lock,  # type: ignore[attr-defined]
             client.site._starting, pictures.turn.lock, http._lock]

    def hold() -> None:
        for lock in locks:
            lock.acquire()
        locked.set()
        release.wait(TIMEOUT)
        for lock in locks:
            lock.release()

    holder, slow = threading.Thread(target=hold), threading.Thread(target=lambda: Slow().value)
    holder.start(), slow.start()
    try:
        assert locked.wait(TIMEOUT)
        served = run_in_child(lambda: lists_and_writes(client) and Slow().value == 1
                              and pictures.turn.lock.acquire(timeout=1) and http._lock.acquire(timeout=1))
    finally:
        release.set()
        holder.join(), slow.join()

    assert served
    assert client.get("/posts").json[0]["title"]["rendered"] == "Of the child"


def test_what_is_registered_is_called_in_the_child_alone() -> None:
    class Holder:
        is_child = False

        def leave_to_parent(self) -> None:
            self.is_child = True

    holder = Holder()
    forks.register(holder)

    assert run_in_child(lambda: holder.is_child)
    assert not holder.is_child
