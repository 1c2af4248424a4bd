"""Subscriptions and deliveries as they are stored: which are due, what came of a try, which are old."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import TypedDict, cast

import orjson
from peewee import AutoField, IntegerField, Model, TextField

from cms.plugin import Event, Site, in_days, in_seconds

KEEP_DAYS = "webhooks_keep_days"
WAITING, DELIVERED, SET_ASIDE = "waiting", "delivered", "set_aside"
STATUSES = (WAITING, DELIVERED, SET_ASIDE)
TEST = "webhook.test"
#: Seconds between a failed try and the next, to which up to a fifth is added by chance.
PAUSES = (10, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600)
TRIES = len(PAUSES) + 1
GONE = 410
#: What is noted when a try begins, so that one that was cut off tells of itself.
BEGUN = "no answer was noted"
LONGEST_ERROR = 300
REMOVED_AT_ONCE = 1_000

MATCHES = """
active = 1 AND created_gmt <= ? AND EXISTS (SELECT 1 FROM json_each(webhooks.events) WHERE ? GLOB value)
"""
ANY = f"SELECT 1 FROM webhooks WHERE {MATCHES} LIMIT 1"  # noqa: S608 (our own text, as below)
COLUMNS = "event_id, event, resource, item_id, user_id, at_gmt, data, due_gmt, created_gmt"
RECORD = f"""
INSERT OR IGNORE INTO webhook_deliveries (webhook_id, {COLUMNS})
SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM webhooks WHERE {MATCHES}
"""  # noqa: S608
ADD = f"""
INSERT INTO webhook_deliveries (webhook_id, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *
"""  # noqa: S608
#: Of one item to one subscription only the oldest delivery that waits is sent, so that their order is kept.
FIRST_OF_ITEM = """
NOT EXISTS (
    SELECT 1 FROM webhook_deliveries o WHERE o.webhook_id = d.webhook_id AND o.resource = d.resource
    AND o.item_id = d.item_id AND o.status = 'waiting' AND o.id < d.id)
"""
NEXT = f"""
SELECT MIN(d.due_gmt) FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
WHERE d.status = 'waiting' AND w.active = 1 AND {FIRST_OF_ITEM}
"""  # noqa: S608
#: Asked for each subscription by its index, so that a long queue isn't sorted for each delivery.
DUE = f"""
SELECT d.*, w.url, w.secret FROM webhooks w JOIN webhook_deliveries d ON d.id = (
    SELECT d.id FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'waiting' AND d.due_gmt <= ?
    AND {FIRST_OF_ITEM} ORDER BY d.id LIMIT 1)
WHERE w.active = 1 AND w.id NOT IN (SELECT value FROM json_each(?)) ORDER BY d.id LIMIT 1
"""  # noqa: S608
BEGIN = """
UPDATE webhook_deliveries SET tries = ?, tried_gmt = ?, due_gmt = ?, code = NULL, error = ?
WHERE id = ? AND tries = ? AND status = 'waiting' RETURNING id
"""
#: One that was asked for again meanwhile has other tries.
NOTE = """
UPDATE webhook_deliveries SET status = ?, code = ?, error = ?, due_gmt = ?
WHERE id = ? AND tries = ? AND status = 'waiting'
"""
SWITCH_OFF = "UPDATE webhooks SET active = 0, version = version + 1 WHERE id = ? AND url = ? AND active = 1"
AGAIN = """
UPDATE webhook_deliveries SET status = 'waiting', tries = 0, due_gmt = ? WHERE id IN (SELECT value FROM json_each(?))
"""
OF = "FROM webhook_deliveries WHERE webhook_id = ? AND (? IS NULL OR status = ?)"
#: What waits for an active subscription isn't old, however long the site's timed work stood still.
REMOVE = """
DELETE FROM webhook_deliveries WHERE id IN (
    SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.created_gmt < ? AND (d.status <> 'waiting' OR w.active = 0) LIMIT ?)
RETURNING id
"""
FAILED = f"""
SELECT d.*, w.url, w.active FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
WHERE d.status = '{SET_ASIDE}' OR (d.status = '{WAITING}' AND d.tries > 0) ORDER BY d.id
"""  # noqa: S608


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


class DeliveryRow(TypedDict):
    """A row of the table of deliveries."""

    id: int
    webhook_id: int
    event_id: int | None
    event: str
    resource: str
    item_id: int
    user_id: int
    at_gmt: str
    data: str
    created_gmt: str
    status: str
    tries: int
    due_gmt: str
    tried_gmt: str | None
    code: int | None
    error: str


class DueRow(DeliveryRow):
    """A delivery with its subscription's address and secret."""

    url: str
    secret: str


class FailedRow(DeliveryRow):
    """A delivery with its subscription's address, and whether that is active."""

    url: str
    active: int


def record(site: Site, event: Event) -> None:
    """Store a delivery of an event for each active subscription to it that was there when it happened."""
    asked = (event.at, event.name)
    if site.database.row(ANY, asked) is None:
        return
    now = site.now()
    values = (
        event.id,
        event.name,
        event.resource,
        event.item_id,
        event.user_id,
        event.at,
        orjson.dumps(event.data).decode(),
        now,
        now,
    )
    with site.database.write():
        site.database.execute(RECORD, (*values, *asked))


def add_test(site: Site, webhook_id: int, user_id: int) -> DeliveryRow:
    """Store the delivery of an event that hasn't happened, and return its row."""
    now = site.now()
    with site.database.write():
        values = (webhook_id, None, TEST, "webhook", webhook_id, user_id, now, "{}", now, now)
        return cast(DeliveryRow, site.database.rows(ADD, values)[0])


def is_due(site: Site) -> bool:
    """Tell whether something is to be sent; as long as nothing changes this asks the database nothing."""
    now = site.now()
    due = site.cache.get_or_load("webhooks: next try", now, lambda: site.database.scalar(NEXT))
    return due is not None and due <= now


def begin(site: Site, busy: Collection[int]) -> DueRow | None:
    """Return the oldest delivery that is due, for a subscription that isn't busy; None where there is none.

    It is noted as a try that has failed before it is made: a try that is cut off, by a crash say, is followed by the
    next after the usual pause, and never by one at once.
    """
    now = site.now()
    row = cast(DueRow | None, site.database.row(DUE, (now, orjson.dumps(list(busy)).decode())))
    if row is None:
        return None
    tries = row["tries"] + 1
    values = (tries, now, in_seconds(now, pause(tries)), BEGUN, row["id"], row["tries"])
    with site.database.write():
        return row if site.database.rows(BEGIN, values) else None


def pause(tries: int, least: int = 0) -> int:
    """Return for how many seconds to wait after so many tries; `least` is what the receiver asks for."""
    usual = PAUSES[min(tries, len(PAUSES)) - 1]
    return max(usual + random.randint(0, usual // 5), min(least, PAUSES[-1]))  # noqa: S311 (it spreads, it hides nothing)


def note_delivered(site: Site, row: DueRow, code: int) -> None:
    """Note that a receiver took a delivery."""
    with site.database.write():
        site.database.execute(NOTE, (DELIVERED, code, "", site.now(), row["id"], row["tries"] + 1))


def note_failed(site: Site, row: DueRow, code: int | None, error: str, least: int = 0) -> None:
    """Note a try that failed: when the next is, or that there is none; a receiver that is gone gets no more."""
    tries, now = row["tries"] + 1, site.now()
    status = SET_ASIDE if tries >= TRIES or code == GONE else WAITING
    due = in_seconds(now, pause(tries, least))
    with site.database.write():
        site.database.execute(NOTE, (status, code, error[:LONGEST_ERROR], due, row["id"], tries))
        if code == GONE:
            site.database.execute(SWITCH_OFF, (row["webhook_id"], row["url"]))


def send_again(site: Site, ids: Sequence[int]) -> None:
    """Have deliveries sent at once, as if for the first time."""
    with site.database.write():
        site.database.execute(AGAIN, (site.now(), orjson.dumps(list(ids)).decode()))


def count(site: Site, webhook_id: int, status: str | None) -> int:
    """Return how many deliveries of a subscription there are in a state, or in any."""
    return int(site.database.scalar(f"SELECT COUNT(*) {OF}", (webhook_id, status, status)))


def some(site: Site, webhook_id: int, status: str | None, limit: int, offset: int) -> list[DeliveryRow]:
    """Return a part of a subscription's deliveries, the latest first."""
    values = (webhook_id, status, status, limit, offset)
    return cast(
        list[DeliveryRow], site.database.rows(f"SELECT * {OF} ORDER BY id DESC LIMIT ? OFFSET ?", values)
    )


def find(site: Site, webhook_id: int, id: int) -> DeliveryRow | None:
    """Return one delivery of a subscription, or None."""
    sql = "SELECT * FROM webhook_deliveries WHERE id = ? AND webhook_id = ?"
    return cast(DeliveryRow | None, site.database.row(sql, (id, webhook_id)))


def failed(site: Site) -> list[FailedRow]:
    """Return all deliveries that were set aside or wait for another try, with their subscription's address."""
    return cast(list[FailedRow], site.database.rows(FAILED))


def remove_old(site: Site) -> None:
    """Remove deliveries that are older than the setting says, some at a time."""
    before = in_days(site.now(), -site.settings[KEEP_DAYS])
    removed = REMOVED_AT_ONCE
    while removed == REMOVED_AT_ONCE and not site.worker.is_stopping():
        with site.database.write():
            removed = len(site.database.rows(REMOVE, (before, REMOVED_AT_ONCE)))
