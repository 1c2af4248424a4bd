"""Events that plugins wait for, and scheduled publications that they haven't been told of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.models import DeliveryRow, ScheduledRow
from cms.db.reader import ColumnValues

INSERT_DELIVERIES = "INSERT INTO deliveries (event_id, plugin, due_gmt) SELECT ?, value, ? FROM json_each(?)"
NEXT_DELIVERY = """
SELECT MIN(due_gmt) FROM deliveries WHERE set_aside = 0 AND plugin IN (SELECT value FROM json_each(?))
"""
#: What is due, the oldest first and then in the order of the plugins, but nothing of an item of which something older
#: waits for its next try.
SELECT_DUE = """
SELECT e.*, d.* FROM deliveries d JOIN events e ON e.id = d.event_id
WHERE d.set_aside = 0 AND d.plugin IN (SELECT value FROM json_each(:plugins)) AND d.due_gmt <= :now AND NOT EXISTS (
    SELECT 1 FROM events o JOIN deliveries w ON w.event_id = o.id
    WHERE o.resource = e.resource AND o.item_id = e.item_id AND o.id < e.id
    AND w.plugin = d.plugin AND w.set_aside = 0 AND w.due_gmt > :now)
ORDER BY e.id, (SELECT key FROM json_each(:plugins) WHERE value = d.plugin) LIMIT :most
"""
SELECT_DELIVERIES = (
    "SELECT e.*, d.* FROM deliveries d JOIN events e ON e.id = d.event_id ORDER BY e.id, d.plugin"
)
DELETE_DELIVERY = "DELETE FROM deliveries WHERE event_id = ? AND plugin = ?"
UPDATE_FAILED = """
UPDATE deliveries SET tries = ?, due_gmt = ?, error = ?, set_aside = ? WHERE event_id = ? AND plugin = ?
"""
DELETE_DELIVERED = """
DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))
AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = events.id)
"""
DELETE_ALL_DELIVERED = "DELETE FROM events WHERE id NOT IN (SELECT event_id FROM deliveries)"
CHOSEN = "(? OR event_id IN (SELECT value FROM json_each(?))) AND (? IS NULL OR plugin = ?)"
RETRY = f"UPDATE deliveries SET tries = 0, due_gmt = ?, set_aside = 0 WHERE {CHOSEN}"  # noqa: S608 (our own text)
DROP = f"DELETE FROM deliveries WHERE {CHOSEN}"  # noqa: S608 (our own text)

NEXT_PUBLICATION = "SELECT MIN(due_gmt) FROM scheduled"
SELECT_DUE_PUBLICATIONS = """
SELECT * FROM scheduled WHERE due_gmt <= ? ORDER BY due_gmt, content_id LIMIT 100
"""
IS_DUE = "SELECT 1 FROM scheduled WHERE content_id = ? AND due_gmt <= ?"
DELETE_SCHEDULED = "DELETE FROM scheduled WHERE content_id = ?"
POSTPONE = "UPDATE scheduled SET due_gmt = ?, tries = tries + 1 WHERE content_id = ?"


class EventStore:
    """Read and write events with their deliveries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, values: ColumnValues, plugins: Sequence[str]) -> None:
        """Store an event with a delivery to each plugin, due at once; to be called inside a write."""
        id = self._database.insert("events", values)
        self._database.execute(INSERT_DELIVERIES, (id, values["at_gmt"], json_list(plugins)))

    def next_due(self, plugins: Sequence[str]) -> str | None:
        """Return when the next delivery to one of these plugins is due, None where none waits."""
        due: str | None = self._database.scalar(NEXT_DELIVERY, (json_list(plugins),))
        return due

    def due(self, plugins: Sequence[str], now: str, limit: int) -> list[DeliveryRow]:
        """Return deliveries that are due, the oldest event first, those of one event in the order of `plugins`."""
        values = {"plugins": json_list(plugins), "now": now, "most": limit}
        return cast(list[DeliveryRow], self._database.rows(SELECT_DUE, values))

    def waiting(self) -> list[DeliveryRow]:
        """Return all deliveries that no plugin has taken, the oldest first."""
        return cast(list[DeliveryRow], self._database.rows(SELECT_DELIVERIES))

    def note(self, delivered: Sequence[tuple[int, str]], failed: Iterable[tuple[object, ...]]) -> None:
        """Store what came of deliveries, in one transaction.

        `delivered` are pairs of event and plugin; `failed` are the values of tries, due date, error, whether it was
        set aside, event and plugin.
        """
        with self._database.write():
            for key in delivered:
                self._database.execute(DELETE_DELIVERY, key)
            for values in failed:
                self._database.execute(UPDATE_FAILED, values)
            self._database.execute(DELETE_DELIVERED, (json_list([id for id, _plugin in delivered]),))

    def retry(self, ids: Sequence[int], plugin: str | None, now: str) -> int:
        """Make deliveries due now as if for the first time, all where no ids are given; return how many."""
        with self._database.write():
            return self._database.execute(RETRY, (now, not ids, json_list(ids), plugin, plugin))

    def drop(self, ids: Sequence[int], plugin: str | None) -> int:
        """Delete deliveries, all where no ids are given, and return how many."""
        with self._database.write():
            dropped = self._database.execute(DROP, (not ids, json_list(ids), plugin, plugin))
            self._database.execute(DELETE_ALL_DELIVERED)
        return dropped


class PublicationStore:
    """Read and delete rows of the table of scheduled publications, which triggers fill."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def next_due(self) -> str | None:
        """Return when the next publication is due, None where none is scheduled."""
        due: str | None = self._database.scalar(NEXT_PUBLICATION)
        return due

    def due(self, now: str) -> list[ScheduledRow]:
        """Return some of the publications that are due, the oldest first."""
        return cast(list[ScheduledRow], self._database.rows(SELECT_DUE_PUBLICATIONS, (now,)))

    def is_due(self, id: int, now: str) -> bool:
        """Tell whether an item's publication is due and nobody has been told of it."""
        return self._database.exists(IS_DUE, (id, now))

    def remove(self, id: int) -> None:
        """Delete an item's row; to be called in the transaction that tells of its publication."""
        self._database.execute(DELETE_SCHEDULED, (id,))

    def postpone(self, id: int, due: str) -> None:
        """Count a failed try and make the publication due later."""
        with self._database.write():
            self._database.execute(POSTPONE, (due, id))
