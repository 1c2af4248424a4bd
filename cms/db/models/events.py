"""Events that plugins wait for, and publications that lie ahead."""

from __future__ import annotations

from typing import TypedDict

from peewee import AutoField, CompositeKey, IntegerField, Model, TextField


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
    """An event on its way to a plugin, or to a target of a plugin; `status` is waiting, delivered or set_aside."""

    id = AutoField()
    event_id = IntegerField()
    plugin = TextField()
    target = TextField(default="")
    resource = TextField(default="")
    item_id = IntegerField(default=0)
    status = TextField(default="waiting")
    tries = IntegerField(default=0)
    due_gmt = TextField()
    created_gmt = TextField()
    tried_gmt = TextField(null=True)
    code = IntegerField(null=True)
    error = TextField(default="")

    class Meta:
        table_name = "deliveries"


class DeliveryRow(TypedDict):
    """A delivery with what its event says; `id` is the delivery's."""

    id: int
    event_id: int
    plugin: str
    target: str
    resource: str
    item_id: int
    status: str
    tries: int
    due_gmt: str
    created_gmt: str
    tried_gmt: str | None
    code: int | None
    error: str
    name: str
    user_id: int
    at_gmt: str
    data: str


class OpenDeliveryRow(DeliveryRow):
    """A delivery that wasn't taken, and whether its target is paused."""

    is_paused: int


class PausedTarget(Model):
    """A target of a plugin for which deliveries wait until it is resumed."""

    plugin = TextField()
    target = TextField()

    class Meta:
        table_name = "paused_targets"
        primary_key = CompositeKey("plugin", "target")


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
