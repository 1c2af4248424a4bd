"""A cache of values that hold until the database changes, in whichever process that happens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class DataVersion(Protocol):
    """Tells whether the data has changed, whichever process did it."""

    def number(self) -> int:
        """Return the present version; equal numbers from one process mean equal data."""

    def close(self) -> None:
        """Close what it asks by; the next number opens it again."""


class Look(threading.local):
    """The version that a thread has looked up for the request that it answers, and what it had written by then."""

    #: Whether it is the version of a replica that is behind the primary server.
    is_behind = False

    def __init__(self) -> None:
        self.is_open = False
        self.number: int | None = None
        self.changes = 0
        #: What holds for the whole request.
        self.values: dict[Hashable, Any] = {}

    def __enter__(self) -> None:
        self.is_open, self.number = True, None

    def __exit__(self, *raised: object) -> None:
        self.is_open, self.number, self.values = False, None, {}


@dataclass(frozen=True)
class State:
    """The values of one version of the data, from when they were asked for up to when it changes by itself.

    A clock that is set back hides what was dated meanwhile, so nothing holds before.
    """

    number: int
    since: str
    horizon: str | None
    values: dict[Hashable, Any]

    def holds(self, number: int, now: str) -> bool:
        """Tell whether the data is still in this state."""
        if self.number != number or now < self.since:
            return False
        return self.horizon is None or now < self.horizon


class DataCache:
    """Values that hold until the database changes, or until an item dated ahead becomes visible."""

    MAX_ENTRIES = 1_000

    def __init__(
        self,
        version: DataVersion,
        next_date: Callable[[str], str | None],
        writing: Callable[[], bool],
        changes: Callable[[], int],
    ) -> None:
        """Prepare; `writing` tells whether this thread is in a transaction, `changes` how many rows it ever changed."""
        self._version = version
        self._next_date = next_date
        self._writing = writing
        self._changes = changes
        self._look = Look()
        self._state = State(-1, "", None, {})

    def one_look(self) -> Look:
        """Return what to open (`with`) for the version to be looked up once for all values that are asked for inside.

        In a transaction, and after its own writes, it is looked up again each time.
        """
        return self._look

    def version(self) -> int:
        """Return the version of the data, as it was when this request first asked for it."""
        look = self._look
        if not look.is_open or self._writing():
            return self._version.number()
        if look.number is None or look.changes != self._changes():
            look.number, look.changes = self._version.number(), self._changes()
        return look.number

    def is_behind(self) -> bool:
        """Tell whether this thread looks at an older state of the data than the process has seen."""
        return self._look.is_behind

    def get_or_load(self, key: Hashable, now: str, load: Callable[[], T]) -> T:
        """Return the cached value; load it where the database may have changed since, at `now` in GMT."""
        number, state = self.version(), self._state
        if not state.holds(number, now) or len(state.values) >= self.MAX_ENTRIES:
            if self._writing():
                return load()
            state = self._renew(number, now)
        if key in state.values:
            found: T = state.values[key]
            return found
        if self._writing():
            return load()  # from rows that aren't committed and may never be
        # Stored under the version that was read before: a write in between makes it invalid, never stale.
        loaded = state.values[key] = load()
        return loaded

    def get_for_request(self, key: Hashable, now: str, load: Callable[[], T]) -> T:
        """Return a value as it was when this request first asked for it, whatever it has written since then.

        Who writes what the value is made of calls `forget_in_request`.
        """
        look = self._look
        if key in look.values:
            known: T = look.values[key]
            return known
        found = self.get_or_load(key, now, load)
        if look.is_open and not self._writing():
            look.values[key] = found
        return found

    def forget_in_request(self, key: Hashable) -> None:
        """Have a value looked up again that holds for the whole request otherwise."""
        self._look.values.pop(key, None)

    def clear(self) -> None:
        """Forget all values."""
        self._look.values.clear()
        self._state = State(-1, "", None, {})

    def horizon(self, now: str) -> str | None:
        """Return when the next item dated ahead becomes visible after `now`, None where there is none."""
        number, state = self.version(), self._state
        if not state.holds(number, now):
            state = self._renew(number, now)
        return state.horizon

    def _renew(self, number: int, now: str) -> State:
        """Return a state to keep values in where the known one is of another version, or full."""
        state = self._state = State(number, now, self._next_date(now), {})
        return state
