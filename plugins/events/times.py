"""When events start and end: fields, list filters and orders over a table of their own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from cms.plugin import (
    ALWAYS,
    VIEW_EDIT,
    ContentRow,
    DateTime,
    Field,
    InvalidParams,
    SerializationContext,
    Site,
    SiteContext,
    _,
    sent_gmt,
    to_local,
)

from .store import Column, Times, ends_after, set_time, starts_after, starts_before, time_order, times_of

COLUMNS: tuple[Column, Column] = ("start_gmt", "end_gmt")


def load_times(page: SerializationContext) -> dict[int, Times]:
    """Return start and end of all events of a page, by id."""
    return times_of(page.site.database, page.ids)


def time_fields() -> dict[str, Field]:
    """Return the fields of an event's times."""
    return {
        "start": _writable(
            0, DateTime(_("When the event starts, in the site's time zone."), ALWAYS, null=None)
        ),
        "start_gmt": _read_only(
            0, DateTime(_("When the event starts, in GMT."), VIEW_EDIT, readonly=True, nullable=True)
        ),
        "end": _writable(1, DateTime(_("When the event ends, in the site's time zone."), ALWAYS, null=None)),
        "end_gmt": _read_only(
            1, DateTime(_("When the event ends, in GMT."), VIEW_EDIT, readonly=True, nullable=True)
        ),
    }


def _read_only(which: int, field: Field) -> Field:
    """Return a field that reads the start (0) or the end (1) as it is stored."""
    return field.copy(columns=("id",), load=load_times, reader=lambda row, page: _stored(row, page)[which])


def _writable(which: int, field: Field) -> Field:
    """Return a field of the start (0) or the end (1) in the site's time zone."""

    def read(row: ContentRow, page: SerializationContext) -> str | None:
        stored = _stored(row, page)[which]
        return stored and to_local(stored, page.zone)

    return field.copy(columns=("id",), load=load_times, reader=read, store=_storing(which))


def _stored(row: ContentRow, page: SerializationContext) -> Times:
    return page.load(load_times).get(row["id"], Times())


def _storing(which: int) -> Callable[[SiteContext, int, datetime | None], None]:
    def store(site: SiteContext, id: int, value: datetime | None) -> None:
        present = times_of(site.database, [id]).get(id, Times())[which]
        set_time(site.database, id, COLUMNS[which], sent_gmt(value, None, present, site.settings.zone))

    return store


def check_times(site: Site, id: int) -> None:
    """Refuse an end without a start, or before it."""
    start, end = times_of(site.database, [id]).get(id, Times())
    if end is not None and start is None:
        raise InvalidParams({"end": _("An event that ends must start. Send start too.")})
    if end is not None and start is not None and end < start:
        raise InvalidParams({"end": _("An event can't end before it starts.")})


def time_filters() -> dict[str, Field]:
    """Return the list filters by time; an event without an end is over when it has started."""
    return {
        "starts_after": DateTime(_("Only events that start after this moment."), where=starts_after),
        "starts_before": DateTime(_("Only events that start before this moment."), where=starts_before),
        "ends_after": DateTime(_("Only events that end after this moment."), where=ends_after),
    }


def time_orders() -> dict[str, Any]:
    """Return the orders by start and end; events without one come first."""
    return {"start": time_order("start_gmt"), "end": time_order("end_gmt")}
