"""Timed work: of all processes that serve a site, the one that holds a file's lock does it, in one thread."""

from __future__ import annotations

import atexit
import logging
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cms import forks
from cms.db.errors import ServerUnavailable
from cms.db.file_locks import try_lock
from cms.db.sqlite.runtime import RuntimeStore

#: Seconds after which a process asks again for the lock that another one holds.
POLL_INTERVAL = 2.0
#: Jobs with a longer interval are remembered across processes, so that a restart doesn't repeat them.
MIN_REMEMBERED_INTERVAL = 60.0
#: Under this name it is noted when the work was last looked after, at most so often, in seconds.
HEARTBEAT, BEAT_INTERVAL = "heartbeat", 30.0
#: Seconds for which the end of a process waits for a job that runs.
STOP_TIMEOUT = 10.0


log = logging.getLogger("cms")


def never() -> bool:
    """Return False, for work that nothing stops but its end."""
    return False


@dataclass
class Job:
    """Something to do every so many seconds; `due` is the next time, None while this process doesn't work."""

    name: str
    seconds: float
    run: Callable[[], object]
    due: float | None = None


class Worker:
    """The timed work of one site in this process."""

    def __init__(self, lock: Path, runtime: RuntimeStore, finish: Callable[[], None]) -> None:
        self._lock, self._runtime, self._finish = lock, runtime, finish
        self._jobs: dict[str, Job] = {}
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._files: set[int] = set()
        self._last_beat = 0.0
        forks.register(self)
        _workers.add(self)

    def is_stopping(self) -> bool:
        """Return whether the process is about to end; a job that takes long should look at it between two steps."""
        return self._stop.is_set()

    def schedule_every(self, seconds: float, name: str, run: Callable[[], object]) -> None:
        """Have something done every so many seconds by one process of the site, beginning at once.

        What it raises is logged under the job's name, and it is run again after the next interval.
        Raises ValueError where there is a job of this name already.
        """
        if name in self._jobs or name == HEARTBEAT:
            raise ValueError(f"there is a job {name!r} already")
        self._jobs[name] = Job(name, seconds, run)

    def clear(self) -> None:
        """Forget all jobs."""
        self._jobs = {}

    def start(self) -> None:
        """Work in a thread of this process from now on, whenever no other process does."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self.run, name="cms-work", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread, if there is one; a job that runs is waited for."""
        if self._thread is None or self._thread is threading.current_thread():
            return
        self._stop.set()
        self._thread.join(STOP_TIMEOUT)
        self._thread = None

    def request_stop(self) -> None:
        """Have the work of this thread end soon; a signal's handler may call this."""
        self._stop.set()

    def run(self) -> None:
        """Work until it is stopped, in the present thread."""
        try:
            while not self.is_stopping():
                try:
                    with self.leader_lock() as mine:
                        if mine:
                            self._work()
                except ServerUnavailable as error:
                    log.warning("timed work waits for the database's server: %s", error)
                self._stop.wait(POLL_INTERVAL)
        finally:
            self._finish()

    def run_due(self) -> list[str] | None:
        """Run each job that is due once and return their names; None where another process does the work."""
        with self.leader_lock() as mine:
            if not mine:
                return None
            self._remember()
            self._beat()
            done = []
            for job in list(self._jobs.values()):
                if self._run(job):
                    done.append(job.name)
            return done

    @contextmanager
    def leader_lock(self) -> Iterator[bool]:
        """Try to hold the lock and yield whether this process has it; the system frees it when a process dies."""
        file = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._files.add(file)
        try:
            yield try_lock(file) and self._runtime.lead()
        finally:
            self._runtime.end_lead()
            self._files.discard(file)
            os.close(file)

    def _work(self) -> None:
        self._remember()
        while not self.is_stopping() and self._runtime.leads():
            self._beat()
            for job in list(self._jobs.values()):
                self._run(job)
            now = self._runtime.now()
            waits = [job.due - now for job in self._jobs.values() if job.due is not None]
            self._stop.wait(max(0.05, min(waits, default=POLL_INTERVAL)))

    def _beat(self) -> None:
        """Note that some process does the work."""
        now = self._runtime.now()
        if not self._last_beat <= now < self._last_beat + BEAT_INTERVAL:
            self._last_beat = now
            self._runtime.note_job_run(HEARTBEAT, now)

    def _remember(self) -> None:
        """Find out when each job was last run by any process."""
        known = self._runtime.job_runs()
        for job in self._jobs.values():
            last_run = known.get(job.name)
            job.due = None if last_run is None else last_run + job.seconds

    def _run(self, job: Job) -> bool:
        now = self._runtime.now()
        # One that is due later than it can be was planned before the clock was set back.
        if self.is_stopping() or (job.due is not None and now < job.due <= now + job.seconds):
            return False
        try:
            job.run()
        except Exception:
            log.exception("the job %s failed", job.name)
        job.due = now + job.seconds
        if job.seconds >= MIN_REMEMBERED_INTERVAL:
            self._runtime.note_job_run(job.name, now)
        return True

    def leave_to_parent(self) -> None:
        """Forget the parent's thread and jobs in a forked child; its lock stays the parent's."""
        for file in self._files:
            os.close(file)
        self._files, self._thread, self._jobs, self._stop = set(), None, {}, threading.Event()
        self._last_beat = 0.0


_workers: weakref.WeakSet[Worker] = weakref.WeakSet()


def _at_exit() -> None:
    for worker in list(_workers):
        worker.stop()


atexit.register(_at_exit)
