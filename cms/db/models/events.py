"""Events that plugins wait for, and publications that lie ahead."""

from __future__ import annotations

from typing import TypedDict

from peewee import AutoField, BooleanField, CompositeKey, IntegerField, Model, TextField


class Event(Model):
    """Something that has happened to an item; `data` is a JSON object."""

    id = AutoField()
    name = TextField()
    resource = TextField()
    item_id = IntegerField()
    user_id = IntegerField()
    at_gmt = TextField()
    data = TextField(default="{}")

    class Meta:
        table_name = "events"


class EventRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    id: int
    name: str
    resource: str
    item_id: int
    user_id: int
    at_gmt: str
    data: str


class Delivery(Model):
    """An event that a plugin is still to get; `set_aside` ones aren't tried again by themselves."""

    event_id = IntegerField()
    plugin = TextField()
    tries = IntegerField(default=0)
    due_gmt = TextField()
    error = TextField(default="")
    set_aside = BooleanField(default=False)

    class Meta:
        table_name = "deliveries"
        primary_key = CompositeKey("event_id", "plugin")


class DeliveryRow(EventRow):
    """An event with its delivery to one plugin."""

    event_id: int
    plugin: str
    tries: int
    due_gmt: str
    error: str
    set_aside: int


class Scheduled(Model):
    """An item whose date of publication lies ahead, or that plugins haven't been told of; filled by triggers."""

    content_id = IntegerField(primary_key=True)
    due_gmt = TextField()
    tries = IntegerField(default=0)

    class Meta:
        table_name = "scheduled"


class ScheduledRow(TypedDict):
    """A row of the table of the model above, as statements return it."""

    content_id: int
    due_gmt: str
    tries: int
