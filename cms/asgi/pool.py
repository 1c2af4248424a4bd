"""The threads of a process that answer requests, one each at a time, the requests that wait, and finished answers."""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from queue import SimpleQueue
from time import monotonic

from cms.api.write_turns import WriteTurns

#: Seconds for which the end of a process that nobody waits for waits for a thread.
STOP_TIMEOUT = 2.0
#: Seconds after which a job takes long.
LONG = 0.005
#: How many answers wait at most to come to the event loop together.
BATCH = 8
#: Seconds between two looks at whether all threads have ended.
POLL = 0.02

log = logging.getLogger("cms")

Job = Callable[[], object]


class PoolThread(threading.Thread):
    """A thread of a pool, the jobs that it is woken with, and since when it has worked on its present one."""

    def __init__(self, number: int, work: Callable[[PoolThread], None]) -> None:
        super().__init__(name=f"cms-request-{number}", daemon=True)
        #: What it is to do next; None ends it.
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        #: When it began its job; longer ago than anything while it has none.
        self.began = -inf
        self._work = work

    def run(self) -> None:
        """Do jobs until there are no more."""
        self._work(self)


class Pool:
    """Runs jobs in a bounded number of threads, one of them left to reads; a bounded number of jobs wait for one.

    Of several threads that are free the one that was busy last has the next job: its connection to the database knows
    most of the pages that it needs, while those of others have to be read anew after each write. Python runs one
    thread at a time, and others that want to cost more than they bring: more than `brisk` threads begin once those
    that run take long, as searches do, and writes that wait for others.

    For the same reason the event loop and the threads take turns: jobs begin once the loop has taken in what has come,
    and what they deliver comes to the loop together with what those deliver that wait, no later than after `LONG`.
    """

    def __init__(self, threads: int, waiting: int, brisk: int, finish: Job) -> None:
        """Prepare for so many threads; each calls `finish` before it ends."""
        self._count, self._most, self._brisk, self._finish = threads, threads + waiting, brisk, finish
        self._threads: list[PoolThread] = []
        #: Threads that wait for a job, the one that was busy last at the end.
        self._free: list[PoolThread] = []
        self._waiting: deque[Job | None] = deque()
        self._taken = 0
        self._turns = WriteTurns(threads)
        self._lock = threading.Lock()
        #: What is to be done in the event loop that waits for more of it.
        self._deliveries: list[Job] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        #: Whether the event loop begins jobs at the end of its present turn.
        self._is_due = False
        #: Whether it looks whether another thread should begin, and whether something waits to be done in it.
        self._is_watched = False
        self._is_ending = False
        _pools.add(self)

    def start(self) -> None:
        """Begin the threads, in the event loop of the process that answers; called again it does nothing."""
        if self._threads:
            return
        self._loop = asyncio.get_running_loop()
        self._is_ending = False
        self._threads = [PoolThread(number, self._work) for number in range(self._count)]
        self._free = list(self._threads)
        for thread in self._threads:
            thread.start()

    def run(self, job: Job, is_write: bool) -> bool:
        """Have a job run by the next thread that is free, and tell whether there is room for it."""
        with self._lock:
            if self._taken >= self._most:
                return False
            self._taken += 1
        if is_write:
            job = partial(self._write, job)
        if not is_write or self._turns.begin(job):
            self._waiting.append(job)
        if self._loop and not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._begin_due)
        return True

    def deliver(self, call: Job) -> None:
        """Have something done in the event loop, for a job to call: at once, unless others wait and it may wait too."""
        with self._lock:
            self._deliveries.append(call)
            may_wait = self._is_watched and self._waiting and not self._is_ending
            is_due = not may_wait or len(self._deliveries) >= BATCH
        if self._loop and is_due:
            with suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._do_deliveries)

    def _do_deliveries(self) -> None:
        with self._lock:
            calls, self._deliveries = self._deliveries, []
        for call in calls:
            call()

    def _begin_due(self) -> None:
        self._is_due = False
        if not self._is_watched:
            self._watch()
            return
        with self._lock:
            self._begin_next()

    def _give(self, job: Job | None) -> None:
        """Have a job begun in its turn, by a thread that is free or the first that will be."""
        with self._lock:
            self._waiting.append(job)
            self._begin_next()

    def _watch(self) -> None:
        """Look again and again, as long as jobs wait, whether those that run take long, and another thread begins."""
        with self._lock:
            self._begin_next()
            busy = len(self._threads) - len(self._free)
            self._is_watched = self._taken > busy
        if self._loop and self._is_watched:
            self._loop.call_later(LONG, self._watch)
        # What comes from now on finds the look that was just decided on.
        self._do_deliveries()

    def _begin_next(self) -> None:
        """Give jobs to threads, as long as there are some and not enough have begun one just now."""
        while self._waiting and self._free and not self._is_crowded():
            thread = self._free.pop()
            thread.began = monotonic()
            thread.jobs.put(self._waiting.popleft())

    def _is_crowded(self) -> bool:
        if self._is_ending:
            return False
        recent = monotonic() - LONG
        return sum(thread.began > recent for thread in self._threads) >= self._brisk

    def _next(self, thread: PoolThread) -> Job | None:
        """Return what a thread that has finished a job does next, once there is something."""
        with self._lock:
            self._taken -= 1
            thread.began = -inf
            if self._waiting and not self._is_crowded():
                thread.began = monotonic()
                return self._waiting.popleft()
            self._free.append(thread)
        return thread.jobs.get()

    def _write(self, job: Job) -> None:
        try:
            job()
        finally:
            follower = self._turns.end()
            if follower is not None:
                self._give(follower)

    async def stop(self) -> None:
        """Let the threads finish what they do and what waits, and end; the event loop goes on meanwhile."""
        self._end_threads()
        while any(thread.is_alive() for thread in self._threads):
            await asyncio.sleep(POLL)
        self._do_deliveries()
        self._threads = []

    def stop_soon(self) -> None:
        """Let the threads end, and wait for them no longer than a process that ends at once may."""
        self._end_threads()
        for thread in self._threads:
            thread.join(STOP_TIMEOUT)

    def _end_threads(self) -> None:
        self._is_ending = True
        for job in self._turns.all_waiting():  # they would come after the threads' end
            self._give(job)
        for _thread in self._threads:
            self._give(None)

    def _work(self, thread: PoolThread) -> None:
        job = thread.jobs.get()
        while job is not None:
            try:
                job()
            except BaseException:
                # A thread that ended would be missing from then on.
                log.exception("a thread that answers requests met a fault of its own")
            # What it holds must not stay until the next one comes.
            del job
            job = self._next(thread)
        self._finish()


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


def _at_exit() -> None:
    for pool in list(_pools):
        pool.stop_soon()


atexit.register(_at_exit)
