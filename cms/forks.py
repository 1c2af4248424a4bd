"""Forks: no thread is inside SQLite while its process forks, and a child inherits nothing open or locked.

A child that inherits an open database believes in locks that are its parent's alone: it waits for ever, or writes where
the parent has cleared away. So before a fork all threads come out of SQLite, and what is open is closed; each
opens its own again with its next statement.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Protocol

#: Seconds for which a fork waits for threads inside SQLite. One that takes longer, or a thread that forks inside a
#: transaction of its own, leaves its connections to the parent as they are.
PATIENCE = 5.0

log = logging.getLogger("cms")


class Forkable(Protocol):
    """An object that holds something of its process."""

    def leave_to_parent(self) -> None:
        """Forget, in a forked child, what is the parent's, without closing it or waiting for a lock."""


class Connected(Forkable, Protocol):
    """An object with open databases."""

    def close_before_fork(self) -> None:
        """Close them, of whichever threads they are: no other thread is inside SQLite, nor can one enter it."""


class _OwnLock(threading.local):
    """A lock for each thread, so that threads never wait for each other, but a fork for all of them."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        with _joining:
            _locks.add(self.lock)


#: Held by who forks: no thread begins to use SQLite then.
_joining = threading.Lock()
_locks: weakref.WeakSet[threading.RLock] = weakref.WeakSet()
_own = _OwnLock()
#: The locks that the thread which forks has taken.
_held: list[threading.RLock] = []
#: Properties whose locks a child renews, and how many modules there were when they were looked for.
_with_locks: list[cached_property[object]] = []
_seen_modules = [0]
_forkable: weakref.WeakSet[Forkable] = weakref.WeakSet()
_connected: weakref.WeakSet[Connected] = weakref.WeakSet()


def inside() -> threading.RLock:
    """Return what a thread holds (`with`) while it is inside SQLite: for a statement and its rows, or a transaction."""
    return _own.lock


@contextmanager
def taken(lock: threading.Lock) -> Iterator[bool]:
    """Take a lock if it is free, and yield whether it was: before a fork nothing is waited for for ever."""
    is_free = lock.acquire(blocking=False)
    try:
        yield is_free
    finally:
        if is_free:
            lock.release()


def register(holder: Forkable) -> None:
    """Have an object's `leave_to_parent` called in every child forked from now on, as long as the object lives."""
    _forkable.add(holder)


def register_connected(holder: Connected) -> None:
    """Have an object's `close_before_fork` called too."""
    _connected.add(holder)
    register(holder)


def _before_fork() -> None:
    if len(sys.modules) != _seen_modules[0]:
        _with_locks[:] = _find_cached_properties()
        _seen_modules[0] = len(sys.modules)
    if not _close_all():
        log.warning("The process forks while a transaction is open. The child may wait for it in vain.")


def close_all() -> bool:
    """Close all databases once no thread is inside SQLite, and return whether that came to be in some seconds.

    Each is opened again with the next statement. Not to be called inside SQLite.
    """
    try:
        return _close_all()
    finally:
        _after_fork()


def _close_all() -> bool:
    """Take all threads out of SQLite and keep them there, and close what is open where that could be done."""
    own = _own.lock
    _joining.acquire()
    # A thread that forks inside a transaction goes on with it afterwards.
    is_quiet = not own._is_owned()  # type: ignore[attr-defined]  # there, and nothing else tells
    end = time.monotonic() + PATIENCE
    for lock in list(_locks):
        if lock.acquire(timeout=max(0.0, end - time.monotonic())):
            _held.append(lock)
        else:
            is_quiet = False
    if is_quiet:
        for holder in list(_connected):
            holder.close_before_fork()
    return is_quiet


def _after_fork() -> None:
    while _held:
        _held.pop().release()
    _joining.release()


def _after_fork_in_child() -> None:
    for lock in list(_locks):
        if lock is not _own.lock:
            _locks.discard(lock)  # of threads that there are none of here
    _after_fork()
    _renew_cached_properties()
    for holder in list(_forkable):
        holder.leave_to_parent()


def _find_cached_properties() -> list[cached_property[object]]:
    """Return all `cached_property` that have a lock of their own, as they do up to Python 3.11.

    They are looked for in the parent, and again only when there are more modules: who looks at an object writes to
    its memory, which parent and children share until then.
    """
    found: list[cached_property[object]] = []
    if sys.version_info >= (3, 12):
        return found
    for module in list(sys.modules.values()):
        for owner in list(getattr(module, "__dict__", {}).values()):
            for each in list(vars(owner).values()) if isinstance(owner, type) else ():
                if isinstance(each, cached_property):
                    found.append(each)
    return found


def _renew_cached_properties() -> None:
    """Renew the locks of the properties that were found, which another thread may have held."""
    for each in _with_locks:
        each.lock = threading.RLock()  # type: ignore[attr-defined]


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child)
