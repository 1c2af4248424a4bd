"""Events that plugins wait for, and scheduled publications that they haven't been told of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from cms.db.connection import Database
from cms.db.json_lists import json_list
from cms.db.models import DeliveryRow, OpenDeliveryRow, ScheduledRow
from cms.db.reader import ColumnValues
from cms.db.sqlite.words import LISTED, by_index, by_no_index, elements, listed, moved
from cms.db.stores.deliveries import (
    INSERT_DELIVERIES,
    IS_DUE,
    OLDEST_DUE,
    SELECT_DELIVERIES,
    SELECT_OPEN,
    remove_finished,
)

NEXT_EVENT = f"""
SELECT MIN((SELECT MIN(due_gmt) FROM ({OLDEST_DUE}) oldest))
FROM (SELECT value AS plugin, '' AS target FROM {elements("?")}) q
"""  # noqa: S608 (our own text, as below)
#: What is due, the oldest first and then in the order of the plugins.
SELECT_DUE = f"""
{SELECT_DELIVERIES} WHERE d.plugin IN {listed(":plugins")} AND d.target = '' AND {IS_DUE}
ORDER BY e.id, (SELECT key FROM {elements(":order")} WHERE value = d.plugin) LIMIT :most
"""  # noqa: S608
DELETE_TAKEN = f"DELETE FROM deliveries WHERE id IN {LISTED} RETURNING event_id"  # noqa: S608
UPDATE_FAILED = "UPDATE deliveries SET tries = ?, due_gmt = ?, error = ?, status = ? WHERE id = ?"
CHOSEN = f"""
SELECT id FROM {by_index("deliveries", "deliveries_open")} WHERE status <> 'delivered'
AND (? = 1 OR event_id IN {LISTED}) AND (? IS NULL OR plugin = ?)
"""  # noqa: S608
COUNT_OPEN = f"""
SELECT status, COUNT(*) FROM {by_index("deliveries", "deliveries_open")} WHERE status <> 'delivered' GROUP BY status
"""  # noqa: S608
RETRY = f"UPDATE deliveries SET tries = 0, due_gmt = ?, status = 'waiting' WHERE id IN ({CHOSEN})"  # noqa: S608
DROP = f"DELETE FROM deliveries WHERE id IN ({CHOSEN}) RETURNING event_id"  # noqa: S608
#: What is delivered is named for the index of what isn't.
BRING_FORWARD = f"""
UPDATE deliveries SET due_gmt = {moved("due_gmt", "?")}
WHERE status <> 'delivered' AND status = 'waiting' AND {by_no_index("due_gmt")} > ?
"""  # noqa: S608

NEXT_PUBLICATION = "SELECT MIN(due_gmt) FROM scheduled"
SELECT_DUE_PUBLICATIONS = """
SELECT * FROM scheduled WHERE due_gmt <= ? ORDER BY due_gmt, content_id LIMIT 100
"""
IS_DUE = "SELECT 1 FROM scheduled WHERE content_id = ? AND due_gmt <= ?"
DELETE_SCHEDULED = "DELETE FROM scheduled WHERE content_id = ?"
POSTPONE = "UPDATE scheduled SET due_gmt = ?, tries = tries + 1 WHERE content_id = ?"


@dataclass
class Outcome:
    """What came of deliveries to plugins.

    `taken` are the ids of those that were taken, `failed` the values of tries, due date, error, status and id,
    `addressed` the deliveries that are replaced by one to each target.
    """

    taken: list[int] = field(default_factory=list)
    failed: list[tuple[object, ...]] = field(default_factory=list)
    addressed: list[tuple[DeliveryRow, Sequence[str]]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.taken or self.failed or self.addressed)


class EventStore:
    """Read and write events, with their deliveries to plugins."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, values: ColumnValues, plugins: Sequence[str], target: str = "") -> None:
        """Store an event with a delivery to each plugin, due at once; to be called inside a write."""
        id = self._database.insert("events", values)
        self._add_deliveries(id, plugins, [target], values["at_gmt"])

    def next_due(self, plugins: Sequence[str]) -> str | None:
        """Return when the next delivery to one of these plugins is due, None where none waits."""
        due: str | None = self._database.scalar(NEXT_EVENT, (json_list(plugins),))
        return due

    def due(self, plugins: Sequence[str], now: str, limit: int) -> list[DeliveryRow]:
        """Return deliveries that are due, the oldest event first, those of one event in the order of `plugins`."""
        names = json_list(plugins)
        values = {"plugins": names, "order": names, "now": now, "most": limit}
        return cast(list[DeliveryRow], self._database.rows(SELECT_DUE, values))

    def note(self, outcome: Outcome, now: str) -> None:
        """Store what came of deliveries, in one transaction; what goes to targets is due at once."""
        done = [*outcome.taken]
        with self._database.write():
            for row, targets in outcome.addressed:
                self._add_deliveries(row["event_id"], [row["plugin"]], targets, now)
                done.append(row["id"])
            for values in outcome.failed:
                self._database.execute(UPDATE_FAILED, values)
            remove_finished(self._database, self._database.column(DELETE_TAKEN, (json_list(done),)))

    def open_deliveries(self) -> list[OpenDeliveryRow]:
        """Return all deliveries that weren't taken, the oldest event first."""
        return cast(
            list[OpenDeliveryRow],
            self._database.rows(f"{SELECT_OPEN} ORDER BY d.event_id, d.plugin, d.target"),
        )

    def count_open(self) -> dict[str, int]:
        """Return how many deliveries weren't taken, by their status."""
        return dict(self._database.tuples(COUNT_OPEN))

    def retry(self, ids: Sequence[int], plugin: str | None, now: str) -> int:
        """Make open deliveries of these events due now as if for the first time, all without ids; return how many."""
        with self._database.write():
            return self._database.execute(RETRY, (now, not ids, json_list(ids), plugin, plugin))

    def bring_forward(self, now: str, seconds: int) -> None:
        """Make what waits until after `now` due so many seconds earlier."""
        with self._database.write():
            self._database.execute(BRING_FORWARD, (f"-{seconds} seconds", now))

    def drop(self, ids: Sequence[int], plugin: str | None) -> int:
        """Delete open deliveries of these events, all where no ids are given, and return how many."""
        with self._database.write():
            dropped = self._database.column(DROP, (not ids, json_list(ids), plugin, plugin))
            remove_finished(self._database, dropped)
        return len(dropped)

    def _add_deliveries(
        self, event: int, plugins: Iterable[str], targets: Iterable[str], now: object
    ) -> None:
        values = {"event": event, "plugins": json_list(plugins), "targets": json_list(targets), "now": now}
        self._database.execute(INSERT_DELIVERIES, values)


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
