"""Which writes of a process have a thread: they wait for each other's lock, and would have all reads wait with them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

Job = Callable[[], object]


class WriteTurns:
    """Lets writes have all threads of a process but one; the others wait in their order, and need no thread for it."""

    def __init__(self, threads: int) -> None:
        """Prepare for a process with so many threads; where there is one alone, all share it."""
        self._free = max(1, threads - 1)
        self._waiting: deque[Job] = deque()
        self._lock = threading.Lock()

    def begin(self, job: Job) -> bool:
        """Take a turn and return whether there is one; otherwise `end` returns the job when it has its turn."""
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return True
            self._waiting.append(job)
            return False

    def end(self) -> Job | None:
        """Give a turn back, and return the job that has it now."""
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._free += 1
            return None

    def all_waiting(self) -> list[Job]:
        """Return the jobs that wait, which wait no longer: for the end of a process, when reads come no more."""
        with self._lock:
            waiting = list(self._waiting)
            self._waiting.clear()
            return waiting
