"""Cached values of a site with replicas, where a reader may see an older state of the data than others do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cms.db.cache import DataCache, State


class ReplicaCache(DataCache):
    """Keeps the values of replicas that are behind apart, so that these don't drive out the present ones."""

    def __init__(self, *arguments: Any) -> None:
        """Prepare as any cache of data."""
        super().__init__(*arguments)
        self._older = State(-1, "", None, {})

    @contextmanager
    def at(self, number: int, is_behind: bool) -> Iterator[None]:
        """Let this thread's look be at the state of a replica inside, until its connection is another one."""
        look = self._look
        look.number, look.changes, look.is_behind = number, self._changes(), is_behind
        try:
            yield
        finally:
            look.is_behind = False

    def clear(self) -> None:
        """Forget all values."""
        super().clear()
        self._older = State(-1, "", None, {})

    def _renew(self, number: int, now: str) -> State:
        if not self._look.is_behind:
            return super()._renew(number, now)
        state = self._older
        if not state.holds(number, now) or len(state.values) >= self.MAX_ENTRIES:
            state = self._older = State(number, now, self._next_date(now), {})
        return state
