"""Look for answers that are older than the data: readers and writers on a served site, every answer checked.

    python bench/stale_answers.py [--answers 50000] [--worker gthread|asgi] [--readers 6]

Before each read the present state is read from the database file itself, and again after it: the answer must lie
between the two. A writer raises numbers that stand in titles, names, settings and counts. Now and then it pauses while
the workers leave and others take their place, which know only what the master knew at the start.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from served import LOGIN, WORKERS, Served, free_port

from cms.testing import basic, make_client

#: After how many rounds of writes the workers are replaced, and for how many seconds nobody writes then.
ROUNDS, PAUSE = 5, 1.5
#: How many requests of a reader in a row may find no answer, because the worker has left that its connection was to.
MOST_FAILURES = 20


@dataclass(frozen=True)
class Check:
    """A number that an answer shows, and the statement that reads it from the database."""

    path: str
    shown: Callable[[Any, dict[str, str]], int]
    sql: str


@dataclass
class Count:
    """What was seen so far, by all threads."""

    answers: int = 0
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: threading.Event = field(default_factory=threading.Event)


def checks(ids: dict[str, int]) -> list[Check]:
    """Return what is read."""
    post, category, author = ids["post"], ids["category"], ids["author"]
    title = f"SELECT title FROM content WHERE id = {post}"
    name = f"SELECT name FROM users WHERE id = {author}"
    total = "SELECT COUNT(*) FROM content WHERE type = 'post' AND status = 'publish'"
    return [
        Check(f"/posts/{post}", lambda body, _headers: int(body["title"]["rendered"]), title),
        Check(f"/posts?include={post}&_fields=title", lambda body, _headers: int(body[0]["title"]["rendered"]), title),
        Check(f"/posts/{post}?_embed", lambda body, _headers: int(body["_embedded"]["author"][0]["name"]), name),
        Check(f"/users/{author}", lambda body, _headers: int(body["name"]), name),
        Check("/posts?per_page=3", lambda _body, headers: int(headers["x-wp-total"]), total),
        Check(f"/categories/{category}", lambda body, _headers: body["count"],
              f"SELECT COUNT(*) FROM content_terms WHERE term_id = {category}"),
        Check(f"/categories?include={category}", lambda body, _headers: int(body[0]["name"]),
              f"SELECT name FROM terms WHERE id = {category}"),
        Check("", lambda body, _headers: int(body["name"]),
              "SELECT json_extract(value, '$') FROM options WHERE name = 'title'"),
    ]


def make_site(folder: Path) -> dict[str, int]:
    """Make a site whose numbers begin at 1, and return the ids of what shows them."""
    client = make_client(folder)
    category = client.new("/categories", name="1")["id"]
    author = client.id_of("author")
    client.post(f"/users/{author}", {"name": "1"}, "administrator")
    client.post("/settings", {"title": "1"}, "administrator")
    post = client.new("/posts", title="1", status="publish", author=author, categories=[category])["id"]
    client.site.close()
    return {"category": category, "author": author, "post": post}


class Reader(threading.Thread):
    """Reads in turns, and compares each answer with the database."""

    def __init__(self, port: int, database: Path, all_checks: list[Check], count: Count) -> None:
        super().__init__(daemon=True)
        self._port, self._database, self._checks, self._count = port, database, all_checks, count

    def run(self) -> None:
        """Read until told to stop."""
        connection = HTTPConnection("127.0.0.1", self._port)
        database = sqlite3.connect(self._database)
        failures = 0
        while not self._count.stop.is_set():
            for check in self._checks:
                before = int(database.execute(check.sql).fetchone()[0])
                path = f"/api/cms/v2{check.path}" if check.path else "/api/"
                try:
                    connection.request("GET", path)
                    response = connection.getresponse()
                    body = response.read()
                except (OSError, HTTPException):
                    failures += 1
                    if failures > MOST_FAILURES:
                        raise
                    connection.close()
                    continue
                failures = 0
                after = int(database.execute(check.sql).fetchone()[0])
                headers = {name.lower(): value for name, value in response.getheaders()}
                shown = check.shown(json.loads(body), headers)
                with self._count.lock:
                    self._count.answers += 1
                    if not before <= shown <= after:
                        self._count.wrong.append(f"{path}: {shown}, the database had {before} before and {after} after")


class Writer(threading.Thread):
    """Raises the numbers one after another, and has workers replaced."""

    def __init__(self, served: Served, ids: dict[str, int], count: Count) -> None:
        super().__init__(daemon=True)
        self._served, self._ids, self._count = served, ids, count

    def run(self) -> None:
        """Write until told to stop, a pause after each."""
        number = 1
        while not self._count.stop.is_set():
            number += 1
            for path, body in self._writes(number):
                self._write(path, body)
                time.sleep(0.02)
            if number % ROUNDS == 0:
                self._served.replace_workers()
                time.sleep(PAUSE)

    def _write(self, path: str, body: dict[str, Any]) -> None:
        connection = HTTPConnection("127.0.0.1", self._served.port)
        connection.request("POST", path, json.dumps(body), {
            "Authorization": basic(*LOGIN), "Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read()
        connection.close()
        if response.status not in (200, 201):
            self._count.wrong.append(f"{path}: {response.status} {text[:200]!r}")

    def _writes(self, number: int) -> list[tuple[str, dict[str, Any]]]:
        ids = self._ids
        return [
            (f"/api/cms/v2/posts/{ids['post']}", {"title": str(number)}),
            (f"/api/cms/v2/users/{ids['author']}", {"name": str(number)}),
            ("/api/cms/v2/posts", {"title": "New", "status": "publish", "categories": [ids["category"]]}),
            (f"/api/cms/v2/categories/{ids['category']}", {"name": str(number)}),
            ("/api/cms/v2/settings", {"title": str(number)}),
        ]


def main() -> None:
    """Run until enough answers were checked; exit with 1 where one was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=50_000)
    parser.add_argument("--worker", choices=WORKERS, default="gthread")
    parser.add_argument("--readers", type=int, default=6)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        ids = make_site(folder)
        served = Served(folder, arguments.worker, port, SYNCHRONOUS="normal")
        served.start()
        count = Count()
        readers = [Reader(port, folder / "site.db", checks(ids), count) for _ in range(arguments.readers)]
        writer = Writer(served, ids, count)
        try:
            run(readers, writer, count, arguments.answers)
        finally:
            served.stop()
    for each in count.wrong[:10]:
        print(each, file=sys.stderr)
    print(f"{count.answers} answers, {len(count.wrong)} wrong")
    sys.exit(bool(count.wrong))


def run(readers: list[Reader], writer: Writer, count: Count, wanted: int) -> None:
    """Start the threads, tell how far they are, and end them."""
    for thread in (*readers, writer):
        thread.start()
    while count.answers < wanted and not count.wrong and any(reader.is_alive() for reader in readers):
        time.sleep(2)
        print(f"\r{count.answers} answers", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    count.stop.set()
    for thread in (*readers, writer):
        thread.join(10)


if __name__ == "__main__":
    main()
