"""The table of events' times: reading and writing it, and conditions and orders over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import orjson
from peewee import SQL, IntegerField, Model, NodeList, TextField

from cms.plugin import Content, Database, words

Column = Literal["start_gmt", "end_gmt"]

#: A JSON list stands for any number of ids, so that the statement is the same for every page.
SELECT_TIMES = f"""
SELECT content_id, start_gmt, end_gmt FROM event_times WHERE content_id IN {words.LISTED}
"""  # noqa: S608
UPSERT = (
    "INSERT INTO event_times (content_id, {0}) VALUES (?, ?) "
    "ON CONFLICT (content_id) DO UPDATE SET {0} = excluded.{0}"
)


class Times(NamedTuple):
    """When an event starts and ends, in GMT; None where that isn't known."""

    start_gmt: str | None = None
    end_gmt: str | None = None


class EventTime(Model):
    """The row of an event in the table of times."""

    content_id = IntegerField(primary_key=True)
    start_gmt = TextField(null=True)
    end_gmt = TextField(null=True)

    class Meta:
        table_name = "event_times"


def times_of(database: Database, ids: Sequence[int]) -> dict[int, Times]:
    """Return start and end of events by id; those that have neither may be left out."""
    rows = database.rows(SELECT_TIMES, (orjson.dumps(list(ids)).decode(),))
    return {row["content_id"]: Times(row["start_gmt"], row["end_gmt"]) for row in rows}


def set_time(database: Database, id: int, column: Column, value: str | None) -> None:
    """Store the start or the end of an event; to be called inside a write."""
    database.execute(UPSERT.format(column), (id, value))


# Conditions and orders of lists; `bound` is the place of the argument, and what peewee builds has no common type.


def starts_after(bound: object) -> Any:
    """Build the condition that an event starts after a moment."""
    return _has_time(EventTime.start_gmt > bound)


def starts_before(bound: object) -> Any:
    """Build the condition that an event starts before a moment."""
    return _has_time(EventTime.start_gmt < bound)


def ends_after(bound: object) -> Any:
    """Build the condition that an event ends after a moment; without an end it is over when it has started."""
    return _has_time(words.first_of(EventTime.end_gmt, EventTime.start_gmt) > bound)


def time_order(column: Column) -> Any:
    """Build the order by start or end; events without one come first."""
    before, after = SQL(f"(SELECT {column} FROM event_times WHERE content_id ="), SQL(")")  # noqa: S608 (own words)
    return NodeList((before, Content.id, after))


def _has_time(condition: Any) -> Any:
    return Content.id.in_(EventTime.select(EventTime.content_id).where(condition))
