"""Events: written in the transaction of the change that they tell of, delivered to plugins after it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from cms.dates import in_seconds
from cms.hooks import call
from cms.hooks.reading import implemented

if TYPE_CHECKING:
    from cms.site import Site

#: Seconds between a failed try and the next; after the last of them a delivery is set aside.
PAUSES = (10, 60, 300, 1_800, 7_200, 21_600, 86_400)
BATCH = 100
#: Seconds of deliveries after which is noted what was delivered; a crash repeats no more than these.
NOTED_AFTER = 1.0
LONGEST_ERROR = 500

ADD = "INSERT INTO events (name, resource, item_id, user_id, at_gmt, data) VALUES (?, ?, ?, ?, ?, ?) RETURNING id"
OWE = "INSERT INTO deliveries (event_id, plugin, due_gmt) SELECT ?, value, ? FROM json_each(?)"
NEXT = (
    "SELECT MIN(due_gmt) FROM deliveries WHERE set_aside = 0 AND plugin IN (SELECT value FROM json_each(?))"
)
#: What is due, the oldest first, but nothing of an item of which something older waits for its next try.
DUE = """
SELECT e.*, d.plugin, d.tries FROM deliveries d JOIN events e ON e.id = d.event_id
WHERE d.set_aside = 0 AND d.plugin IN (SELECT value FROM json_each(:plugins)) AND d.due_gmt <= :now AND NOT EXISTS (
    SELECT 1 FROM events o JOIN deliveries w ON w.event_id = o.id
    WHERE o.resource = e.resource AND o.item_id = e.item_id AND o.id < e.id
    AND w.plugin = d.plugin AND w.set_aside = 0 AND w.due_gmt > :now)
ORDER BY e.id, d.plugin LIMIT :most
"""
DONE = "DELETE FROM deliveries WHERE event_id = ? AND plugin = ?"
FAILED = (
    "UPDATE deliveries SET tries = ?, due_gmt = ?, error = ?, set_aside = ? WHERE event_id = ? AND plugin = ?"
)
FORGET = """
DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))
AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = events.id)
"""

FORGET_ALL = "DELETE FROM events WHERE id NOT IN (SELECT event_id FROM deliveries)"
WAITING = "SELECT e.*, d.* FROM deliveries d JOIN events e ON e.id = d.event_id ORDER BY e.id, d.plugin"
CHOSEN = "(? OR event_id IN (SELECT value FROM json_each(?))) AND (? IS NULL OR plugin = ?)"
RETRY = f"UPDATE deliveries SET tries = 0, due_gmt = ?, set_aside = 0 WHERE {CHOSEN}"  # noqa: S608 (our own text)
DROP = f"DELETE FROM deliveries WHERE {CHOSEN}"  # noqa: S608 (our own text)

log = logging.getLogger("cms")


@dataclass(frozen=True)
class Event:
    """Something that has happened to an item.

    `id` is the same in every try and grows with time. `name` is the resource's name and what happened
    (`post.created`), `at` the second in GMT, `user_id` 0 where no account did it. `data` tells of content and comments
    under `status` which state they had (`old`, None for a new item) and have (`new`, None for one that is deleted).
    """

    id: int
    name: str
    resource: str
    item_id: int
    user_id: int
    at: str
    data: Mapping[str, Any]


class Outbox:
    """The events of one site that some plugin is still to get."""

    def __init__(self, site: Site) -> None:
        self._site = site
        hook = implemented(site.plugins, "on_event")
        self._listeners = {each.plugin_name: each for each in hook.get_hookimpls()} if hook else {}
        self._names = orjson.dumps(list(self._listeners)).decode()

    @property
    def wanted(self) -> bool:
        """Whether any plugin waits for events; else none are written."""
        return bool(self._listeners)

    def record(self, name: str, resource: str, item_id: int, user_id: int, data: Mapping[str, Any]) -> None:
        """Write an event; to be called in the transaction of what it tells of."""
        if not self._listeners:
            return
        now = self._site.now()
        values = (name, resource, item_id, user_id, now, orjson.dumps(data).decode())
        id = self._site.database.scalar(ADD, values)
        self._site.database.execute(OWE, (id, now, self._names))

    def deliver(self, stopping: Callable[[], bool] = lambda: False) -> int:
        """Give each plugin the events that are due for it and return how many it took."""
        delivered = 0
        while self._is_due() and not stopping():
            round = _Round(self._site.now())
            rows = self._site.database.rows(DUE, {"plugins": self._names, "now": round.now, "most": BATCH})
            if not rows:
                break
            try:
                self._try(rows, round, stopping)
            finally:
                self._note(round)
            delivered += len(round.done)
        return delivered

    def waiting(self) -> list[dict[str, Any]]:
        """Return every event that some plugin hasn't taken, once for each such plugin, the oldest first."""
        return [
            {
                "event": row["id"],
                "name": row["name"],
                "item": row["item_id"],
                "at_gmt": row["at_gmt"],
                "plugin": row["plugin"],
                "tries": row["tries"],
                "error": row["error"],
                "state": "set aside" if row["set_aside"] else "failed" if row["tries"] else "waiting",
                "due_gmt": None if row["set_aside"] else row["due_gmt"],
            }
            for row in self._site.database.rows(WAITING)
        ]

    def retry(self, ids: Sequence[int] = (), plugin: str | None = None) -> int:
        """Have deliveries tried at once, as if for the first time, all where no ids are given; return how many."""
        return self._change(RETRY, (self._site.now(),), ids, plugin)

    def drop(self, ids: Sequence[int] = (), plugin: str | None = None) -> int:
        """Give deliveries up, all where no ids are given; return how many."""
        return self._change(DROP, (), ids, plugin)

    def _change(self, sql: str, values: tuple[Any, ...], ids: Sequence[int], plugin: str | None) -> int:
        chosen = orjson.dumps(list(ids)).decode()
        with self._site.database.write():
            changed = self._site.database.execute(sql, (*values, not ids, chosen, plugin, plugin))
            self._site.database.execute(FORGET_ALL)
        return changed

    def _is_due(self) -> bool:
        """Tell whether something is due; without a change of the data this asks the database nothing."""
        if not self._listeners:
            return False
        now = self._site.now()
        due = self._site.cache.get_or_load(
            "next delivery", now, lambda: self._site.database.scalar(NEXT, (self._names,))
        )
        return due is not None and due <= now

    def _try(self, rows: Sequence[Any], round: _Round, stopping: Callable[[], bool]) -> None:
        until = time.monotonic() + NOTED_AFTER
        for row in rows:
            if stopping() or time.monotonic() > until:
                return
            key = (row["plugin"], row["resource"], row["item_id"])
            if key in round.blocked:
                continue
            try:
                call(self._listeners[row["plugin"]], "on_event", {"event": event_of(row), "site": self._site})
                round.done.append((row["id"], row["plugin"]))
            except Exception as error:
                round.blocked.add(key)
                round.failed.append(_failure(row, error, round.now))

    def _note(self, round: _Round) -> None:
        """Store what came of the deliveries, all of it in one transaction."""
        if not round.done and not round.failed:
            return
        with self._site.database.write():
            for key in round.done:
                self._site.database.execute(DONE, key)
            for values in round.failed:
                self._site.database.execute(FAILED, values)
            self._site.database.execute(FORGET, (orjson.dumps([id for id, _plugin in round.done]).decode(),))


class _Round:
    """What came of some deliveries: those that were taken, those that failed, whose later events have to wait."""

    def __init__(self, now: str) -> None:
        self.now = now
        self.done: list[tuple[int, str]] = []
        self.failed: list[tuple[Any, ...]] = []
        self.blocked: set[tuple[str, str, int]] = set()


def event_of(row: Any) -> Event:
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


def _failure(row: Any, error: Exception, now: str) -> tuple[Any, ...]:
    """Return what is noted of a delivery that failed: when it is tried again, or that it is set aside."""
    aside = row["tries"] >= len(PAUSES)
    cause = error.__cause__ or error
    told = f"{type(cause).__name__}: {' '.join(str(cause).split())}"[:LONGEST_ERROR]
    what = "was set aside" if aside else f"is tried again in {PAUSES[row['tries']]} seconds"
    log.error(
        "plugin %s: on_event failed; event %s (%s) %s",
        row["plugin"],
        row["id"],
        row["name"],
        what,
        exc_info=error,
    )
    due = now if aside else in_seconds(now, PAUSES[row["tries"]])
    return row["tries"] + 1, due, told, aside, row["id"], row["plugin"]
