"""Which runs of three characters a changed row loses and wins in an index of parts of words.

Most changes leave most of a row's texts as they were. An update that took out all runs of the old texts and entered
those of the new ones would be the dearest part of such a write.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from cms.rendering.folding import fold

#: Behind each text, so that its last characters too begin a run of three; no folded text has this one.
END = "\n\n"
RUN = 3
#: Between runs that aren't neighbours; neither a folded text nor what stands behind it has this one.
GAP = "\r"
#: Characters of a column's difference from which on its row is indexed anew, which is cheaper then.
MOST = 200


class Change(NamedTuple):
    """What a row's columns are to be indexed by no longer, and by from now on."""

    lost: tuple[str, ...]
    won: tuple[str, ...]


def lost_runs(column: int, *texts: str) -> str:
    """Return what an index is to forget of a column, counted from 0; `texts` are all old columns, then all new ones."""
    return changed_runs(texts).lost[column]


def won_runs(column: int, *texts: str) -> str:
    """Return what an index is to have of a column besides what it keeps; see `lost_runs`."""
    return changed_runs(texts).won[column]


# A trigger asks for each column twice.
@lru_cache(maxsize=1)
def changed_runs(texts: tuple[str, ...]) -> Change:
    """Return what changes in an index, when rows with the first half of the texts get those of the second.

    What is lost stands in no new text. What is won may be there already. Of no column is more lost than its old text
    has, since the index counts what it is told.
    """
    count = len(texts) // 2
    old, new = texts[:count], texts[count:]
    after = tuple(fold(text) + END for text in new)
    lost, won = [""] * count, [""] * count
    for column in range(count):
        if old[column] == new[column]:
            continue
        before, won[column] = _differences(fold(old[column]) + END, after[column])
        if len(before) <= MOST:
            lost[column] = _absent_runs(before, after)
        if len(before) > MOST or len(lost[column]) > len(before):
            return Change(tuple(fold(text) + END for text in old), after)
    return Change(tuple(lost), tuple(won))


def _differences(old: str, new: str) -> tuple[str, str]:
    """Return the parts of two texts that have all runs which don't lie in their common beginning or end."""
    start = _common_start(old, new)
    end = _common_end(old[start:], new[start:])
    first, rest = max(0, start - RUN + 1), max(0, end - RUN + 1)
    return old[first : len(old) - rest], new[first : len(new) - rest]


def _common_start(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _common_end(one: str, other: str) -> int:
    """Return how many characters two texts end with alike."""
    return _common_start(one[::-1], other[::-1])


def _absent_runs(text: str, others: tuple[str, ...]) -> str:
    """Return a text of those runs alone that none of the others has, neighbours together."""
    pieces: list[str] = []
    last = -RUN
    for place in range(len(text) - RUN + 1):
        run = text[place : place + RUN]
        if any(run in other for other in others):
            continue
        if place == last + 1:
            pieces.append(run[-1])
        else:
            pieces.append(f"{GAP}{run}" if pieces else run)
        last = place
    return "".join(pieces)
