"""What a forked child leaves to its parent: connections, locks and threads that only the parent may go on with."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Forkable(Protocol):
    """An object that holds something of its process."""

    def leave_to_parent(self) -> None:
        """Forget, in a forked child, what is the parent's, without closing it or waiting for a lock."""


_registered: weakref.WeakSet[Forkable] = weakref.WeakSet()


def register(holder: Forkable) -> None:
    """Have an object's `leave_to_parent` called in every child forked from now on, as long as the object lives."""
    _registered.add(holder)


def _after_fork() -> None:
    for holder in list(_registered):
        holder.leave_to_parent()


os.register_at_fork(after_in_child=_after_fork)
