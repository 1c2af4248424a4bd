"""The time zone of the old site, which most exports don't name: found by how far local dates are from those in GMT."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from cms.dates import zone_names
from cms.transfer.wxr.records import ItemRecord

#: How many dates are kept of each offset, and of how many offsets: enough to tell zones by their changes of the clock.
MOST_DATES, MOST_OFFSETS = 300, 40
#: How much of all dates a zone has to explain; a site that moved has two.
SHARE = 0.95
STEP, FARTHEST = timedelta(minutes=15), timedelta(hours=14)
#: Zones that are named first where several have had the same clock.
PREFERRED = (
    "Europe/Berlin",
    "Europe/London",
    "Europe/Athens",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "Australia/Sydney",
    "Pacific/Auckland",
)
REGIONS = ("Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian", "Antarctica")


@dataclass
class Offsets:
    """How far local dates are from GMT, with some of the dates of each distance."""

    counts: Counter[timedelta] = field(default_factory=Counter)
    dates: dict[timedelta, set[datetime]] = field(default_factory=dict)

    def add(self, item: ItemRecord) -> None:
        """Take note of an item's dates where it has both."""
        if item.date_local is None or item.date_gmt is None:
            return
        offset = item.date_local - item.date_gmt
        if offset % STEP or abs(offset) > FARTHEST:
            return
        if offset not in self.dates and len(self.dates) >= MOST_OFFSETS:
            return
        self.counts[offset] += 1
        dates = self.dates.setdefault(offset, set())
        if len(dates) < MOST_DATES:
            dates.add(item.date_gmt)

    def find_zone(self) -> str:
        """Return the name of a zone or of an offset that nearly all dates are of; empty for GMT and where none is."""
        offset, number = next(iter(self.counts.most_common(1)), (timedelta(), 0))
        if number >= SHARE * self.counts.total():
            return name_offset(offset) if offset else ""
        names = sorted(name for name in zone_names() if name.partition("/")[0] in REGIONS)
        for name in (*PREFERRED, *names):
            if self._explains(ZoneInfo(name)):
                return name
        return ""

    def _explains(self, zone: ZoneInfo) -> bool:
        unexplained, total = 0.0, self.counts.total()
        for offset, dates in self.dates.items():
            wrong = sum(_offset_at(date, zone) != offset for date in dates)
            unexplained += self.counts[offset] * wrong / len(dates)
            if unexplained > (1 - SHARE) * total:
                return False
        return True

    def describe(self) -> str:
        """Return how far local dates are from GMT, the commonest distances first."""
        found = self.counts.most_common(4)
        return ", ".join(f"{name_offset(offset)} ({number} items)" for offset, number in found)


def name_offset(offset: timedelta) -> str:
    """Return an offset as the setting of the time zone has it, such as `UTC+5:30`."""
    minutes = int(abs(offset).total_seconds()) // 60
    sign = "-" if offset < timedelta() else "+"
    rest = f":{minutes % 60:02}" if minutes % 60 else ""
    return f"UTC{sign}{minutes // 60}{rest}"


def _offset_at(date: datetime, zone: ZoneInfo) -> timedelta | None:
    try:
        return date.replace(tzinfo=UTC).astimezone(zone).utcoffset()
    except OverflowError:
        return None
