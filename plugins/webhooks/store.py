"""Subscriptions as they are stored: who wants to hear of an event, and where a delivery goes."""

from __future__ import annotations

from typing import TypedDict, cast

from peewee import AutoField, IntegerField, Model, TextField

from cms.plugin import Database, Event, words

#: The plugin's name, by which the core knows its deliveries.
PLUGIN = "webhooks"
#: The event of a test, which hasn't happened.
TEST = "webhook.test"

WANTING = f"""
SELECT CAST(id AS TEXT) FROM webhooks
WHERE active = 1 AND created_gmt <= ? AND EXISTS (
    SELECT 1 FROM {words.elements("webhooks.events")} WHERE {words.fits("?", "value")})
ORDER BY id
"""  # noqa: S608
FIND = "SELECT * FROM webhooks WHERE id = ?"
SWITCH_OFF = "UPDATE webhooks SET active = 0, version = version + 1 WHERE id = ? AND url = ? AND active = 1"


class Webhook(Model):
    """A subscription; `events` is a JSON list of patterns."""

    id = AutoField()
    url = TextField()
    events = TextField()
    description = TextField()
    active = IntegerField()
    secret = TextField()
    created_gmt = TextField()
    meta = TextField(default="{}")
    version = IntegerField(default=1)

    class Meta:
        table_name = "webhooks"


class WebhookRow(TypedDict):
    """A row of the table of subscriptions."""

    id: int
    url: str
    events: str
    description: str
    active: int
    secret: str
    created_gmt: str
    meta: str
    version: int


class WebhookStore:
    """Read and change subscriptions; the core calls one by its id as a text, which is the target of deliveries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def wanting(self, event: Event) -> list[str]:
        """Return the active subscriptions to an event that were there when it happened."""
        return self._database.column(WANTING, (event.at, event.name))

    def find(self, target: str) -> WebhookRow | None:
        """Return a subscription, or None."""
        return cast(WebhookRow | None, self._database.row(FIND, (int(target),)))

    def switch_off(self, webhook: WebhookRow) -> bool:
        """Make a subscription inactive unless its address was changed; tell whether it is so by this."""
        return bool(self._database.execute(SWITCH_OFF, (webhook["id"], webhook["url"])))
