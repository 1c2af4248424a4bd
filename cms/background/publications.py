"""Items that become visible by the clock: finding those whose time has come, and telling plugins once of each."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cms.access.capabilities import Principal
from cms.background.outbox import PAUSES
from cms.dates import in_seconds

if TYPE_CHECKING:
    from cms.site import Site

NEXT = "SELECT MIN(due_gmt) FROM scheduled"
DUE = "SELECT content_id, tries FROM scheduled WHERE due_gmt <= ? ORDER BY due_gmt, content_id LIMIT 100"
ONE = "SELECT content_id FROM scheduled WHERE content_id = ? AND due_gmt <= ?"
FORGET = "DELETE FROM scheduled WHERE content_id = ?"
LATER = "UPDATE scheduled SET due_gmt = ?, tries = tries + 1 WHERE content_id = ?"

log = logging.getLogger("cms")


class Schedule:
    """The publications of one site that were scheduled and that plugins haven't been told of.

    Visible an item is by its date alone; the table of what is due is filled by triggers and emptied here, each row in
    the transaction that tells of it, so that this happens once whatever else runs.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def sweep(self, stopping: Callable[[], bool] = lambda: False) -> int:
        """Tell of all publications whose time has come and return how many there were."""
        told = 0
        while self._is_due() and not stopping():
            rows = self._site.database.rows(DUE, (self._site.now(),))
            for row in rows:
                told += self._tell(row)
            if not rows:
                break
        return told

    def catch_up(self, id: int) -> None:
        """Tell of an item's publication if that is due, before the item is changed; to be called inside a write."""
        changes = self._site.write_hooks
        if changes.watched and self._site.database.row(ONE, (id, self._site.now())) is not None:
            self._publish(id)

    def _is_due(self) -> bool:
        now = self._site.now()
        due = self._site.cache.get_or_load("next publication", now, lambda: self._site.database.scalar(NEXT))
        return due is not None and due <= now

    def _tell(self, row: Any) -> bool:
        """Tell of one publication; a plugin that fails is asked again later, and passed over in the end."""
        id, tries = row["content_id"], row["tries"]
        try:
            with self._site.database.write():
                still = self._site.database.row(ONE, (id, self._site.now()))
                if still is not None:
                    self._publish(id, with_plugins=tries < len(PAUSES))
                return still is not None
        except Exception as error:
            log.error(
                "the publication of item %s is told of again in %s seconds", id, PAUSES[tries], exc_info=error
            )
            with self._site.database.write():
                self._site.database.execute(LATER, (in_seconds(self._site.now(), PAUSES[tries]), id))
            return False

    def _publish(self, id: int, with_plugins: bool = True) -> None:
        self._site.database.execute(FORGET, (id,))
        row = self._site.database.row("SELECT * FROM content WHERE id = ?", (id,))
        if row is None or row["status"] != "publish":
            return
        kind = row["type"]
        if with_plugins:
            self._site.write_hooks.transition(kind, row, "future", "publish", Principal())
        self._site.outbox.record(
            f"{kind}.published", kind, id, 0, {"status": {"old": "future", "new": "publish"}}
        )
