"""What statements of ours call in SQLite, and how its connections are set."""

from __future__ import annotations

from collections.abc import Callable

from cms.db.sqlite.changed_runs import lost_runs, won_runs
from cms.rendering.folding import fold, holds, holds_word

#: Seconds for which a write waits for others.
WRITE_SECONDS = 10

#: No part of the file is mapped: what is mapped counts as memory of each process, as much as the file grows, and a
#: fault of the disk while it is read would end the process by a signal instead of failing one statement.
#: The size of pages is that of new files, others keep theirs; it has to be named before the first page is written.
PRAGMAS = {
    "page_size": 2_048,
    "journal_mode": "wal",
    "foreign_keys": 1,
    "busy_timeout": WRITE_SECONDS * 1_000,
    "cache_size": -2_000,
    "mmap_size": 0,
    "temp_store": "memory",
}

#: Triggers of the indexes for search call the first one, searches all; with the number of their arguments.
SQL_FUNCTIONS: tuple[tuple[Callable[..., str | int], int], ...] = (
    (fold, 1),
    (holds, -1),
    (holds_word, -1),
    (lost_runs, -1),
    (won_runs, -1),
)
