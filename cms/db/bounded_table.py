"""Tables that requests fill: each holds a number of bytes at most, whatever is asked for."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar

from cms import forks

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

#: What any entry takes besides what the caller says: its place in two tables, and the objects around a value.
OVERHEAD = 400


class BoundedTable(Generic[K, V]):
    """Values by key that together take no more bytes than it may hold; the oldest entries make room for new ones.

    Sizes are the callers' estimates. A key must be made of what is declared, never of a text as it was sent, unless
    the text's length is part of the size. Reading needs no lock.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._empty()
        forks.register(self)

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        """Return the value of a key, None where there is none."""
        return self._values.get(key)

    def put(self, key: K, value: V, size: int) -> None:
        """Keep a value of about so many bytes, unless it alone would take a quarter of all room."""
        size += OVERHEAD
        if size > self._most // 4:
            return
        with self._lock:
            self._remove(key)
            while self._total + size > self._most:
                self._remove(next(iter(self._sizes)))
            self._values[key] = value
            self._sizes[key] = size
            self._total += size

    def leave_to_parent(self) -> None:
        """Begin anew in a forked child: a thread of the parent may hold the lock, in the middle of a change."""
        self._empty()

    def _empty(self) -> None:
        self._values: dict[K, V] = {}
        self._sizes: dict[K, int] = {}
        self._total = 0
        self._lock = threading.Lock()

    def _remove(self, key: K) -> None:
        self._total -= self._sizes.pop(key, 0)
        self._values.pop(key, None)
