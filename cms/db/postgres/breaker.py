"""Who tries to connect to a server that didn't answer: one thread of a process at a time; the others fail at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from cms import forks
from cms.db.errors import ServerUnavailable

#: Seconds after a failure in which nobody tries again.
PAUSE = 1.0


class Breaker:
    """Notes whether connecting to one server has failed last, and lets one thread try again after a pause."""

    def __init__(self) -> None:
        self._trying = threading.Lock()
        self._failed: float | None = None
        self._reason = ""
        forks.register(self)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Connect inside; raises ServerUnavailable at once where the server is known not to answer."""
        if self._failed is None:
            with self._noting():
                yield
            return
        is_mine = self._trying.acquire(blocking=False)
        try:
            if not is_mine or time.monotonic() < (self._failed or 0) + PAUSE:
                raise ServerUnavailable(f"the server didn't answer a moment ago: {self._reason}")
            with self._noting():
                yield
        finally:
            if is_mine:
                self._trying.release()

    def leave_to_parent(self) -> None:
        """Forget, in a forked child, who of the parent tries."""
        self._trying = threading.Lock()

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self._failed, self._reason = time.monotonic(), str(error)
            raise
        self._failed = None


@lru_cache(maxsize=100)
def breaker_of(address: str) -> Breaker:
    """Return what all connections of this process to an address have in common."""
    return Breaker()
