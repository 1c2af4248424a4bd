"""Which numbers of the data's version the primary server has shown lately, and when each was last the present one."""

from __future__ import annotations

from collections import deque
from time import monotonic

#: How many numbers are remembered; without the oldest ones less may be old, never more.
MOST = 1_000


class SeenNumbers:
    """Tells whether a state of the data was the present one at most so many seconds ago, by this process's clock."""

    def __init__(self, seconds: float) -> None:
        """Prepare; with 0 seconds nothing that was seen before counts."""
        self._seconds = seconds
        #: Numbers and the moments at which they were asked for, both ascending.
        self._seen: deque[tuple[int, float]] = deque(maxlen=MOST)

    def now(self) -> float:
        """Return this moment, for what is noted."""
        return monotonic()

    def note(self, number: int, asked: float) -> None:
        """Note that the primary has shown a number when it was asked at a moment; one thread at a time.

        A number lower than those before is that of a server that took the primary's place: those count no more.
        """
        while self._seen and self._seen[-1][0] >= number:
            self._seen.pop()
        self._seen.append((number, asked))

    def newest(self) -> int:
        """Return the number that was seen last, 0 before any was."""
        seen = self._seen
        return seen[-1][0] if seen else 0

    def holds(self, number: int) -> bool:
        """Tell whether the primary had no higher number at some moment that isn't longer ago than the bound."""
        if not self._seconds:
            return False
        earliest = self.now() - self._seconds
        return any(seen <= number and asked >= earliest for seen, asked in tuple(self._seen))
