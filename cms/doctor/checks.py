"""What a check is, and the list of all checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cms.context import SiteContext

#: A fault keeps the site from working or loses something; a warning may come to that; a note is to be known.
FAULT, WARNING, NOTE = LEVELS = ("fault", "warning", "note")
#: What a check looks at: first what is around the database, then its file, then its rows where nothing is wrong so far.
MACHINE, FILE, ROWS = ("machine", "file", "rows")

#: Looks at a site and returns what is wrong, in sentences.
Look = Callable[[SiteContext], Iterable[str]]
#: Repairs what was found, and returns what was done, in a sentence.
Repair = Callable[[SiteContext], str]


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


CHECKS: dict[str, Check] = {}


def check(
    name: str, level: str, meaning: str, advice: str, needs: str = ROWS, repair: Repair | None = None
) -> Callable[[Look], Look]:
    """Add the function below to the checks."""

    def add(look: Look) -> Look:
        CHECKS[name] = Check(name, level, meaning, advice, look, needs, repair)
        return look

    return add
