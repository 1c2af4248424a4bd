"""Gunicorn's worker with threads, one of which is left to reads."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.workers import gthread

from cms.api.limits import READING
from cms.api.write_turns import WriteTurns

#: What is to become of the connection of a request that waits: nothing yet.
WAITS = object()


class ThreadWorker(gthread.ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Has a write that finds no turn wait with its connection, once its head is read, and without a thread."""

    def init_process(self) -> None:
        """Prepare in the process that answers, and serve."""
        self._turns = WriteTurns(self.cfg.threads)
        #: Of the request that a thread is at: whether it has a turn, and whether it has to wait for one.
        self._thread = threading.local()
        super().init_process()

    def handle(self, conn: Any) -> Any:
        """Answer a connection's next request, and return what is to become of the connection."""
        return self._handle(conn, has_turn=False)

    def handle_request(self, req: Any, conn: Any) -> bool:
        """Answer a request unless it has to wait, and return whether the connection goes on."""
        if req.method not in READING and not self._thread.has_turn:
            self._thread.has_turn = self._turns.begin(partial(self._go_on, req, conn))
            if not self._thread.has_turn:
                self._thread.waits = True
                return False
        return bool(super().handle_request(req, conn))

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Do what is to be done with a connection whose thread is through with it."""
        if fs.cancelled() or fs.exception() is not None or fs.result() is not WAITS:
            super().finish_request(conn, fs)

    def _handle(self, conn: Any, has_turn: bool) -> Any:
        self._thread.has_turn, self._thread.waits = has_turn, False
        try:
            result = super().handle(conn)
        finally:
            if self._thread.has_turn:
                self._end_turn()
        return WAITS if self._thread.waits else result

    def _end_turn(self) -> None:
        go_on = self._turns.end()
        if go_on is not None:
            with suppress(RuntimeError):  # the process ends at once, and takes nothing more
                go_on()

    def _go_on(self, req: Any, conn: Any) -> None:
        """Have the next free thread answer a request that has waited."""
        conn.parser = Again(conn, req)
        done = self.tpool.submit(self._handle, conn, has_turn=True)
        done.add_done_callback(partial(self._finish, conn))

    def _finish(self, conn: Any, done: Any) -> None:
        self.method_queue.defer(self.finish_request, conn, done)


class Again:
    """The parser of a connection, which first gives a request again that it has given before."""

    def __init__(self, conn: Any, req: Any) -> None:
        self._conn, self._parser, self._req = conn, conn.parser, req

    def __next__(self) -> Any:
        self._conn.parser = self._parser
        return self._req
