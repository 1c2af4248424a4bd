"""A connection of one process beside those of its threads, which is never used on both sides of a fork."""

from __future__ import annotations

import threading
from typing import Generic, Protocol, TypeVar

from cms import forks


class Closable(Protocol):
    """A connection, as far as its end goes."""

    def close(self) -> None:
        """End it."""


C = TypeVar("C", bound=Closable)


class OwnConnection(Generic[C]):
    """Holds the connection, and the lock under which it is used, for those who open it when they need it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection: C | None = None
        self._inherited: list[C] = []
        forks.register_connected(self)

    def close(self) -> None:
        """Close the connection; the next use opens another."""
        with forks.inside(), self._lock:
            self._drop()

    def close_before_fork(self) -> None:
        """Close the connection, for this process and its child to open their own."""
        with forks.taken(self._lock) as taken:
            if taken:
                self._drop()

    def leave_to_parent(self) -> None:
        """Forget the parent's connection and lock in a forked child; closing it there would harm the parent's."""
        if self._connection is not None:
            self._inherited.append(self._connection)
        self._connection = None
        self._lock = threading.Lock()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None
