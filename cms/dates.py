"""Dates as they are stored (GMT, `2026-01-31T12:00:00`) and as they are shown (the site's zone)."""

from __future__ import annotations

import math
import time
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, available_timezones

FORM = "%Y-%m-%dT%H:%M:%S"


def now_gmt() -> str:
    """Return this second in GMT."""
    return _moment(int(time.time()))


class Clock:
    """Tells the time of one site; tests set it by replacing `now`."""

    def now(self) -> str:
        """Return this second in GMT, as dates are stored."""
        return now_gmt()


@lru_cache(maxsize=8)
def _moment(second: int) -> str:
    return time.strftime(FORM, time.gmtime(second))


def in_days(stored: str, days: int) -> str:
    """Return the moment that lies some days after a stored one."""
    return in_seconds(stored, days * 86_400)


def in_seconds(stored: str, seconds: int) -> str:
    """Return the moment that lies some seconds after a stored one."""
    return (datetime.fromisoformat(stored) + timedelta(seconds=seconds)).strftime(FORM)


def seconds_between(earlier: str, later: str) -> int:
    """Return how many seconds lie between two stored dates."""
    return int((datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds())


def format_seconds(seconds: float) -> str:
    """Return a number of seconds since 1970 as a stored date."""
    return _moment(math.floor(seconds))


@lru_cache(maxsize=64)
def zone(name: str) -> tzinfo:
    """Return a time zone by its name, or by an offset such as `UTC+5:30`; an empty name is GMT."""
    if name.startswith("UTC") and len(name) > 3:
        sign = -1 if name[3] == "-" else 1
        hours, _, minutes = name[4:].partition(":")
        return timezone(sign * timedelta(hours=int(hours), minutes=int(minutes or 0)))
    return ZoneInfo(name) if name else UTC


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones; finding them looks into hundreds of files, so it is done once."""
    return frozenset(available_timezones())


def to_local(stored: str, where: tzinfo) -> str:
    """Return the site's local time of a stored date."""
    if where is UTC:
        return stored
    return datetime.fromisoformat(stored).replace(tzinfo=UTC).astimezone(where).strftime(FORM)


def to_gmt(given: datetime, where: tzinfo) -> str:
    """Return a sent date as it is stored; without an offset it is the site's local time.

    A local time that the clock skips is taken as if it had not been moved; of one that happens twice, the first.
    """
    aware = given if given.tzinfo else given.replace(tzinfo=where)
    return f"{aware.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()}"


def sent_gmt(
    date: datetime | None, date_gmt: datetime | None, stored: str | None, where: tzinfo
) -> str | None:
    """Return the date of a write as it is stored, None where neither is sent; the local one wins.

    A local time that the clock shows twice is the instant that `date_gmt` names or else the stored one, where they fit.
    """
    gmt = to_gmt(date_gmt, UTC) if date_gmt else None
    if not date:
        return gmt
    if date.tzinfo is None:
        shown = date.replace(microsecond=0).isoformat()
        for known in (gmt, stored):
            if known is not None and to_local(known, where) == shown:
                return known
    return to_gmt(date, where)


def gmt_offset(where: tzinfo) -> str:
    """Return the zone's present offset from GMT in hours, as text: `7`, `5.5`, `-3`."""
    offset = datetime.now(where).utcoffset() or timedelta()
    return f"{offset / timedelta(hours=1):g}"
