"""The calendar of public events in the format that calendar applications subscribe to (RFC 5545)."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from cms.plugin import Site, strip_tags

try:
    from icalendar import Calendar, Event
except ModuleNotFoundError as error:
    raise ImportError("the calendar needs a library: pip install 'headless-cms[events]'") from error

#: How long an event stays in the calendar after its end, and how many the calendar holds at most.
DAYS_BACK, MOST = 31, 1_000
FIELDS = ("id", "title", "excerpt", "link", "modified_gmt", "start_gmt", "end_gmt", "place", "event_venues")


def calendar_of(site: Site) -> bytes:
    """Return the calendar of what a visitor may see, made anew when the data has changed."""
    return site.cache.get_or_load("events: calendar", site.now(), lambda: make_calendar(site))


def make_calendar(site: Site, venues: Sequence[int] = ()) -> bytes:
    """Return the calendar of what a visitor may see, the next events first; `venues` narrows it to ids of terms."""
    feed = Calendar()
    feed.add("prodid", "-//headless-cms//events//EN")
    feed.add("version", "2.0")
    feed.add("x-wr-calname", _plain(site.settings["events_calendar_name"] or site.settings["title"]))
    items = list(_items(site, venues))
    names = _names(site, {term for item in items for term in item["event_venues"]})
    for item in items:
        feed.add_component(_entry(site, item, names))
    return bytes(feed.to_ical())


def _items(site: Site, venues: Sequence[int]) -> Iterator[dict[str, Any]]:
    events, since = (
        site.client("events"),
        moment(site.now()) - timedelta(days=DAYS_BACK),
    )
    for page in range(1, MOST // 100 + 1):
        found = events.list(
            ends_after=since,
            event_venues=list(venues),
            orderby="start",
            order="asc",
            per_page=100,
            page=page,
            fields=FIELDS,
        )
        yield from found
        if page >= found.pages:
            return


def _names(site: Site, ids: set[int]) -> dict[int, str]:
    terms, wanted = site.client("event-venues"), sorted(ids)
    found = (
        terms.list(include=wanted[start : start + 100], per_page=100) for start in range(0, len(wanted), 100)
    )
    return {term["id"]: _plain(term["name"]) for part in found for term in part}


def _entry(site: Site, item: dict[str, Any], venues: dict[int, str]) -> Event:
    entry = Event()
    entry.add("uid", f"event-{item['id']}@{urlsplit(site.url).hostname}")
    entry.add("dtstamp", moment(item["modified_gmt"]))
    entry.add("dtstart", moment(item["start_gmt"]))
    if item["end_gmt"]:
        entry.add("dtend", moment(item["end_gmt"]))
    # Venues that the core or a plugin hides have no names here.
    places = [item["place"], *(venues.get(term, "") for term in item["event_venues"])]
    texts = {
        "summary": _plain(item["title"]["rendered"]),
        "description": _plain(item["excerpt"]["rendered"]),
        "location": ", ".join(filter(None, places)),
    }
    for name, text in texts.items():
        if text:
            entry.add(name, text)
    entry.add("url", item["link"])
    return entry


def moment(stored: str) -> datetime:
    """Return a stored date as an aware datetime."""
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)


def _plain(text: str) -> str:
    return html.unescape(strip_tags(text)).strip()
