"""Whole answers to visitors, kept as long as the data that they were made of stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from cms.dates import FORM, Clock
from cms.db.bounded_table import BoundedTable
from cms.db.cache import DataVersion

#: What an answer depends on: path, query, origin.
Key = tuple[str, str, str]
#: Time zones change their offset at whole quarters of an hour, and what shows an offset with them.
QUARTER = timedelta(minutes=15)


@dataclass(frozen=True)
class CachedAnswer:
    """An answer as it was sent: its status, its headers in their order, its bytes."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes
    etag: str

    @cached_property
    def raw_headers(self) -> list[tuple[bytes, bytes]]:
        """The headers in bytes."""
        return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in self.headers]

    @cached_property
    def header_lines(self) -> bytes:
        """The headers as they are sent, each with its line end."""
        return b"".join(b"%b: %b\r\n" % header for header in self.raw_headers)


class Generation:
    """The answers made of one state of the data, from a moment until another at which it changes by itself."""

    def __init__(self, version: int, since: str, until: str, most_bytes: int) -> None:
        self.version, self._since, self._until = version, since, until
        self._most_bytes = most_bytes
        self.clear()

    def clear(self) -> None:
        """Forget the answers."""
        self._answers: BoundedTable[Key, CachedAnswer] = BoundedTable(self._most_bytes)

    def holds(self, version: int, now: str) -> bool:
        """Tell whether the data is still in that state; a clock that was set back makes it another one."""
        return self.version == version and self._since <= now < self._until

    def get(self, key: Key) -> CachedAnswer | None:
        """Return the answer to a request."""
        return self._answers.get(key)

    def put(self, key: Key, answer: CachedAnswer) -> None:
        """Keep the answer to a request."""
        # Each header is two texts and a pair, in letters and for an event loop in bytes, and there part of a line too.
        headers = sum(3 * len(name) + 3 * len(value) + 254 for name, value in answer.headers)
        self._answers.put(key, answer, len(answer.body) + headers + sum(map(len, key)) + 1_000)


class AnswerCache:
    """The answers of one process, in so many bytes at most; 0 for none at all."""

    def __init__(
        self, version: DataVersion, clock: Clock, next_change: Callable[[str], str | None], most_bytes: int
    ) -> None:
        """Prepare; `next_change(now)` is when what visitors see changes next without a write."""
        self._version, self._clock, self._next_change = version, clock, next_change
        self._most_bytes = most_bytes
        self._generation = Generation(-1, "", "", 0)
        #: What a server had heard when it looked for the last time, and whose data it saw.
        self._seen = -1, self._generation
        #: How many answers were given from here, and how many had to be made.
        self.hits, self.misses = 0, 0

    def __bool__(self) -> bool:
        return self._most_bytes > 0

    def generation(self, version: int, is_behind: bool = False) -> Generation:
        """Return the answers of the present data; `version` was looked up before anything of it was read.

        Data that is behind gets answers of its own for a moment where there are newer ones.
        """
        now, known = self._clock.now(), self._generation
        if known.holds(version, now):
            return known
        # A write since the look makes `until` too early or too late, and the version another one.
        made = Generation(version, now, self._until(now), self._most_bytes)
        if not is_behind or version > known.version:
            self._generation = made
        return made

    def find(self, key: Key, heard: int | None = None) -> CachedAnswer | None:
        """Return the kept answer to a request, None where there is none; it reads nothing but the data's version.

        `heard` counts what the thread of a server has heard and done. While it stands still, requests that came
        before the last look at the data's version are answered by what that saw.
        """
        known = self._generation
        found = known.get(key)
        if found is None or not self._is_present(known, heard):
            return None
        self.hits += 1
        return found

    def _is_present(self, known: Generation, heard: int | None) -> bool:
        if heard is None:
            return known.holds(self._version.number(), self._clock.now())
        last, seen = self._seen
        if last == heard and seen is known:
            return True
        is_present = known.holds(self._version.number(), self._clock.now())
        if is_present:
            self._seen = heard, known
        return is_present

    def clear(self) -> None:
        """Forget all answers."""
        self._generation.clear()

    def _until(self, now: str) -> str:
        """Return the moment up to which answers hold that are made from now on."""
        moment = datetime.fromisoformat(now)
        quarter = moment.replace(minute=moment.minute // 15 * 15, second=0) + QUARTER
        until = quarter.strftime(FORM)
        return min(until, self._next_change(now) or until)
