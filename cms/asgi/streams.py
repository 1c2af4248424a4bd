"""The streams between a thread and the event loop, with bounded memory: a request's body, an answer's pieces."""

from __future__ import annotations

import asyncio
import concurrent.futures
import io
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import IO, Any

from werkzeug.exceptions import ClientDisconnected

#: Bytes of an answer that wait for the client at most, but for the piece that made them too many.
ROOM = 1 << 17
#: Bytes of finished answers that wait for clients at most, in a process.
ROOM_OF_ALL = 1 << 24
#: Seconds for which a finished answer waits for others to be sent.
ROOM_SECONDS = 5.0
#: Bytes of a body that are fetched before they are asked for.
BUFFER = 1 << 16

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]


class Body(io.RawIOBase):
    """A request's body as its thread reads it; the server keeps the client from sending more than it can hold."""

    def __init__(self, receive: Receive, loop: asyncio.AbstractEventLoop) -> None:
        self._receive, self._loop = receive, loop
        self._piece = memoryview(b"")
        #: Whether all of it has come, so that the server's next message can only be that the client has gone.
        self.is_complete = False
        self._is_lost = False

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:  # whatever has room for bytes
        """Fill a buffer with what comes next; raises ClientDisconnected where the client went before the end."""
        while not self._piece and not self.is_complete:
            self._piece = memoryview(self._fetch())
        size = min(len(buffer), len(self._piece))
        buffer[:size] = self._piece[:size]
        self._piece = self._piece[size:]
        return size

    async def begin(self) -> None:
        """Wait for the beginning in the event loop: no thread is kept by a client that sends a short body slowly."""
        beginning = bytearray()
        with suppress(ClientDisconnected):
            while not self.is_complete and len(beginning) < BUFFER:
                beginning += await self._next()
        self._piece = memoryview(beginning)

    def stream(self) -> IO[bytes]:
        """Return what the application reads it from; a buffer is only made where some of it is still to come."""
        if self.is_complete:
            return io.BytesIO(self._piece)
        return io.BufferedReader(self, BUFFER)

    def _fetch(self) -> bytes:
        if self._is_lost:
            raise ClientDisconnected
        asked = asyncio.run_coroutine_threadsafe(self._next(), self._loop)
        try:
            return asked.result()
        except concurrent.futures.CancelledError:
            raise ClientDisconnected from None

    async def _next(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self._is_lost = True
            raise ClientDisconnected
        self.is_complete = not message.get("more_body", False)
        piece: bytes = message.get("body", b"")
        return piece


class ClientGone(Exception):
    """The client doesn't wait for the rest of its answer."""


class Outlet:
    """The pieces of a long answer, from the thread that makes them to the event loop that sends them."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._changed = threading.Condition()
        self._pieces: list[bytes] = []
        self._size = 0
        self._is_complete = self._is_closed = False
        self._error: BaseException | None = None
        self._waiter: asyncio.Future[None] | None = None

    def put(self, piece: bytes) -> None:
        """Hand over a piece as soon as there is room; raises ClientGone where nobody takes it any more."""
        with self._changed:
            while self._size >= ROOM and not self._is_closed:
                self._changed.wait()
            if self._is_closed:
                raise ClientGone
            is_first = not self._pieces
            self._pieces.append(piece)
            self._size += len(piece)
        if is_first:
            self._loop.call_soon_threadsafe(self._wake)

    def finish(self, error: BaseException | None = None) -> None:
        """Say that this was all, or why there can't be more."""
        with self._changed:
            self._is_complete, self._error = True, error
        self._loop.call_soon_threadsafe(self._wake)

    def close(self) -> None:
        """Take nothing more; for the event loop to call."""
        with self._changed:
            self._is_closed = self._is_complete = True
            self._pieces.clear()
            self._changed.notify_all()
        self._wake()

    async def take(self) -> tuple[bytes, bool]:
        """Return what has gathered and whether more may come; raises what the thread has met."""
        while True:
            with self._changed:
                if self._pieces or self._is_complete:
                    return self._gathered()
                self._waiter = self._loop.create_future()
            await self._waiter

    def _gathered(self) -> tuple[bytes, bool]:
        if self._error is not None:
            raise self._error
        data = b"".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        self._changed.notify_all()
        return data, not self._is_complete

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Room:
    """The memory for finished answers: who has made one waits where others already fill it, and so makes no other."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = 0

    def take(self, size: int, must: bool) -> bool:
        """Take as much as an answer has once there is room, and tell whether there was; what must goes ahead at last.

        An answer that is larger than all the room waits until it is the only one.
        """
        with self._changed:
            is_taken = self._changed.wait_for(partial(self._fits, size), ROOM_SECONDS) or must
            if is_taken:
                self._taken += size
        return is_taken

    def take_at_once(self, size: int) -> bool:
        """Take as much as an answer has if there is room for it now, and tell whether there was."""
        with self._changed:
            fits = self._fits(size)
            if fits:
                self._taken += size
        return fits

    def _fits(self, size: int) -> bool:
        return not self._taken or self._taken + size <= ROOM_OF_ALL

    def give_back(self, size: int) -> None:
        """Let others have what an answer took."""
        if size:
            with self._changed:
                self._taken -= size
                self._changed.notify_all()
