"""Preparing items in several processes at once: forks of the import's, which end with it however it ends."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar, cast

from cms.transfer.wxr.records import ItemRecord

T = TypeVar("T")
#: Makes something of an item.
Prepare = Callable[[ItemRecord], T]
#: How many items a process is given at once, and how many times as many wait at most per process.
CHUNK, AHEAD = 50, 3
#: More are hardly faster: one process reads and writes what all of them take.
MOST_PROCESSES = 4


def count_processes() -> int:
    """Return how many processes are worth while: 1 where a fork could take along a lock of another thread."""
    if threading.active_count() > 1:
        return 1
    return min(len(os.sched_getaffinity(0)), MOST_PROCESSES)


def prepare_in_processes(
    items: Iterator[ItemRecord], prepare: Prepare[T], missing: Callable[[], T], processes: int
) -> Iterator[T]:
    """Yield what is made of each item in turn, `missing()` for those whose process was killed.

    Raises what `prepare` raises.
    """
    ends = os.pipe()
    try:
        context = get_context("fork")
        with ProcessPoolExecutor(processes, context, _begin_child, (prepare, *ends)) as pool:
            running: deque[tuple[int, Future[list[T]]]] = deque()
            while chunk := list(islice(items, CHUNK)):
                running.append((len(chunk), _submit(pool, chunk)))
                if len(running) > AHEAD * processes:
                    yield from _result(*running.popleft(), missing)
            while running:
                yield from _result(*running.popleft(), missing)
    finally:
        for end in ends:
            os.close(end)


def _submit(pool: ProcessPoolExecutor, chunk: list[ItemRecord]) -> Future[list[T]]:
    """Have a child prepare some items, by what it was given when it began."""
    try:
        return cast("Future[list[T]]", pool.submit(_prepare_all, chunk))
    except BrokenProcessPool as error:
        failed: Future[list[T]] = Future()
        failed.set_exception(error)
        return failed


def _result(number: int, future: Future[list[T]], missing: Callable[[], T]) -> list[T]:
    try:
        return future.result()
    except BrokenProcessPool:
        return [missing() for _item in range(number)]


#: What a child makes of items; set in it when it begins.
_prepare: list[Prepare[object]] = []


def _begin_child(prepare: Prepare[object], reading: int, writing: int) -> None:
    """Prepare a child: Ctrl-C is its parent's affair, and when that is gone, so is the child."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.close(writing)
    threading.Thread(target=_end_with_parent, args=(reading,), daemon=True).start()
    _prepare[:] = [prepare]


def _end_with_parent(reading: int) -> None:
    os.read(reading, 1)  # nobody writes; it returns when all who could are gone
    os._exit(1)


def _prepare_all(items: Iterable[ItemRecord]) -> list[object]:
    return [_prepare[0](item) for item in items]
