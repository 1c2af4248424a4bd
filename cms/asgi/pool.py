"""The threads of a process that answer requests, one each at a time, and the requests that wait for one."""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
import weakref
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue

from cms.api.write_turns import WriteTurns

#: Seconds for which the end of a process that nobody waits for waits for a thread.
STOP_TIMEOUT = 2.0
#: Seconds between two looks at whether all threads have ended.
POLL = 0.02

log = logging.getLogger("cms")

Job = Callable[[], object]


class Pool:
    """Runs jobs in a bounded number of threads, one of them left to reads; a bounded number of jobs wait for one."""

    def __init__(self, threads: int, waiting: int, finish: Job) -> None:
        """Prepare for so many threads; each calls `finish` before it ends."""
        self._count, self._most, self._finish = threads, threads + waiting, finish
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._taken = 0
        self._turns = WriteTurns(threads)
        self._lock = threading.Lock()
        _pools.add(self)

    def start(self) -> None:
        """Begin the threads, which only the process that answers may do; called again it does nothing."""
        if self._threads:
            return
        for number in range(self._count):
            thread = threading.Thread(target=self._work, name=f"cms-request-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def run(self, job: Job, is_write: bool) -> bool:
        """Have a job run by the next thread that is free, and tell whether there is room for it."""
        with self._lock:
            if self._taken >= self._most:
                return False
            self._taken += 1
        if not is_write:
            self._jobs.put(job)
        else:
            write = partial(self._write, job)
            if self._turns.begin(write):
                self._jobs.put(write)
        return True

    def _write(self, job: Job) -> None:
        try:
            job()
        finally:
            follower = self._turns.end()
            if follower is not None:
                self._jobs.put(follower)

    async def stop(self) -> None:
        """Let the threads finish what they do and what waits, and end; the event loop goes on meanwhile."""
        self._end_threads()
        while any(thread.is_alive() for thread in self._threads):
            await asyncio.sleep(POLL)
        self._threads = []

    def stop_soon(self) -> None:
        """Let the threads end, and wait for them no longer than a process that ends at once may."""
        self._end_threads()
        for thread in self._threads:
            thread.join(STOP_TIMEOUT)

    def _end_threads(self) -> None:
        for job in self._turns.all_waiting():  # they would come after the threads' end
            self._jobs.put(job)
        for _thread in self._threads:
            self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except BaseException:
                # A thread that ended would be missing from then on.
                log.exception("a thread that answers requests met a fault of its own")
            finally:
                with self._lock:
                    self._taken -= 1
            del job
        self._finish()


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


def _at_exit() -> None:
    for pool in list(_pools):
        pool.stop_soon()


atexit.register(_at_exit)
