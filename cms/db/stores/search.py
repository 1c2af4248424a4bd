"""What searches ask the indexes beforehand: which runs of characters are rare, and what words weigh in which items."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from cms.db.bounded_table import BoundedTable
from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.sqlite.search_index import CONTENT, SearchIndex
from cms.db.sqlite.words import elements

#: How many of the newest items that are found are ordered by the weights of title, excerpt and content.
MOST_RANKED = 1_000
RANKED = CONTENT.ranked(":match", MOST_RANKED, (10.0, 4.0, 1.0))
#: A run that so many rows have isn't counted further.
COMMON = 400
#: Seconds for which counts are taken for right: they say what is fast, never what is found.
COUNTS_HOLD = 300


class SearchStore:
    """Count runs of characters in the indexes, and rank what words find."""

    MOST_BYTES = 500_000

    def __init__(self, database: Database, now: Callable[[], float] = time.monotonic) -> None:
        self._database, self._now = database, now
        self._counts: BoundedTable[tuple[str, str], int] = BoundedTable(self.MOST_BYTES)
        self._counted_at = now()

    @property
    def is_on_server(self) -> bool:
        """Whether searches look at folded texts on a server, for which nothing has to be known beforehand."""
        return bool(self._database.server)

    def counts(self, index: SearchIndex, runs: Sequence[str]) -> Mapping[str, int]:
        """Return how many rows have each run of characters, `COMMON` for more; the numbers may be minutes old."""
        self._forget_old()
        known = {run: self._counts.get((index.name, run)) for run in runs}
        found = {run: count for run, count in known.items() if count is not None}
        missing = [run for run in runs if run not in found]
        if missing:
            found |= self._count(index, missing)
        return found

    def is_rare(self, index: SearchIndex, match: str) -> bool:
        """Tell whether an expression finds fewer than `COMMON` rows, or did some minutes ago."""
        self._forget_old()
        count = self._counts.get((index.name, match))
        if count is None:
            some = f"{index.matching('?')} LIMIT {COMMON}"
            count = self._database.scalar(f"SELECT COUNT(*) FROM ({some})", (match,))  # noqa: S608 (our own text)
            self._counts.put((index.name, match), count, len(match) * 4)
        return count < COMMON

    def ranked(self, match: str) -> list[int]:
        """Return the ids of the newest items that the index of words finds, those first that a word says most of."""
        return self._database.column(RANKED, {"match": match})

    def ranked_on_server(self, match: str) -> list[int]:
        """Return the same of what the index of words on a server finds."""
        from cms.db.postgres.word_index import RANKED

        return self._database.column(RANKED, {"match": match, "most": MOST_RANKED})

    def _forget_old(self) -> None:
        if self._now() > self._counted_at + COUNTS_HOLD:
            self._counts = BoundedTable(self.MOST_BYTES)
            self._counted_at = self._now()

    def _count(self, index: SearchIndex, runs: Sequence[str]) -> dict[str, int]:
        rows = self._database.tuples(
            f"SELECT value, (SELECT COUNT(*) FROM (SELECT 1 FROM {index.parts} WHERE term = value LIMIT {COMMON})) "  # noqa: S608
            f"FROM {elements('?')}",
            (json_list(runs),),
        )
        for run, count in rows:
            self._counts.put((index.name, run), count, len(run) * 4)
        return dict(rows)
