"""When events start and end: fields, list filters and orders over a table of their own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from peewee import SQL, IntegerField, Model, NodeList, TextField, fn

from cms import _
from cms.dates import sent_gmt, to_local
from cms.db.models import Content
from cms.errors import InvalidParams
from cms.operations.serialize import SerializationContext
from cms.schema.fields import ALWAYS, VIEW_EDIT, DateTime, Field
from cms.site import Site

#: A JSON list stands for any number of ids, so that the statement is the same for every page.
READ = "SELECT content_id, start_gmt, end_gmt FROM event_times WHERE content_id IN (SELECT value FROM json_each(?))"
UPSERT = (
    "INSERT INTO event_times (content_id, {0}) VALUES (?, ?) "
    "ON CONFLICT (content_id) DO UPDATE SET {0} = excluded.{0}"
)

Times = tuple[str | None, str | None]


class EventTime(Model):
    """The row of an event in the table of times."""

    content_id = IntegerField(primary_key=True)
    start_gmt = TextField(null=True)
    end_gmt = TextField(null=True)

    class Meta:
        table_name = "event_times"


def load_times(page: SerializationContext) -> dict[int, Times]:
    """Return start and end of all events of a page, by id."""
    return times_of(page.site, page.ids)


def times_of(site: Site, ids: list[int]) -> dict[int, Times]:
    """Return start and end of events, in GMT; those that have neither may be left out."""
    return {
        row["content_id"]: (row["start_gmt"], row["end_gmt"]) for row in site.database.rows(READ, (str(ids),))
    }


def time_fields() -> dict[str, Field]:
    """Return the fields of an event's times."""
    return {
        "start": _written(
            0, DateTime(_("When the event starts, in the site's time zone."), ALWAYS, null=None)
        ),
        "start_gmt": _shown(0, DateTime(_("When the event starts, in GMT."), VIEW_EDIT, readonly=True)),
        "end": _written(1, DateTime(_("When the event ends, in the site's time zone."), ALWAYS, null=None)),
        "end_gmt": _shown(1, DateTime(_("When the event ends, in GMT."), VIEW_EDIT, readonly=True)),
    }


def _shown(which: int, field: Field) -> Field:
    """Return a field that reads the start (0) or the end (1) as it is stored."""
    return field.copy(columns=("id",), load=load_times, reader=lambda row, page: _stored(row, page)[which])


def _written(which: int, field: Field) -> Field:
    """Return a field of the start (0) or the end (1) in the site's time zone."""

    def read(row: Any, page: SerializationContext) -> str | None:
        stored = _stored(row, page)[which]
        return stored and to_local(stored, page.zone)

    return field.copy(columns=("id",), load=load_times, reader=read, store=_storing(which))


def _stored(row: Any, page: SerializationContext) -> Times:
    found: Times = page.load(load_times).get(row["id"], (None, None))
    return found


def _storing(which: int) -> Callable[[Site, int, datetime | None], None]:
    statement = UPSERT.format(("start_gmt", "end_gmt")[which])

    def store(site: Site, id: int, value: datetime | None) -> None:
        present = times_of(site, [id]).get(id, (None, None))[which]
        site.database.execute(statement, (id, sent_gmt(value, None, present, site.settings.zone)))

    return store


def check_times(site: Site, id: int) -> None:
    """Refuse an end without a start, or before it."""
    start, end = times_of(site, [id]).get(id, (None, None))
    if end is not None and start is None:
        raise InvalidParams({"end": _("An event that ends must start. Send start too.")})
    if end is not None and start is not None and end < start:
        raise InvalidParams({"end": _("An event can't end before it starts.")})


def time_filters() -> dict[str, Field]:
    """Return the list filters by time; an event without an end is over when it has started."""
    ended = fn.ifnull(EventTime.end_gmt, EventTime.start_gmt)
    return {
        "starts_after": DateTime(
            _("Only events that start after this moment."),
            where=lambda bound: _with(EventTime.start_gmt > bound),
        ),
        "starts_before": DateTime(
            _("Only events that start before this moment."),
            where=lambda bound: _with(EventTime.start_gmt < bound),
        ),
        "ends_after": DateTime(
            _("Only events that end after this moment."), where=lambda bound: _with(ended > bound)
        ),
    }


def _with(condition: Any) -> Any:
    return Content.id.in_(EventTime.select(EventTime.content_id).where(condition))


def time_orders() -> dict[str, Callable[[], Any]]:
    """Return the orders by start and end; events without one come first."""
    return {name: _ordering(f"{name}_gmt") for name in ("start", "end")}


def _ordering(column: str) -> Callable[[], Any]:
    before, after = SQL(f"(SELECT {column} FROM event_times WHERE content_id ="), SQL(")")  # noqa: S608 (own words)
    return lambda: NodeList((before, Content.id, after))
