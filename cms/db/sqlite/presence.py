"""Whether the files at a database's paths are still those that are open: the database itself, and its log of writes."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from pathlib import Path

#: What the errors begin with that this raises.
GONE = "the database file is gone"
LOG_GONE = "the database's log is gone"
#: Which files of this machine are locked, by whom.
LOCKS = Path("/proc/locks")
#: Where SQLite locks a database for as long as it has it open with a log.
SHARED_PLACE = "1073741826"
#: How often, and with how many seconds between, a log is looked for that another process may be about to make.
LOOKS, PAUSE = 5, 0.02

Identity = tuple[int, int]
log = logging.getLogger("cms")


class LogGone(sqlite3.OperationalError):
    """Say that a database's log was removed while it was open."""

    #: Whether it was tried to bring what stood in it into the database.
    is_handled = False


class Presence:
    """Remembers which file a path led to when it was opened first; another file under its name isn't the same."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: Identity | None = None

    def require(self) -> None:
        """Raise sqlite3.OperationalError where the path leads to nothing or to another file than before.

        What is committed to a file that was removed is lost with it, and nothing else would say so.
        """
        if self._known is not None and identity_of(self._path) != self._known:
            raise sqlite3.OperationalError(f"{GONE}: {self._path} was removed or replaced while it was open")

    def remember(self) -> None:
        """Take the file that the path leads to now as the one that is open, unless one is known."""
        if self._known is None:
            self._known = identity_of(self._path)


def identity_of(path: Path) -> Identity | None:
    """Return what tells the file at a path from all others, None where there is none."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def log_of(path: Path) -> Path:
    """Return the path of a database's log of writes."""
    return path.with_name(f"{path.name}-wal")


def require_same_log(log: Path, known: Identity | None) -> None:
    """Raise LogGone unless a log is the one that a connection has open."""
    if identity_of(log) != known:
        raise LogGone(f"{LOG_GONE}: {log} was removed while it was open")


def require_log(path: Path) -> None:
    """Raise LogGone where others have a database open and its log isn't there, before SQLite makes an empty one.

    Whoever read by that would find nothing of the last writes, and what he wrote would damage the database.
    """
    for _look in range(LOOKS):
        if not is_log_removed(path):
            return
        time.sleep(PAUSE)
    raise LogGone(
        f"{LOG_GONE}: {log_of(path)} was removed, and others have the database open. End them all first"
    )


def is_log_removed(path: Path) -> bool:
    """Tell whether processes have a database open whose log isn't there; False where the system doesn't tell."""
    return path.exists() and not log_of(path).exists() and bool(holders_of(path))


def holders_of(path: Path) -> set[int]:
    """Return the processes that have a database open with a log, none where the system doesn't tell."""
    known = identity_of(path)
    if known is None or not LOCKS.exists():
        return set()
    place = f"{os.major(known[0]):02x}:{os.minor(known[0]):02x}:{known[1]}"
    found = set()
    for line in LOCKS.read_text(encoding="ascii").splitlines():
        words = line.split()
        if words[-3:-1] == [place, SHARED_PLACE]:
            found.add(int(words[-4]))
    return found


def rescue_log(connection: sqlite3.Connection, path: Path) -> bool:
    """Bring what stands in a removed log into the database, through a connection that has it open still.

    Return whether the connection could do it, as far as readers let it; it may be that of another thread.
    """
    try:
        is_busy, pages, brought = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.ProgrammingError:
        return False  # its thread has closed it
    except sqlite3.Error as error:
        log.critical(
            "%s: %s was removed, and can't be brought into the database: %s", LOG_GONE, log_of(path), error
        )
        return False
    if is_busy:
        log.critical("%s: %d of %d pages are in the database; others read yet", LOG_GONE, brought, pages)
    else:
        log.critical(
            "%s: all its writes were brought into the database. End the server, and start it anew", LOG_GONE
        )
    return True
