"""The table of entries: adding, listing and removing them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, cast

from cms.plugin import Database

TABLE = "audit_entries"
#: How many kinds of failed sign-ins have an entry of their own within one window; all others share one.
MOST_SPOTS = 1_000

REPEAT = """
INSERT INTO audit_entries
(at_gmt, last_gmt, times, user_id, login, address, sign_in, action, resource, item_id, title, fields, changes, spot)
VALUES (:now, :now, :times, :user_id, :login, :address, :kind, :action, 'user', :user_id, :login, '[]', '{}', :spot)
ON CONFLICT (spot) WHERE spot IS NOT NULL
DO UPDATE SET times = audit_entries.times + excluded.times, last_gmt = excluded.last_gmt
"""
COUNT_SPOTS = "SELECT COUNT(*) FROM audit_entries WHERE spot >= ? AND spot < ?"
HAS_SPOT = "SELECT 1 FROM audit_entries WHERE spot = ?"
CONDITIONS = {
    "user": "user_id = :user",
    "login": "login = :login",
    "action": "action = :action",
    "resource": "resource = :resource",
    "item": "item_id = :item",
    "address": "address = :address",
    "after": "at_gmt > :after",
    "before": "at_gmt < :before",
}
REMOVE_OLD = """
DELETE FROM audit_entries WHERE id IN
(SELECT id FROM audit_entries WHERE at_gmt < ? AND last_gmt < ? ORDER BY at_gmt LIMIT ?)
"""


class EntryRow(TypedDict):
    """A row of the table of entries; `fields` and `changes` are JSON."""

    id: int
    at_gmt: str
    last_gmt: str
    times: int
    user_id: int
    login: str
    address: str
    sign_in: str
    action: str
    resource: str
    item_id: int
    title: str
    fields: str
    changes: str
    spot: str | None


class AuditStore:
    """Add, list and remove the entries of one site."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, values: Mapping[str, object]) -> None:
        """Store an entry, in the transaction of what it tells of."""
        self._database.insert(TABLE, values)

    def repeat(self, values: Mapping[str, object], window: str) -> None:
        """Store a sign-in, together with those of the same account and address within a window."""
        spot = f"{window} {values['action']} {values['kind']} {values['user_id']} {values['address']}"
        with self._database.write():
            if not self._database.row(HAS_SPOT, (spot,)) and self._is_full(window):
                spot = f"{window} {values['action']}"
                values = {**values, "user_id": 0, "login": "", "address": "", "kind": ""}
            self._database.execute(REPEAT, {**values, "spot": spot})

    def find(self, id: int) -> EntryRow | None:
        """Return an entry, or None."""
        return cast(EntryRow | None, self._database.row("SELECT * FROM audit_entries WHERE id = ?", (id,)))

    def list(
        self, wanted: Mapping[str, object], orderby: str, order: str, number: int, start: int
    ) -> list[EntryRow]:
        """Return the entries that match, from a place on; `orderby` and `order` are words of ours."""
        column = {"id": "id", "date": "at_gmt"}[orderby]
        way = {"asc": "ASC", "desc": "DESC"}[order]
        sql = f"SELECT * FROM audit_entries {_where(wanted)} ORDER BY {column} {way}, id {way} LIMIT :number OFFSET :start"  # noqa: S608, E501
        rows = self._database.rows(sql, {**wanted, "number": number, "start": start})
        return cast(list[EntryRow], rows)

    def count(self, wanted: Mapping[str, object]) -> int:
        """Return how many entries match."""
        sql = f"SELECT COUNT(*) FROM audit_entries {_where(wanted)}"  # noqa: S608 (our own words)
        return int(self._database.scalar(sql, wanted))

    def remove_older(self, before: str, most: int) -> int:
        """Delete entries of before a moment, at most so many, and return how many they were."""
        with self._database.write():
            return self._database.execute(REMOVE_OLD, (before, before, most))

    def _is_full(self, window: str) -> bool:
        return int(self._database.scalar(COUNT_SPOTS, (f"{window} ", f"{window}!"))) >= MOST_SPOTS


def _where(wanted: Mapping[str, object]) -> str:
    conditions = " AND ".join(CONDITIONS[name] for name in wanted)
    return f"WHERE {conditions}" if conditions else ""
