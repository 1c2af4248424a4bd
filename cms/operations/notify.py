"""Telling of a write, inside its transaction: plugins' hooks, then the outbox."""

from __future__ import annotations

from cms.access.capabilities import Principal
from cms.background.outbox import Outbox
from cms.hooks import Hooks
from cms.operations.results import Row


class WriteNotifier:
    """Tell plugins and the outbox of the writes of one site."""

    def __init__(self, hooks: Hooks, outbox: Outbox) -> None:
        self._hooks, self._outbox = hooks, outbox

    @property
    def is_needed(self) -> bool:
        """Whether anybody is told of writes."""
        return self._hooks.watches_writes or self._outbox.wanted

    def notify(
        self,
        action: str,
        resource: str,
        row: Row | None,
        previous: Row | None,
        principal: Principal,
        old: str | None = None,
        new: str | None = None,
    ) -> None:
        """Tell of a write; `row` is None for a deletion, `previous` for a new item; `old` and `new` are its statuses.

        Raises what a plugin raises, which undoes the write.
        """
        self._hooks.after_write(action, resource, row, previous, principal)
        if row is not None:
            self._hooks.transition_status(resource, row, old, new, principal)
        written = previous if row is None else row
        if written is not None:
            self._outbox.record_write(action, resource, written["id"], principal.id, old, new)
