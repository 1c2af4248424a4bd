"""Deliveries to the targets of plugins: which is sent next, what came of it, and their history."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import cast

from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.models import DeliveryRow, OpenDeliveryRow
from cms.db.sqlite.words import LISTED, by_index, element, elements

REMOVED_AT_ONCE = 1_000

SELECT_DELIVERIES = """
SELECT d.*, e.name, e.resource, e.item_id, e.user_id, e.at_gmt, e.data
FROM deliveries d JOIN events e ON e.id = d.event_id
"""
INSERT_DELIVERIES = f"""
INSERT INTO deliveries (event_id, plugin, target, resource, item_id, due_gmt, created_gmt)
SELECT e.id, p.value, t.value, e.resource, e.item_id, :now, :now
FROM events e, {elements(":plugins")} p, {elements(":targets")} t
WHERE e.id = :event ORDER BY p.key, t.key ON CONFLICT DO NOTHING
"""  # noqa: S608
OLDER_OF_ITEM = """
SELECT 1 FROM deliveries o WHERE o.plugin = d.plugin AND o.target = d.target AND o.resource = d.resource
AND o.item_id = d.item_id AND o.status = 'waiting' AND o.id < d.id
"""
#: The order of deliveries, to plugins as to targets: one may be tried when it is due, unless something older of its
#: item still waits for its next try. Whoever takes the oldest first keeps each item's order, and holds up no other.
IS_DUE = f"d.status = 'waiting' AND d.due_gmt <= :now AND NOT EXISTS ({OLDER_OF_ITEM} AND o.due_gmt > :now)"
#: When the oldest delivery of each item in a queue is due; all others wait for one of these.
OLDEST_DUE = """
SELECT d.due_gmt, MIN(d.id) FROM deliveries d
WHERE d.status = 'waiting' AND d.plugin = q.plugin AND d.target = q.target GROUP BY d.resource, d.item_id
"""

#: Each target that something waits for, found by one look into the index, however much it is.
QUEUES = f"""
WITH RECURSIVE steps (plugin, target) AS (
    SELECT value, (SELECT MIN(d.target) FROM deliveries d
        WHERE d.status = 'waiting' AND d.plugin = value AND d.target > '') FROM {elements(":plugins")}
    UNION ALL
    SELECT s.plugin, (SELECT MIN(d.target) FROM deliveries d
        WHERE d.status = 'waiting' AND d.plugin = s.plugin AND d.target > s.target) FROM steps s
    WHERE s.target IS NOT NULL),
queues AS (SELECT plugin, target FROM steps s WHERE target IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM paused_targets p WHERE p.plugin = s.plugin AND p.target = s.target))
"""  # noqa: S608
NEXT_DUE = f"""
{QUEUES} SELECT MIN((SELECT MIN(due_gmt) FROM ({OLDEST_DUE}) oldest))
FROM queues q
"""  # noqa: S608 (our own text, as below)
FIRST_DUE = f"""
{QUEUES} {SELECT_DELIVERIES} JOIN queues q ON d.id = (
    SELECT d.id FROM deliveries d WHERE d.plugin = q.plugin AND d.target = q.target AND {IS_DUE}
    ORDER BY d.id LIMIT 1)
WHERE NOT EXISTS (
    SELECT 1 FROM {elements(":busy")} b WHERE {element("b.value", 0)} = q.plugin AND {element("b.value", 1)} = q.target)
ORDER BY d.id LIMIT 1
"""  # noqa: S608
IS_PAUSED = "EXISTS (SELECT 1 FROM paused_targets p WHERE p.plugin = d.plugin AND p.target = d.target)"
BEGIN = f"""
UPDATE deliveries AS d SET tries = tries + 1, tried_gmt = ?, due_gmt = ?, code = NULL, error = ?
WHERE id = ? AND tries = ? AND status = 'waiting' AND NOT {IS_PAUSED} RETURNING id
"""  # noqa: S608
#: One that was asked for again meanwhile has other tries.
NOTE = """
UPDATE deliveries SET status = ?, code = ?, error = ?, due_gmt = ? WHERE id = ? AND tries = ? AND status = 'waiting'
"""

OF_TARGET = "d.plugin = :plugin AND d.target = :target AND d.target <> ''"
SELECT_SOME = f"""
{SELECT_DELIVERIES} WHERE {OF_TARGET} AND (:status IS NULL OR d.status = :status)
ORDER BY d.id DESC LIMIT :limit OFFSET :offset
"""
COUNT = f"SELECT COUNT(*) FROM deliveries d WHERE {OF_TARGET} AND (:status IS NULL OR d.status = :status)"  # noqa: S608
FIND = f"{SELECT_DELIVERIES} WHERE d.id = :id AND {OF_TARGET}"
#: By the index of what wasn't taken; without statistics SQLite would rather read what was.
SELECT_OPEN = f"""
SELECT d.*, {IS_PAUSED} AS is_paused, e.name, e.resource, e.item_id, e.user_id, e.at_gmt, e.data
FROM {by_index("deliveries d", "deliveries_open")} JOIN events e ON e.id = d.event_id WHERE d.status <> 'delivered'
"""  # noqa: S608
SELECT_FAILED = f"""
{SELECT_OPEN} AND d.plugin = ? AND d.target <> '' AND (d.tries > 0 OR d.status = 'set_aside') ORDER BY d.id
"""
RETRY = f"""
UPDATE deliveries SET status = 'waiting', tries = 0, due_gmt = ?
WHERE plugin = ? AND id IN {LISTED}
"""  # noqa: S608
PAUSE = "INSERT INTO paused_targets (plugin, target) VALUES (?, ?) ON CONFLICT DO NOTHING"
RESUME = "DELETE FROM paused_targets WHERE plugin = ? AND target = ?"
DELETE_OF_TARGET = f"""
DELETE FROM deliveries AS d WHERE {OF_TARGET} RETURNING event_id
"""  # noqa: S608
#: What waits for a target that isn't paused isn't old, however long the site's timed work stood still.
REMOVE_OLD = f"""
DELETE FROM deliveries WHERE id IN (
    SELECT d.id FROM deliveries d WHERE d.plugin = ? AND d.created_gmt < ? AND d.target <> ''
    AND (d.status <> 'waiting' OR {IS_PAUSED}) LIMIT ?)
RETURNING event_id
"""  # noqa: S608
DELETE_FINISHED = f"""
DELETE FROM events WHERE id IN {LISTED}
AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = events.id)
"""  # noqa: S608


def remove_finished(database: Database, events: Sequence[int]) -> None:
    """Delete those of these events that have no delivery left; to be called inside a write."""
    database.execute(DELETE_FINISHED, (json_list(events),))


class DeliveryStore:
    """Read and write what plugins deliver to their targets."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Sending.

    def next_due(self, plugins: Sequence[str]) -> str | None:
        """Return when the next delivery to a target of these plugins is due, None where none waits."""
        due: str | None = self._database.scalar(NEXT_DUE, {"plugins": json_list(plugins)})
        return due

    def first_due(
        self, plugins: Sequence[str], now: str, busy: Collection[tuple[str, str]]
    ) -> DeliveryRow | None:
        """Return the oldest delivery that is due to a target of these plugins that isn't busy, or None."""
        values = {"plugins": json_list(plugins), "now": now, "busy": json_list(busy)}
        return cast(DeliveryRow | None, self._database.row(FIRST_DUE, values))

    def begin(self, row: DeliveryRow, now: str, due: str, error: str) -> bool:
        """Note a try as one that failed, before it is made; False where somebody has changed the delivery."""
        with self._database.write():
            return bool(self._database.rows(BEGIN, (now, due, error, row["id"], row["tries"])))

    def note(self, row: DeliveryRow, status: str, code: int | None, error: str, due: str) -> None:
        """Store what came of a try that was begun with this row."""
        with self._database.write():
            self._database.execute(NOTE, (status, code, error, due, row["id"], row["tries"] + 1))

    # History.

    def count(self, plugin: str, target: str, status: str | None) -> int:
        """Return how many deliveries to a target are in a state, or in any."""
        return int(self._database.scalar(COUNT, {"plugin": plugin, "target": target, "status": status}))

    def some(
        self, plugin: str, target: str, status: str | None, limit: int, offset: int
    ) -> list[DeliveryRow]:
        """Return a part of the deliveries to a target, the latest first."""
        values = {"plugin": plugin, "target": target, "status": status, "limit": limit, "offset": offset}
        return cast(list[DeliveryRow], self._database.rows(SELECT_SOME, values))

    def find(self, plugin: str, target: str, id: int) -> DeliveryRow | None:
        """Return one delivery to a target, or None."""
        values = {"plugin": plugin, "target": target, "id": id}
        return cast(DeliveryRow | None, self._database.row(FIND, values))

    def failed(self, plugin: str) -> list[OpenDeliveryRow]:
        """Return all deliveries to targets of a plugin that have failed and weren't taken since, the oldest first."""
        return cast(list[OpenDeliveryRow], self._database.rows(SELECT_FAILED, (plugin,)))

    def retry(self, plugin: str, ids: Sequence[int], now: str) -> int:
        """Make deliveries due now as if for the first time, and return how many."""
        with self._database.write():
            return self._database.execute(RETRY, (now, plugin, json_list(ids)))

    def remove_old(self, plugin: str, before: str) -> bool:
        """Delete some of the old deliveries to targets of a plugin, and tell whether there may be more."""
        with self._database.write():
            removed = self._database.column(REMOVE_OLD, (plugin, before, REMOVED_AT_ONCE))
            remove_finished(self._database, removed)
        return len(removed) == REMOVED_AT_ONCE

    # Targets.

    def pause(self, plugin: str, target: str) -> None:
        """Let what is for a target wait from now on."""
        with self._database.write():
            self._database.execute(PAUSE, (plugin, target))

    def resume(self, plugin: str, target: str) -> None:
        """Let what is for a target be sent again."""
        with self._database.write():
            self._database.execute(RESUME, (plugin, target))

    def forget(self, plugin: str, target: str) -> None:
        """Delete all that was or is to be delivered to a target."""
        with self._database.write():
            self._database.execute(RESUME, (plugin, target))
            events = self._database.column(DELETE_OF_TARGET, {"plugin": plugin, "target": target})
            remove_finished(self._database, events)
