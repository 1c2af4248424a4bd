"""Sending what is due: several receivers at once, in threads beside the one that does the site's timed work."""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
import weakref

from cms.plugin import Failed, Refused, Site

from .message import body_of, headers_of
from .store import GONE, DueRow, begin, is_due, note_delivered, note_failed
from .targets import Targets

#: How many receivers are sent to at once.
PARALLEL = 8
#: Seconds after which a receiver that dribbles no longer counts among them, and how many of these there may be besides.
LONGEST, DRIBBLING = 30.0, 24
#: Seconds for which the end of a process waits for what is under way.
PATIENCE = 15.0

log = logging.getLogger("cms")


class Sender:
    """Sends the deliveries of one site; to one subscription it sends one at a time."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._targets = Targets(site.config)
        #: Since when something is under way, by subscription.
        self._busy: dict[int, float] = {}
        self._changed = threading.Condition()
        self._process = os.getpid()
        _senders.add(self)

    def send_due(self) -> None:
        """Begin to send what is due and return at once."""
        while is_due(self._site) and (row := self._take()) is not None:
            threading.Thread(target=self._work, args=(row,), name="cms-webhooks", daemon=True).start()

    def finish(self) -> None:
        """Wait for what is under way, for a while; without a thread for timed work, for all that is due."""
        if self._process == os.getpid():
            self._site.worker.stop()
            with self._changed:
                self._changed.wait_for(lambda: not self._busy, PATIENCE)

    def _take(self) -> DueRow | None:
        """Return a delivery to send now, and count its subscription as busy; None where there is none or no room."""
        with self._changed:
            if self._site.worker.is_stopping() or self._is_full():
                return None
            row = begin(self._site, self._busy)
            if row is not None:
                self._busy[row["webhook_id"]] = time.monotonic()
            return row

    def _is_full(self) -> bool:
        since = time.monotonic() - LONGEST
        quick = sum(begun > since for begun in self._busy.values())
        return quick >= PARALLEL or len(self._busy) >= PARALLEL + DRIBBLING

    def _work(self, row: DueRow | None) -> None:
        try:
            while row is not None:
                try:
                    self._deliver(row)
                except Exception:
                    log.exception("plugin webhooks: nothing could be noted of delivery %s", row["id"])
                row = self._next(row["webhook_id"])
        except Exception:
            log.exception("plugin webhooks: the next delivery couldn't be found")
        finally:
            self._site.database.close()

    def _next(self, done: int) -> DueRow | None:
        """Let a subscription go and take the next delivery in the same breath, so that `finish` sees no gap."""
        with self._changed:
            del self._busy[done]
            try:
                return self._take()
            finally:
                self._changed.notify_all()

    def _deliver(self, row: DueRow) -> None:
        code, least = None, 0
        try:
            code, least = self._send(row)
            error = f"it answered {code}"
        except (Refused, Failed) as refusal:
            error = str(refusal)
        except Exception as fault:
            log.exception("plugin webhooks: delivery %s couldn't be sent", row["id"])
            error = f"it couldn't be sent ({type(fault).__name__})"
        if code is not None and 200 <= code < 300:
            note_delivered(self._site, row, code)
            return
        note_failed(self._site, row, code, error, least)
        if code == GONE:
            log.warning(
                "plugin webhooks: webhook %s is switched off, its receiver is gone", row["webhook_id"]
            )

    def _send(self, row: DueRow) -> tuple[int, int]:
        """Return the answer's status and for how many seconds it asks to wait; nothing of its body is read."""
        body = body_of(self._site, row)
        with self._targets.client(row["url"]).open(
            "POST", row["url"], headers=headers_of(self._site, row, body), body=body
        ) as answer:
            wait = answer.headers.get("Retry-After", "")
            return answer.status, int(wait) if wait.isascii() and wait.isdecimal() and len(wait) < 10 else 0


_senders: weakref.WeakSet[Sender] = weakref.WeakSet()


def _at_exit() -> None:
    for sender in list(_senders):
        sender.finish()


atexit.register(_at_exit)
