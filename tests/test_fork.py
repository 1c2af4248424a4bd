"""A process that forks while its threads use the site: the child serves at once, and harms nothing of the parent's."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest
from sites import Client

from cms.db import forks

TIMEOUT = 10.0

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


def test_a_child_serves_while_a_thread_of_the_parent_holds_every_lock(client: Client) -> None:
    context = client.site.context
    client.get("/posts")
    locked, release = threading.Event(), threading.Event()

    def hold() -> None:
        with context.version._lock, context.runtime._lock, context.database.peewee._lock:  # type: ignore[attr-defined]
            locked.set()
            release.wait(TIMEOUT)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert locked.wait(TIMEOUT)
        served = run_in_child(lambda: lists_and_writes(client))
    finally:
        release.set()
        holder.join()

    assert served
    assert client.get("/posts").json[0]["title"]["rendered"] == "Of the child"


def test_threads_go_on_after_a_fork_between_their_requests(client: Client) -> None:
    # Between, not amid: no program can renew the locks that SQLite itself holds while a statement runs.
    client.new("/posts", title="First", status="publish")
    pause = threading.Barrier(4, timeout=TIMEOUT)
    statuses: list[int] = []

    def read() -> None:
        http = client.app.test_client()
        for _ in range(5):
            statuses.append(http.get("/api/cms/v2/posts").status_code)
            pause.wait()
            pause.wait()
        client.site.database.close()

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    served = []
    for _ in range(5):
        pause.wait()
        served.append(run_in_child(lambda: lists_and_writes(client)))
        pause.wait()
    for thread in threads:
        thread.join()

    assert served == [True] * 5
    assert statuses == [200] * 15


def test_what_is_registered_is_called_in_the_child_alone() -> None:
    class Holder:
        is_child = False

        def leave_to_parent(self) -> None:
            self.is_child = True

    holder = Holder()
    forks.register(holder)

    assert run_in_child(lambda: holder.is_child)
    assert not holder.is_child
