"""The queue of those who wait to write: threads of a process in their order, processes by turns.

SQLite alone has those who wait try again and again, with ever longer pauses, so that one may be passed by others for
seconds. The queue only says who tries next: SQLite's own lock is what keeps writers apart, also from programs that know
nothing of the queue.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

#: Seconds between two looks at what another process holds.
POLL = 0.0005
#: Seconds for which threads of one process follow one another before another process has its turn.
LEASE = 0.02
#: Places in the file: who holds NEXT writes after who holds NOW, so no process takes two turns while another waits.
NEXT, NOW = 0, 1


class WriteQueue:
    """Lets one thread of one process after another write to a database file."""

    def __init__(self, path: Path, seconds: float) -> None:
        """Keep the processes' places in a file beside the database; nobody waits longer than so many seconds."""
        self._path = path.with_suffix(".writing")
        self._seconds = seconds
        self._threads = FairLock()
        self._since: float | None = None
        self._file: int | None = None
        self._closing: Callable[[], object] | None = None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for this thread's turn; raises sqlite3.OperationalError, as SQLite does, where it takes too long."""
        deadline = time.monotonic() + self._seconds
        if not self._threads.acquire(self._seconds):
            raise sqlite3.OperationalError("database is locked: others wait to write, too")
        try:
            if self._since is None:
                self._wait_for_processes(deadline)
            yield
        finally:
            self._end_turn()

    def _wait_for_processes(self, deadline: float) -> None:
        file = self._open()
        if file is None:
            return
        is_next = _hold(file, NEXT, deadline)
        is_now = is_next and _hold(file, NOW, deadline)
        _let_go(file, NEXT)
        if not is_now:
            raise sqlite3.OperationalError("database is locked: another process writes")
        self._since = time.monotonic()

    def _end_turn(self) -> None:
        """Let a thread that waits follow, as long as the process has had its turn for a short time only."""
        if self._since is not None:
            if time.monotonic() - self._since < LEASE and self._threads.hand_over():
                return
            self._since = None
            if self._file is not None:
                _let_go(self._file, NOW)
        self._threads.release()

    def close(self) -> None:
        """Close the file; the next turn opens it again."""
        if self._closing is not None:
            self._closing()
        self._file = self._closing = None

    def forget_threads(self) -> None:
        """Forget the parent's threads in a forked child."""
        self._threads, self._since = FairLock(), None

    def _open(self) -> int | None:
        """Return the file, or None where there can't be one: then SQLite's lock is all there is."""
        if self._file is None:
            try:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError:
                return None
            self._closing = weakref.finalize(self, os.close, self._file)
        return self._file


def _hold(file: int, place: int, deadline: float) -> bool:
    """Take a place for this process and return whether it was free in time; of a file that can't be locked it is."""
    while True:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(POLL)
        except OSError:
            return True
        else:
            return True


def _let_go(file: int, place: int) -> None:
    try:
        fcntl.lockf(file, fcntl.LOCK_UN, 1, place)
    except OSError:
        return


class FairLock:
    """A lock that threads get in the order in which they asked for it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._is_held = False
        self._waiting: deque[threading.Lock] = deque()

    def acquire(self, seconds: float) -> bool:
        """Wait for the lock, and return whether it came in time."""
        with self._guard:
            if not self._is_held:
                self._is_held = True
                return True
            ticket = threading.Lock()
            ticket.acquire()
            self._waiting.append(ticket)
        if ticket.acquire(timeout=seconds):
            return True
        with self._guard:
            if ticket not in self._waiting:  # it was handed over in this moment
                return True
            self._waiting.remove(ticket)
            return False

    def hand_over(self) -> bool:
        """Give the lock to whoever has waited longest, and return whether somebody waits."""
        with self._guard:
            return self._give_to_next()

    def release(self) -> None:
        """Give the lock to whoever has waited longest, or to nobody."""
        with self._guard:
            self._is_held = self._give_to_next()

    def _give_to_next(self) -> bool:
        if not self._waiting:
            return False
        self._waiting.popleft().release()
        return True
