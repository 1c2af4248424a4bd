"""What is looked at when somebody asks whether a site is well: one thing that can be wrong, and what to do then."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

#: A fault keeps the site from working or loses something; a warning may come to that; a note is to be known.
FAULT, WARNING, NOTE = LEVELS = ("fault", "warning", "note")
#: What a check looks at: first what is around the database, then its file, then its rows where nothing is wrong so far.
MACHINE, FILE, ROWS = ("machine", "file", "rows")

#: Looks at a site, by its ground services, and returns what is wrong, in sentences.
Look = Callable[..., Iterable[str]]
#: Repairs what was found, and returns what was done, in a sentence.
Repair = Callable[..., str]


@dataclass(frozen=True)
class Check:
    """One thing that can be wrong: how bad it is, what that means, what to do; `repair` does it where that is safe."""

    name: str
    level: str
    meaning: str
    advice: str
    look: Look
    needs: str = ROWS
    repair: Repair | None = None
