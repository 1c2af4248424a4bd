"""Throttles: how many attempts they let through, over threads and processes."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sites import Clock

from cms.access.rate_limit import Limit, Throttle, network
from cms.db.attempts import DELETE_OUTDATED
from cms.db.sqlite.runtime import RuntimeStore


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def state(tmp_path: Path, clock: Clock) -> Any:
    made = RuntimeStore(tmp_path / "state.db", clock)
    yield made
    made.close()


@pytest.mark.parametrize(("most", "seconds", "attempts", "waits"), [
    (2, 10, [0, 0, 0], [0, 0, 10]),
    (2, 10, [0, 4, 5, 9.5, 10, 13, 14], [0, 0, 5, 1, 0, 1, 0]),
    (1, 60, [0, 59.9, 60], [0, 1, 0]),
    (0, 10, [0, 0, 0], [0, 0, 0]),
    (2, 10, [5_000, 5_000, 0, 0, 0], [0, 0, 0, 0, 10]),  # the clock was set back
])
def test_a_throttle_lets_so_many_through_in_any_window(state: RuntimeStore, clock: Clock, most: int, seconds: int,
                                                       attempts: list[float], waits: list[int]) -> None:
    throttle = Throttle(state, "comments", Limit(most, seconds))
    found = []

    for attempt in attempts:
        clock.now = 1_700_000_000.0 + attempt
        seen = throttle.wait("someone")
        found.append(throttle.take("someone"))
        assert seen == found[-1]

    assert found == waits


def test_names_and_keys_are_counted_apart_and_not_stored(state: RuntimeStore) -> None:
    one, other = Throttle(state, "one", Limit(1, 10)), Throttle(state, "other", Limit(1, 10))

    assert [one.take("secret-key"), one.take("b"), other.take("secret-key"), one.take("secret-key")] == [0, 0, 0, 10]
    assert b"secret-key" not in state.path.read_bytes()


def test_looking_counts_nothing(state: RuntimeStore) -> None:
    throttle = Throttle(state, "one", Limit(1, 10))

    assert [throttle.wait("a") for _ in range(5)] == [0] * 5
    assert throttle.take("a") == 0


def test_attempts_that_count_no_more_are_removed(state: RuntimeStore, clock: Clock) -> None:
    throttle = Throttle(state, "one", Limit(5, 10))
    for number in range(50):
        throttle.take(str(number))
    clock.now += 10

    throttle.take("late")

    assert state.read(lambda connection: connection.execute("SELECT COUNT(*) FROM attempts").fetchone()[0], None) == 1


def test_attempts_that_count_no_more_are_found_by_indexes(state: RuntimeStore) -> None:
    Throttle(state, "one", Limit(5, 10)).take("a")
    steps = state.read(lambda connection: connection.execute(f"EXPLAIN QUERY PLAN {DELETE_OUTDATED}", (0, 0)).fetchall(), [])
    assert steps
    assert not [step for *_numbers, step in steps if step.startswith("SCAN")]


def test_threads_share_one_limit(state: RuntimeStore) -> None:
    throttle = Throttle(state, "one", Limit(20, 100))

    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(lambda _: throttle.take("a"), range(60)))

    assert waits.count(0) == 20


def take_many(path: Path, start: Any) -> None:
    throttle = Throttle(RuntimeStore(path), "one", Limit(20, 1000))
    start.wait()
    os._exit(sum(throttle.take("a") == 0 for _ in range(15)))


def test_processes_share_one_limit(state: RuntimeStore) -> None:
    context = multiprocessing.get_context("fork")
    start = context.Event()
    workers = [context.Process(target=take_many, args=(state.path, start)) for _ in range(3)]
    for worker in workers:
        worker.start()
    start.set()
    for worker in workers:
        worker.join(30)

    assert sum(worker.exitcode or 0 for worker in workers) == 20


def test_a_forked_child_uses_its_own_connection_and_lock(state: RuntimeStore) -> None:
    throttle = Throttle(state, "one", Limit(2, 1000))
    throttle.take("a")
    held = state._lock
    with held:  # as another thread of the parent may, at the moment of the fork
        child = os.fork()
        if child == 0:
            os._exit(0 if [throttle.take("a"), throttle.take("a")] == [0, 1000] else 1)
        assert os.waitpid(child, 0)[1] == 0

    assert throttle.take("a") > 0


@pytest.mark.parametrize(("address", "expected"), [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
    ("fe80::1%eth0", "fe80::/64"), ("", ""), ("unix:", "unix:"),
])
def test_an_ipv6_address_counts_with_its_network(address: str, expected: str) -> None:
    assert network(address) == expected
