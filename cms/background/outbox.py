"""The outbox: events written in the transaction of the change that they tell of, delivered to plugins after it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from cms.context import SiteContext
from cms.dates import in_seconds
from cms.db.models import DeliveryRow
from cms.hooks import Hooks

#: Seconds between a failed try and the next; after the last of them a delivery becomes a dead letter.
RETRY_DELAYS = (10, 60, 300, 1_800, 7_200, 21_600, 86_400)
BATCH = 100
#: Seconds of deliveries after which is noted what was delivered; a crash repeats no more than these.
NOTED_AFTER = 1.0
MAX_ERROR_LENGTH = 500
#: How an event is called, by what is done to the item.
PAST = {
    "create": "created",
    "update": "updated",
    "trash": "trashed",
    "untrash": "untrashed",
    "delete": "deleted",
}

log = logging.getLogger("cms")


@dataclass(frozen=True)
class Event:
    """Something that has happened to an item.

    `id` is the same in every try and grows with time. `name` is the resource's name and what happened
    (`post.created`), `at` the second in GMT, `user_id` 0 where no account did it. `data` has for content and comments
    under `status` which status they had (`old`, None for a new item) and have (`new`, None for one that is deleted).
    """

    id: int
    name: str
    resource: str
    item_id: int
    user_id: int
    at: str
    data: Mapping[str, Any]


@dataclass
class DeliveryBatch:
    """What came of some deliveries: those that were taken, those that failed, whose later events have to wait."""

    now: str
    delivered: list[tuple[int, str]] = field(default_factory=list)
    failed: list[tuple[Any, ...]] = field(default_factory=list)
    blocked: set[tuple[str, str, int]] = field(default_factory=set)


class Outbox:
    """The events of one site that some plugin is still to get."""

    def __init__(self, site: SiteContext, hooks: Hooks) -> None:
        self._site, self._hooks, self._store = site, hooks, site.stores.events
        self._listeners = hooks.event_listeners

    @property
    def wanted(self) -> bool:
        """Whether any plugin waits for events; else none are written."""
        return bool(self._listeners)

    def record(
        self, name: str, resource: str, item_id: int, user_id: int, data: Mapping[str, Any] | None = None
    ) -> None:
        """Write an event, if any plugin waits for one; to be called in the transaction of what it tells of."""
        if not self._listeners:
            return
        event = {
            "name": name,
            "resource": resource,
            "item_id": item_id,
            "user_id": user_id,
            "at_gmt": self._site.now(),
            "data": orjson.dumps(data or {}).decode(),
        }
        self._store.add(event, self._listeners)

    def record_write(
        self, action: str, resource: str, item_id: int, user_id: int, old: str | None, new: str | None
    ) -> None:
        """Write the events of a write; `old` and `new` are the item's statuses where it has any."""
        if not self._listeners:
            return
        if action == "update" and old != new and "trash" in (old, new):
            action = "trash" if new == "trash" else "untrash"
        data = {} if old is None and new is None else {"status": {"old": old, "new": new}}
        self.record(f"{resource}.{PAST[action]}", resource, item_id, user_id, data)
        if new == "publish" and old != new:
            self.record(f"{resource}.published", resource, item_id, user_id, data)

    def deliver(self, is_stopping: Callable[[], bool] = lambda: False) -> int:
        """Give each plugin the events that are due for it and return how many they took."""
        delivered = 0
        while self._is_due() and not is_stopping():
            batch = DeliveryBatch(self._site.now())
            rows = self._store.due(self._listeners, batch.now, BATCH)
            if not rows:
                break
            try:
                self._deliver_batch(rows, batch, is_stopping)
            finally:
                self._note(batch)
            delivered += len(batch.delivered)
        return delivered

    def waiting(self) -> list[dict[str, Any]]:
        """Return every event that some plugin hasn't taken, once for each such plugin, the oldest first.

        Each has event, name, item, at_gmt, plugin, tries, error, state (waiting, failed or set aside) and due_gmt.
        """
        return [_describe(row) for row in self._store.waiting()]

    def retry(self, ids: Sequence[int] = (), plugin: str | None = None) -> int:
        """Have deliveries tried at once, as if for the first time, all where no ids are given; return how many."""
        return self._store.retry(ids, plugin, self._site.now())

    def drop(self, ids: Sequence[int] = (), plugin: str | None = None) -> int:
        """Give deliveries up, all where no ids are given; return how many."""
        return self._store.drop(ids, plugin)

    def _is_due(self) -> bool:
        """Tell whether something is due; without a change of the data this asks the database nothing."""
        if not self._listeners:
            return False
        now = self._site.now()
        due = self._site.cache.get_or_load(
            "next delivery", now, lambda: self._store.next_due(self._listeners)
        )
        return due is not None and due <= now

    def _deliver_batch(
        self, rows: Sequence[DeliveryRow], batch: DeliveryBatch, is_stopping: Callable[[], bool]
    ) -> None:
        until = time.monotonic() + NOTED_AFTER
        for row in rows:
            if is_stopping() or time.monotonic() > until:
                return
            key = (row["plugin"], row["resource"], row["item_id"])
            if key in batch.blocked:
                continue
            try:
                self._hooks.on_event(row["plugin"], event_of(row))
                batch.delivered.append((row["id"], row["plugin"]))
            except Exception as error:  # whatever a plugin raises; it is tried again
                batch.blocked.add(key)
                batch.failed.append(_failed(row, error, batch.now))

    def _note(self, batch: DeliveryBatch) -> None:
        if batch.delivered or batch.failed:
            self._store.note(batch.delivered, batch.failed)


def event_of(row: DeliveryRow) -> Event:
    """Return a stored event."""
    return Event(
        row["id"],
        row["name"],
        row["resource"],
        row["item_id"],
        row["user_id"],
        row["at_gmt"],
        orjson.loads(row["data"]),
    )


def _describe(row: DeliveryRow) -> dict[str, Any]:
    state = "failed" if row["tries"] else "waiting"
    if row["set_aside"]:
        state = "set aside"
    return {
        "event": row["id"],
        "name": row["name"],
        "item": row["item_id"],
        "at_gmt": row["at_gmt"],
        "plugin": row["plugin"],
        "tries": row["tries"],
        "error": row["error"],
        "state": state,
        "due_gmt": None if row["set_aside"] else row["due_gmt"],
    }


def _failed(row: DeliveryRow, error: Exception, now: str) -> tuple[object, ...]:
    """Return what is stored of a delivery that failed: when it is tried again, or that it is a dead letter."""
    is_dead = row["tries"] >= len(RETRY_DELAYS)
    cause = error.__cause__ or error
    message = f"{type(cause).__name__}: {' '.join(str(cause).split())}"[:MAX_ERROR_LENGTH]
    due = now
    if is_dead:
        outcome = "was set aside"
    else:
        outcome = f"is tried again in {RETRY_DELAYS[row['tries']]} seconds"
        due = in_seconds(now, RETRY_DELAYS[row["tries"]])
    log.error(
        "plugin %s: on_event failed; event %s (%s) %s",
        row["plugin"],
        row["id"],
        row["name"],
        outcome,
        exc_info=error,
    )
    return row["tries"] + 1, due, message, is_dead, row["id"], row["plugin"]
