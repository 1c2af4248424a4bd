"""The attempts of one key as the library counts them; imported when somebody first signs in, since that takes long."""

from __future__ import annotations

from pyrate_limiter import AbstractBucket, Rate, RateItem

from cms.db.attempts import AttemptRows
from cms.db.reader import Connection


class Bucket(AbstractBucket):
    """The attempts of one key, as the library counts them; the caller holds a transaction."""

    is_async = False

    def __init__(self, connection: Connection, key: bytes, most: int, seconds: int, now: int) -> None:
        milliseconds = seconds * 1000
        self.rates = [Rate(most, milliseconds)]
        self._rows = AttemptRows(connection, key)
        self._key = key
        self._since, self._now = now - milliseconds, now

    def put(self, item: RateItem) -> bool:
        """Store an attempt if it fits."""
        if not self.fits(item):
            return False
        until = item.timestamp + self.rates[0].interval
        self._rows.add(item.timestamp, until, item.weight)
        return True

    def fits(self, item: RateItem) -> bool:
        """Return whether an attempt would be stored."""
        fits = self.count() + item.weight <= self.rates[0].limit
        self.failing_rate = None if fits else self.rates[0]
        return fits

    def leak(self, current_timestamp: int | None = None) -> int:
        """Remove the attempts of all keys that don't count any more and return how many they were."""
        if current_timestamp is None:
            return self._rows.delete_outdated(self._now)
        return self._rows.delete_outdated(current_timestamp)

    def flush(self) -> None:
        """Remove the attempts of the key."""
        self._rows.delete()
        self.failing_rate = None

    def count(self) -> int:
        """Return how many attempts count now."""
        return self._rows.count(self._since, self._now)

    def peek(self, index: int) -> RateItem | None:
        """Return an attempt that counts, the latest first."""
        at = self._rows.find_nth_latest(self._since, self._now, index)
        if at is None:
            return None
        return RateItem(self._key.hex(), at)

    def item(self) -> RateItem:
        """Return an attempt that is made now."""
        return RateItem(self._key.hex(), self._now)

    def seconds(self, item: RateItem) -> int:
        """Return the seconds after which an attempt fits that has just not fitted."""
        wait = self.waiting(item)
        # The library counts a millisecond more, in which the oldest attempt doesn't count here any more.
        return max(1, -(-(wait - 1) // 1000)) if isinstance(wait, int) else 1
