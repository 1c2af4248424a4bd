"""Whether the file at a database's path is still the one that is open."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

#: What the errors begin with that this raises.
GONE = "the database file is gone"


class Presence:
    """Remembers which file a path led to when it was opened first; another file under its name isn't the same."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: tuple[int, int] | None = None

    def require(self) -> None:
        """Raise sqlite3.OperationalError where the path leads to nothing or to another file than before.

        What is committed to a file that was removed is lost with it, and nothing else would say so.
        """
        if self._known is not None and self._look() != self._known:
            raise sqlite3.OperationalError(f"{GONE}: {self._path} was removed or replaced while it was open")

    def remember(self) -> None:
        """Take the file that the path leads to now as the one that is open, unless one is known."""
        if self._known is None:
            self._known = self._look()

    def _look(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self._path)
        except FileNotFoundError:
            return None
        return status.st_dev, status.st_ino
