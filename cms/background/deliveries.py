"""What one plugin delivers to its targets, for the plugin to show and to decide about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cms.background.worker import never
from cms.context import SiteContext
from cms.db.models import DeliveryRow, OpenDeliveryRow

#: The states of deliveries to targets.
DELIVERY_STATUSES = ("waiting", "delivered", "set_aside")


class Deliveries:
    """The deliveries of one plugin to its targets, each of which it names by a text."""

    def __init__(self, site: SiteContext, plugin: str) -> None:
        self._site, self._plugin, self._store = site, plugin, site.stores.deliveries

    def add(self, target: str, name: str, resource: str, item_id: int, user_id: int) -> DeliveryRow:
        """Store an event for one target alone, due at once, and return its delivery."""
        event = {
            "name": name,
            "resource": resource,
            "item_id": item_id,
            "user_id": user_id,
            "at_gmt": self._site.now(),
            "data": "{}",
        }
        with self._site.database.write():
            self._site.stores.events.add(event, [self._plugin], target)
            return self._store.some(self._plugin, target, None, 1, 0)[0]

    def find(self, target: str, id: int) -> DeliveryRow | None:
        """Return a delivery to a target by its id, or None."""
        return self._store.find(self._plugin, target, id)

    def count(self, target: str, status: str | None = None) -> int:
        """Return how many deliveries to a target are in a state, or in any."""
        return self._store.count(self._plugin, target, status)

    def list(
        self, target: str, status: str | None = None, limit: int = 100, offset: int = 0
    ) -> list[DeliveryRow]:
        """Return deliveries to a target in a state, or in any, the latest first."""
        return self._store.some(self._plugin, target, status, limit, offset)

    def failed(self) -> Sequence[OpenDeliveryRow]:
        """Return all deliveries that have failed and wait for another try or were set aside, the oldest first."""
        return self._store.failed(self._plugin)

    def retry(self, ids: Sequence[int]) -> int:
        """Have deliveries sent at once, as if for the first time, those that were taken too; return how many."""
        return self._store.retry(self._plugin, ids, self._site.now())

    def pause(self, target: str) -> None:
        """Let what is for a target wait from now on; one that is being sent is finished."""
        self._store.pause(self._plugin, target)

    def resume(self, target: str) -> None:
        """Send what waits for a target again."""
        self._store.resume(self._plugin, target)

    def forget(self, target: str) -> None:
        """Delete all deliveries to a target that is no more, whatever became of them."""
        self._store.forget(self._plugin, target)

    def remove_older(self, than: str, is_stopping: Callable[[], bool] = never) -> None:
        """Delete deliveries made before a date in GMT, some at a time; those that wait stay unless they are paused."""
        while not is_stopping() and self._store.remove_old(self._plugin, than):
            pass
