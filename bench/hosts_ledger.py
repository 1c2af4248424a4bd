"""Who writes and reads while `hosts.py` kills hosts, restarts PostgreSQL and cuts links, and what was acknowledged."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from hosts_network import FRONT
from hosts_site import Site, ask
from served import Answer

#: How long it takes at most until a planned post is due, in seconds.
AHEAD = 2


@dataclass
class Ledger:
    """What was sent and answered, by all threads."""

    #: Titles by what became of them: acknowledged, or unsure.
    posts: dict[str, int] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    planned: dict[str, int] = field(default_factory=dict)
    #: The last number that a change of a title was acknowledged with, and the last one that was sent.
    changed: dict[str, tuple[int, int]] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def judge(self, what: str, answer: Answer) -> bool:
        """Note an answer, and return whether it is a success; others have to be 503 with Retry-After."""
        status = answer.status
        with self.lock:
            self.answers[f"{what} {status}"] += 1
            if status in (200, 201):
                return True
            if not (status == 503 and "retry-after" in answer.headers):
                self.wrong.append(f"{what}: {status} {answer.headers.get('retry-after')} {answer.body[:100]!r}")
        return False

    def broken(self, what: str, error: Exception) -> None:
        """Note that no answer came: nginx is there all the time."""
        with self.lock:
            self.wrong.append(f"{what}: {type(error).__name__} {error}")


class Writer(threading.Thread):
    """Creates posts of titles that nobody else has, changes them, and plans others, through nginx."""

    def __init__(self, number: int, ledger: Ledger) -> None:
        super().__init__(daemon=True)
        self._number, self._ledger, self._count = number, ledger, 0

    def run(self) -> None:
        """Write until told to stop; nothing is sent twice."""
        while not self._ledger.stop.is_set():
            self._count += 1
            title = f"w{self._number}-{self._count}"
            id = self._create(title, {"status": "publish"}, self._ledger.posts)
            for number in (1, 2):
                if id is not None:
                    self._change(id, title, number)
            due = datetime.now(UTC) + timedelta(seconds=AHEAD)
            planned = {"status": "future", "date_gmt": due.isoformat(timespec="seconds")[:19]}
            self._create(f"p{self._number}-{self._count}", planned, self._ledger.planned)
            time.sleep(0.05)

    def _create(self, title: str, fields: dict[str, Any], made: dict[str, int]) -> int | None:
        with self._ledger.lock:
            self._ledger.unsure.add(title)
        answer = self._send("/api/cms/v2/posts", {"title": title, "slug": title, "content": "0", **fields})
        if answer is None or not self._ledger.judge("create", answer):
            return None
        with self._ledger.lock:
            self._ledger.unsure.discard(title)
            made[title] = answer.json["id"]
        return int(answer.json["id"])

    def _change(self, id: int, title: str, number: int) -> None:
        known = self._ledger.changed.get(title, (0, 0))
        self._ledger.changed[title] = (known[0], number)
        answer = self._send(f"/api/cms/v2/posts/{id}", {"content": str(number)})
        if answer is not None and self._ledger.judge("change", answer):
            self._ledger.changed[title] = (number, number)

    def _send(self, path: str, body: dict[str, Any]) -> Answer | None:
        try:
            return ask(f"{FRONT}.1", "POST", path, body, port=80)
        except (OSError, HTTPException) as error:
            self._ledger.broken(path, error)
            return None


class Visitor(threading.Thread):
    """Reads through nginx."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(daemon=True)
        self._ledger = ledger

    def run(self) -> None:
        """Read until told to stop."""
        while not self._ledger.stop.is_set():
            for path in ("/api/cms/v2/posts?per_page=3", "/api/"):
                try:
                    self._ledger.judge("read", ask(f"{FRONT}.1", "GET", path, port=80))
                except (OSError, HTTPException) as error:
                    self._ledger.broken(path, error)
            time.sleep(0.03)


class Receiver(ThreadingHTTPServer):
    """Takes webhooks, and remembers which events were told of each item, and how often."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((f"{FRONT}.1", 0), _Handler)
        self.events: dict[int, set[int]] = {}
        self.told = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def place(self) -> str:
        """Host and port."""
        return f"{FRONT}.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        """Note an event and say that it came."""
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.told += 1
            self.server.events.setdefault(event["item"], set()).add(event["event_id"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def check(site: Site, ledger: Ledger) -> list[str]:
    """Return what of the acknowledged isn't in the database once, as it was acknowledged, and what nobody sent."""
    wrong = []
    with site.connect() as connection:
        written = "SELECT id, title, slug, content FROM content WHERE type = 'post' AND title ~ '^[wp][0-9]+-[0-9]+$'"
        rows = connection.execute(written).fetchall()
    found = {title: (id, slug, content) for id, title, slug, content in rows}
    times = Counter(row[1] for row in rows)
    for title, number in times.items():
        if title not in ledger.unsure and title not in ledger.posts and title not in ledger.planned:
            wrong.append(f"{title} was sent by nobody")
        elif number > 1 or found[title][1] != title:
            wrong.append(f"{title} is there {number} times, as {found[title][1]}")
    for title, id in {**ledger.posts, **ledger.planned}.items():
        if title not in found or found[title][0] != id:
            wrong.append(f"{title} is lost: acknowledged as {id}")
    for title, (acknowledged, sent) in ledger.changed.items():
        content = int(found[title][2]) if title in found else -1
        if not acknowledged <= content <= sent:
            wrong.append(f"{title} has {content}, acknowledged was {acknowledged} of {sent}")
    return wrong


def untold(ledger: Ledger, receiver: Receiver) -> list[str]:
    """Return which acknowledged posts no event was received of."""
    with receiver.lock:
        return [title for title, id in {**ledger.posts, **ledger.planned}.items() if id not in receiver.events]


def check_events(site: Site, ledger: Ledger, receiver: Receiver) -> list[str]:
    """Return which planned posts weren't published once and told of once."""
    wrong = [f"{title} wasn't told of" for title in untold(ledger, receiver)]
    with receiver.lock:
        for id, events in receiver.events.items():
            if len(events) > 1:
                wrong.append(f"the post {id} has {len(events)} events")
    with site.connect() as connection:
        late = "SELECT title, status FROM content WHERE type = 'post' AND status <> 'publish'"
        rows = connection.execute(late).fetchall()
    return wrong + [f"{title} is {status}" for title, status in rows]
