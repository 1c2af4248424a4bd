"""The outbox: events written in the transaction of the change that they tell of, delivered to plugins after it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from cms.background.deliveries import Deliveries
from cms.background.events import event_of
from cms.background.retries import MAX_ERROR_LENGTH, delay_after
from cms.background.worker import never
from cms.context import SiteContext
from cms.dates import in_seconds, seconds_between
from cms.db.models import DeliveryRow, OpenDeliveryRow
from cms.db.stores import Outcome
from cms.hooks import Hooks

BATCH = 100
#: Seconds of deliveries after which is noted what was delivered; a crash repeats no more than these.
NOTED_AFTER = 1.0
#: How an event is called, by what is done to the item.
PAST = {
    "create": "created",
    "update": "updated",
    "trash": "trashed",
    "untrash": "untrashed",
    "delete": "deleted",
}

log = logging.getLogger("cms")


class Outbox:
    """The events of one site that some plugin is still to get.

    A plugin that delivers to targets is asked here for whom an event is; what goes to a target is sent by `Sender`.
    """

    def __init__(self, site: SiteContext, hooks: Hooks) -> None:
        """Look up who waits for events; raises PluginError for a plugin with hooks that don't go together."""
        self._site, self._hooks, self._store = site, hooks, site.stores.events
        self._latest = ""
        self._listeners = [*hooks.events.listeners, *hooks.events.with_targets]
        hooks.events.require_pairs()

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

    def deliveries(self, plugin: str) -> Deliveries:
        """Return what a plugin delivers to its targets."""
        return Deliveries(self._site, plugin)

    def deliver(self, is_stopping: Callable[[], bool] = never) -> int:
        """Give each plugin the events that are due for it and return how many they took."""
        self._follow_clock()
        delivered = 0
        while self._is_due() and not is_stopping():
            now = self._site.now()
            rows = self._store.due(self._listeners, now, BATCH)
            if not rows:
                break
            outcome = Outcome()
            try:
                self._deliver_batch(rows, outcome, is_stopping)
            finally:
                self._note(outcome)
            delivered += len(outcome.taken) + len(outcome.addressed)
        return delivered

    def waiting(self) -> list[dict[str, Any]]:
        """Return what plugins and their targets haven't taken, the oldest event first.

        Each has event, name, item, at_gmt, plugin, target (empty for the plugin itself), tries, error, state (waiting,
        paused, failed or set aside) and due_gmt.
        """
        return list(map(_describe, self._store.open_deliveries()))

    def lengths(self) -> dict[str, int]:
        """Return how many deliveries weren't taken, by their status; `waiting` is always among them."""
        return {"waiting": 0, **self._store.count_open()}

    def retry(self, ids: Sequence[int] = (), plugin: str | None = None) -> int:
        """Have deliveries of these events tried at once, as if for the first time, all without ids; return how many."""
        return self._store.retry(ids, plugin, self._site.now())

    def drop(self, ids: Sequence[int] = (), plugin: str | None = None) -> int:
        """Give deliveries of these events up, all where no ids are given; return how many."""
        return self._store.drop(ids, plugin)

    def _follow_clock(self) -> None:
        """Have what waits be due earlier by as much as the clock was set back: its date was told by the old time."""
        now = self._site.now()
        if self._listeners and now < self._latest:
            self._store.bring_forward(now, seconds_between(now, self._latest))
        self._latest = now

    def _is_due(self) -> bool:
        """Tell whether something is due; without a change of the data this asks the database nothing."""
        if not self._listeners:
            return False
        now = self._site.now()
        due = self._site.cache.get_or_load("next event", now, self._next_due)
        return due is not None and due <= now

    def _next_due(self) -> str | None:
        return self._store.next_due(self._listeners)

    def _deliver_batch(
        self, rows: Sequence[DeliveryRow], outcome: Outcome, is_stopping: Callable[[], bool]
    ) -> None:
        until = time.monotonic() + NOTED_AFTER
        blocked: set[tuple[str, str, int]] = set()
        for row in rows:
            if is_stopping() or time.monotonic() > until:
                return
            key = (row["plugin"], row["resource"], row["item_id"])
            if key in blocked:
                continue
            try:
                self._deliver(row, outcome)
            except Exception as error:  # whatever a plugin raises; it is tried again
                blocked.add(key)
                outcome.failed.append(_failed(row, error, self._site.now()))

    def _deliver(self, row: DeliveryRow, outcome: Outcome) -> None:
        """Give an event to a plugin, or find out to which targets the plugin delivers it."""
        plugin, event = row["plugin"], event_of(row)
        if plugin in self._hooks.events.with_targets:
            outcome.addressed.append((row, self._hooks.events.targets(plugin, event)))
        else:
            self._hooks.events.hand_over(plugin, event)
            outcome.taken.append(row["id"])

    def _note(self, outcome: Outcome) -> None:
        if outcome:
            self._store.note(outcome, self._site.now())


def _describe(row: OpenDeliveryRow) -> dict[str, Any]:
    state = "failed" if row["tries"] else "waiting"
    if row["is_paused"]:
        state = "paused"
    if row["status"] == "set_aside":
        state = "set aside"
    return {
        "event": row["event_id"],
        "name": row["name"],
        "item": row["item_id"],
        "at_gmt": row["at_gmt"],
        "plugin": row["plugin"],
        "target": row["target"],
        "tries": row["tries"],
        "error": row["error"],
        "state": state,
        "due_gmt": None if state in ("paused", "set aside") else row["due_gmt"],
    }


def _failed(row: DeliveryRow, error: Exception, now: str) -> tuple[object, ...]:
    """Return what is stored of a delivery that failed: when it is tried again, or that it is a dead letter."""
    tries, plugin = row["tries"] + 1, row["plugin"]
    cause = error.__cause__ or error
    message = f"{type(cause).__name__}: {' '.join(str(cause).split())}"[:MAX_ERROR_LENGTH]
    delay = delay_after(tries)
    status = "set_aside" if delay is None else "waiting"
    what = "was set aside" if delay is None else f"is tried again in {delay} seconds"
    log.error("plugin %s: event %s (%s) %s", plugin, row["event_id"], row["name"], what, exc_info=error)
    return tries, in_seconds(now, delay or 0), message, status, row["id"]
