"""Items that become visible by the clock: finding those whose time has come, and telling plugins once of each."""

from __future__ import annotations

import logging
from collections.abc import Callable

from cms.access.capabilities import Principal
from cms.background.outbox import Outbox
from cms.background.retries import RETRY_DELAYS
from cms.background.worker import never
from cms.context import SiteContext
from cms.dates import in_seconds
from cms.db.models import ScheduledRow
from cms.hooks import Hooks

log = logging.getLogger("cms")


class Publications:
    """The publications of one site that were scheduled and that plugins haven't been told of.

    An item is visible by its date alone; the table of what is due is filled by triggers and emptied here, each row in
    the transaction that tells of it, so that this happens once whatever else runs.
    """

    def __init__(self, site: SiteContext, hooks: Hooks, outbox: Outbox) -> None:
        self._site, self._hooks, self._outbox = site, hooks, outbox
        self._store = site.stores.publications

    def publish_due(self, is_stopping: Callable[[], bool] = never) -> int:
        """Tell of all publications whose time has come and return how many there were."""
        published = 0
        while self._is_due() and not is_stopping():
            rows = self._store.due(self._site.now())
            for row in rows:
                published += self._try(row)
            if not rows:
                break
        return published

    def catch_up(self, id: int) -> None:
        """Tell of an item's publication if that is due, before the item is changed; to be called inside a write."""
        watched = self._hooks.watches_writes or self._outbox.wanted
        if watched and self._store.is_due(id, self._site.now()):
            self._publish(id)

    def _is_due(self) -> bool:
        now = self._site.now()
        due = self._site.cache.get_or_load("next publication", now, self._store.next_due)
        return due is not None and due <= now

    def _try(self, row: ScheduledRow) -> bool:
        """Tell of one publication; a plugin that fails is asked again later, and passed over in the end."""
        id, tries = row["content_id"], row["tries"]
        try:
            with self._site.database.write():
                is_due = self._store.is_due(id, self._site.now())
                if is_due:
                    self._publish(id, with_plugins=tries < len(RETRY_DELAYS))
                return is_due
        except Exception as error:  # whatever a plugin raises
            delay = RETRY_DELAYS[tries]
            log.error("the publication of item %s is told of again in %s seconds", id, delay, exc_info=error)
            self._store.postpone(id, in_seconds(self._site.now(), delay))
            return False

    def _publish(self, id: int, with_plugins: bool = True) -> None:
        self._store.remove(id)
        row = self._site.stores.content.find(id)
        if row is None or row["status"] != "publish":
            return
        type = row["type"]
        if with_plugins:
            self._hooks.transition_status(type, row, "future", "publish", Principal())
        self._outbox.record(f"{type}.published", type, id, 0, {"status": {"old": "future", "new": "publish"}})
