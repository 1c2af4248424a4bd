"""Answers on their way to clients: sent in pieces, and together no more of them than there is room for in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from cms.asgi.exchange import Exchange, Head, encode_headers, has_no_body
from cms.asgi.streams import ROOM, Message

Send = Callable[[Message], Awaitable[None]]


async def send_start(send: Send, head: Head) -> None:
    """Send the beginning of an answer."""
    headers = encode_headers(head.headers)
    await send({"type": "http.response.start", "status": int(head.status[:3]), "headers": headers})


async def send_whole(send: Send, method: str, head: Head) -> None:
    """Send an answer of which all is there."""
    await send_start(send, head)
    await send_body(send, b"" if has_no_body(method, head.status) else head.body)


async def send_body(send: Send, body: bytes) -> None:
    """Send a body piece by piece: a server has a copy of what it was given until the client takes it."""
    place = 0
    while len(body) - place > ROOM:
        await send({"type": "http.response.body", "body": body[place : place + ROOM], "more_body": True})
        place += ROOM
    await send({"type": "http.response.body", "body": body[place:] if place else body})


async def send_streamed(send: Send, head: Head, exchange: Exchange) -> None:
    """Send an answer as its thread makes it; raises what the thread has met."""
    await send_start(send, head)
    piece, has_more = head.body, True
    while has_more:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        piece, has_more = await exchange.more()
    if exchange.is_gone():
        return  # what looked like an end would be one
    await send({"type": "http.response.body", "body": piece})
