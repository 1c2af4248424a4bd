"""A server of an object storage for tests: nanio, which checks signatures, and creates on condition as it alone doesn't.

Run as a program with a port, a folder and maybe an address, it serves each folder in that as a bucket. A file `.refused` in the folder has
words: a request is answered with 503 whose method and path have all words of one of its lines. `.plain` there leaves the
condition out.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

KEY, SECRET = "key-of-the-tests", "secret-of-the-tests-which-is-long"

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Any, Send], Awaitable[None]]


class Conditional:
    """Answers a `PUT` with `If-None-Match: *` with 412 where there is such an object, and refuses what it is asked to."""

    def __init__(self, app: App, folder: Path) -> None:
        self.app, self.folder = app, folder
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        path = unquote(scope["path"])
        if self.refuses(f"{scope['method']} {path}?{scope['query_string'].decode()}"):
            return await answer(send, 503, "ServiceUnavailable")
        is_conditional = (b"if-none-match", b"*") in scope["headers"] and not (self.folder / ".plain").exists()
        if scope["method"] != "PUT" or not is_conditional:
            return await self.app(scope, receive, send)
        async with self.locks[path]:
            if (self.folder / path.lstrip("/")).exists():
                return await answer(send, 412, "PreconditionFailed")
            await self.app(scope, receive, send)

    def refuses(self, asked: str) -> bool:
        words = self.folder / ".refused"
        lines = words.read_text().splitlines() if words.exists() else []
        return any(all(word in asked for word in line.split()) for line in lines)


async def answer(send: Send, status: int, code: str) -> None:
    body = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()
    headers = [(b"content-type", b"application/xml"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def main(port: int, folder: Path, host: str = "127.0.0.1") -> None:
    import uvicorn
    from nanio.app import build_app

    uvicorn.run(Conditional(build_app(), folder), host=host, port=port, log_level="warning")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
