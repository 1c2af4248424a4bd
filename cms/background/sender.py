"""Sending to the targets of plugins: several at once, in threads beside the one that does the site's timed work."""

from __future__ import annotations

import atexit
import logging
import random
import threading
import time
import weakref

from cms import forks
from cms.background.events import delivery_of
from cms.background.retries import MAX_ERROR_LENGTH, RETRY_DELAYS, DeliveryFailed, delay_after
from cms.background.worker import Worker
from cms.context import SiteContext
from cms.dates import in_seconds
from cms.db.models import DeliveryRow
from cms.hooks import Hooks

#: To how many targets is sent at once.
PARALLEL = 8
#: Seconds after which a target that is slow no longer counts among them, and how many of these there may be besides.
LONGEST, DRIBBLING = 30.0, 24
#: Seconds for which the end of a process waits for what is under way.
PATIENCE = 15.0
#: What is noted when a try begins, so that one that was cut off tells of itself.
BEGUN = "no answer was noted"

Target = tuple[str, str]

log = logging.getLogger("cms")


class Sender:
    """Sends the deliveries of one site to the targets of its plugins, one at a time to each target."""

    def __init__(self, site: SiteContext, hooks: Hooks, worker: Worker) -> None:
        self._site, self._hooks, self._worker = site, hooks, worker
        self._store = site.stores.deliveries
        self._plugins = hooks.events.with_targets
        #: Since when something is under way, by plugin and target.
        self._busy: dict[Target, float] = {}
        self._changed = threading.Condition()
        forks.register(self)
        _senders.add(self)

    def send_due(self) -> None:
        """Begin to send what is due and return at once; raises RuntimeError where no thread can be had for it."""
        while self._is_due() and (row := self._take()) is not None:
            try:
                threading.Thread(target=self._work, args=(row,), name="cms-deliveries", daemon=True).start()
            except (
                RuntimeError
            ):  # the system gives no more threads; the delivery is tried again when it is due
                self._let_go(row)
                raise

    def finish(self) -> None:
        """Wait for what is under way, for a while; without a thread for timed work, for all that is due."""
        self._worker.stop()
        with self._changed:
            self._changed.wait_for(self._is_idle, PATIENCE)

    def leave_to_parent(self) -> None:
        """Forget in a forked child what the parent's threads are sending, and their lock."""
        self._busy, self._changed = {}, threading.Condition()

    def _is_due(self) -> bool:
        """Tell whether something is to be sent; as long as nothing changes this asks the database nothing."""
        now = self._site.now()
        due = self._site.cache.get_or_load("next delivery", now, self._next_due)
        return due is not None and due <= now

    def _next_due(self) -> str | None:
        return self._store.next_due(self._plugins)

    def _take(self) -> DeliveryRow | None:
        """Return a delivery to send now, and count its target as busy; None where there is none or no room."""
        with self._changed:
            if self._worker.is_stopping() or self._is_full():
                return None
            now = self._site.now()
            row = self._store.first_due(self._plugins, now, self._busy)
            if row is None or not self._store.begin(row, now, self._next_try(row, now), BEGUN):
                return None
            self._busy[row["plugin"], row["target"]] = time.monotonic()
            return row

    def _is_idle(self) -> bool:
        return not self._busy

    def _is_full(self) -> bool:
        since = time.monotonic() - LONGEST
        quick = sum(begun > since for begun in self._busy.values())
        return quick >= PARALLEL or len(self._busy) >= PARALLEL + DRIBBLING

    def _work(self, row: DeliveryRow | None) -> None:
        try:
            while row is not None:
                try:
                    self._deliver(row)
                except Exception:
                    log.exception(
                        "plugin %s: nothing could be noted of delivery %s", row["plugin"], row["id"]
                    )
                row = self._take_after(row)
        except Exception:
            log.exception("the next delivery couldn't be found")
        finally:
            self._site.database.close()

    def _take_after(self, done: DeliveryRow) -> DeliveryRow | None:
        """Let a target go and take the next delivery in the same breath, so that `finish` sees no gap."""
        with self._changed:
            del self._busy[done["plugin"], done["target"]]
            try:
                return self._take()
            finally:
                self._changed.notify_all()

    def _let_go(self, row: DeliveryRow) -> None:
        """Count a target as busy no more."""
        with self._changed:
            del self._busy[row["plugin"], row["target"]]
            self._changed.notify_all()

    def _deliver(self, row: DeliveryRow) -> None:
        """Have the plugin send one delivery, and note what came of it."""
        try:
            code = self._hooks.events.deliver(row["plugin"], delivery_of(row))
        except Exception as error:  # whatever a plugin raises; it is tried again
            self._note_failure(row, _failure_of(row, error))
        else:
            self._store.note(row, "delivered", code, "", self._site.now())

    def _note_failure(self, row: DeliveryRow, failure: DeliveryFailed) -> None:
        is_last = failure.is_final or delay_after(row["tries"] + 1) is None
        due = self._next_try(row, self._site.now(), failure.retry_after)
        status = "set_aside" if is_last else "waiting"
        self._store.note(row, status, failure.code, str(failure)[:MAX_ERROR_LENGTH], due)

    def _next_try(self, row: DeliveryRow, now: str, asked: int = 0) -> str:
        """Return when a delivery is tried again whose present try fails; `asked` is for how long the target asks."""
        usual = delay_after(row["tries"] + 1) or RETRY_DELAYS[-1]
        spread = usual + random.randint(0, usual // 5)  # noqa: S311 (so that not all come at once; it hides nothing)
        return in_seconds(now, max(spread, min(asked, RETRY_DELAYS[-1])))


def _failure_of(row: DeliveryRow, error: Exception) -> DeliveryFailed:
    """Return what a plugin has raised as a failure; what it didn't mean to raise is logged."""
    cause = error.__cause__ or error
    if isinstance(cause, DeliveryFailed):
        return cause
    log.error("plugin %s: delivery %s couldn't be sent", row["plugin"], row["id"], exc_info=error)
    return DeliveryFailed(f"it couldn't be sent ({type(cause).__name__})")


_senders: weakref.WeakSet[Sender] = weakref.WeakSet()


def _at_exit() -> None:
    for sender in list(_senders):
        sender.finish()


atexit.register(_at_exit)
