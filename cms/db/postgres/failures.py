"""What the driver raises, as the rest of the program knows it: by peewee's names, and by what may be done about it."""

from __future__ import annotations

from typing import Never

import peewee
import psycopg

from cms.db.errors import ServerBusy, ServerUnavailable

#: States of statements that failed since the server ends, starts, is full or a replica that was made the reader;
#: by their first letters.
UNAVAILABLE = ("08", "57P", "53", "58", "25006", "25P03")
#: Locks that weren't to be had, and transactions in each other's way.
BUSY = ("55P03", "40")
#: What the driver raises; the last one where it gets no result at all, since nothing can be sent any more.
FAILURES = (psycopg.Error, MemoryError)


def is_lost(error: psycopg.Error | MemoryError) -> bool:
    """Tell whether the server can't be asked any more by the connection that this comes from."""
    if isinstance(error, MemoryError):
        return False
    state = error.sqlstate
    if state is None:
        return isinstance(error, psycopg.OperationalError)
    return state.startswith(UNAVAILABLE)


def raise_known(error: psycopg.Error | MemoryError) -> Never:
    """Raise what stands for an error of the driver: ServerUnavailable, ServerBusy, or peewee's of the same name."""
    if isinstance(error, MemoryError):
        raise error
    if is_lost(error):
        raise ServerUnavailable(str(error)) from error
    if error.sqlstate is not None and error.sqlstate.startswith(BUSY):
        raise ServerBusy(str(error)) from error
    for kind in type(error).__mro__:
        known = getattr(peewee, kind.__name__, None)
        if isinstance(known, type) and issubclass(known, peewee.PeeweeException):
            raise known(str(error)) from error
    raise peewee.DatabaseError(str(error)) from error
