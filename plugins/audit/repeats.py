"""How often sign-ins that repeat are written: an attacker's could come faster than a site should write."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from cms.plugin import SignIn, Site, in_seconds

#: How many sign-ins of one kind are stored at once within one window; of those beyond the number is, once a minute.
AT_ONCE = 10
PAUSE = 60
MOST_REMEMBERED = 10_000

Key = tuple[str, SignIn]


@dataclass
class Count:
    """Sign-ins of one kind within one window: how often they were stored, when last, and how many wait for it."""

    stored: int = 0
    stored_gmt: str = ""
    waiting: int = 0


class Repeats:
    """The sign-ins that one process has seen on one site; those that wait are lost with it."""

    def __init__(self) -> None:
        self._counts: dict[Key, Count] = {}

    def take(self, sign_in: SignIn, window: str, now: str) -> int:
        """Count a sign-in and return how many are to be stored now, 0 for none."""
        if len(self._counts) >= MOST_REMEMBERED:
            self._counts.clear()
        count = self._counts.setdefault((window, sign_in), Count())
        count.waiting += 1
        if count.stored >= AT_ONCE and now < in_seconds(count.stored_gmt, PAUSE):
            return 0
        times, count.waiting = count.waiting, 0
        count.stored, count.stored_gmt = count.stored + 1, now
        return times


_by_site: WeakKeyDictionary[Site, Repeats] = WeakKeyDictionary()


def repeats_of(site: Site) -> Repeats:
    """Return what this process has seen on a site."""
    return _by_site.setdefault(site, Repeats())
