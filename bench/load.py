"""Load a served site with many clients, half of them writing, and hold what they saw against the database.

    python bench/load.py [--seconds 600] [--clients 64] [--worker gthread|asgi]

Told are the statuses, the median and the 99th percentile of reads, and the memory after the first minute and at the
end. Wrong are an answer of 5xx but 503 with Retry-After, more than one of these in 10,000, an acknowledged write that
is not there or is there twice, a 99th percentile above ten times the median, and memory grown by more than a tenth.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from statistics import median, quantiles

from served import WORKERS, Answer, Connection, Served, free_port

from cms.testing import make_client

TEXT = "<p>Some words of a post that is written while others read.</p>\n" * 40
READS = ("/posts", "/posts?_embed", "/posts?search=words", "/posts?slug=kept", "/categories", "/comments", "/media",
         "/posts?categories=1&per_page=5", "/users", "/posts?page=2")
FIRST_MINUTE = 60
SEED = 1


@dataclass
class Seen:
    """What all clients saw."""

    statuses: Counter[int] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    titles: set[str] = field(default_factory=set)
    changes: dict[int, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: threading.Event = field(default_factory=threading.Event)

    def note(self, answer: Answer, what: str) -> None:
        """Count an answer, and keep it where it may not be."""
        with self.lock:
            self.statuses[answer.status] += 1
            if answer.status == 503 and "retry-after" in answer.headers:
                return
            if answer.status >= 400:
                self.wrong.append(f"{what}: {answer.status} {answer.body[:200]!r}")


class Client(threading.Thread):
    """A client that reads or writes in turns."""

    def __init__(self, port: int, number: int, seen: Seen) -> None:
        super().__init__(daemon=True)
        self.seen = seen
        self.number = number
        self._connection = Connection(port)
        self._chance = random.Random(number)

    def run(self) -> None:
        """Send requests until told to stop."""
        count = 0
        while not self.seen.stop.is_set():
            count += 1
            try:
                self.act(count)
            except (OSError, HTTPException) as error:
                with self.seen.lock:
                    self.seen.wrong.append(f"no answer: {error!r}")

    def act(self, count: int) -> None:
        """Read something, and note how long it took."""
        path = self._chance.choice(READS)
        begun = time.perf_counter()
        answer = self.send("GET", path)
        with self.seen.lock:
            self.seen.times.append(time.perf_counter() - begun)
        del answer, count

    def send(self, method: str, path: str, data: object = None) -> Answer:
        """Send a request and note its answer."""
        answer = self._connection.send(method, path, data)
        self.seen.note(answer, f"{method} {path}")
        return answer


class Writer(Client):
    """A client that creates posts, changes each once, and comments on it."""

    def act(self, count: int) -> None:
        """Create, change and comment, each noted once acknowledged."""
        title = f"{self.number}-{count}"
        made = self.send("POST", "/posts", {"title": title, "content": TEXT, "status": "publish"})
        if made.status != 201:
            return
        with self.seen.lock:
            self.seen.titles.add(title)
        id = made.json["id"]
        changed = self.send("POST", f"/posts/{id}", {"excerpt": f"changed {title}"})
        if changed.status == 200:
            with self.seen.lock:
                self.seen.changes[id] = f"changed {title}"
        self.send("POST", "/comments", {"post": id, "content": f"About {title}."})


def lost_or_doubled(folder: Path, seen: Seen) -> list[str]:
    """Return a sentence for each write that was acknowledged and isn't in the database, and for each that is twice."""
    with sqlite3.connect(folder / "site.db", timeout=60) as database:
        titles = Counter(title for (title,) in database.execute("SELECT title FROM content WHERE title LIKE '%-%'"))
        excerpts = dict(database.execute("SELECT id, excerpt FROM content"))
    database.close()
    found = [f"{title} is lost" for title in seen.titles - set(titles)]
    found += [f"{title} is there {number} times" for title, number in titles.items() if number > 1]
    return found + [f"the change of {id} is lost" for id, text in seen.changes.items() if excerpts.get(id) != text]


def judge(seen: Seen, memory: list[int]) -> list[str]:
    """Return a sentence for each bound that was passed."""
    answers = seen.statuses.total()
    found = []
    if seen.statuses[503] * 10_000 > answers:
        found.append(f"{seen.statuses[503]} of {answers} answers were 503")
    slow, usual = quantiles(seen.times, n=100)[98], median(seen.times)
    if slow > 10 * usual:
        found.append(f"the 99th percentile of reads is {slow / usual:.1f} times their median")
    if memory[-1] > memory[0] * 1.1:
        found.append(f"memory grew from {memory[0] / 1e6:.0f} to {memory[-1] / 1e6:.0f} MB")
    return found


def run(folder: Path, arguments: argparse.Namespace) -> Seen:
    """Serve the site and load it; print what was seen."""
    client = make_client(folder)
    for number in range(30):
        client.new("/posts", title=f"Kept {number}", content=TEXT, status="publish", slug="kept")
    client.site.close()
    served = Served(folder, arguments.worker, free_port(), COMMENT_INTERVAL="0", SYNCHRONOUS=arguments.synchronous)
    served.start()
    seen = Seen()
    kinds = [Writer if number % 2 else Client for number in range(arguments.clients)]
    random.Random(SEED).shuffle(kinds)  # in turns, they would share out as readers and writers among two workers
    clients = [kind(served.port, number, seen) for number, kind in enumerate(kinds)]
    for each in clients:
        each.start()
    memory = watch(served, seen, arguments.seconds)
    seen.stop.set()
    for each in clients:
        each.join(60)
    served.stop()
    seen.wrong += lost_or_doubled(folder, seen) + judge(seen, memory)
    print(f"{seen.statuses.total()} answers: {dict(seen.statuses)}, {len(seen.titles)} posts made")
    slow = quantiles(seen.times, n=100)[98]
    print(f"reads: median {median(seen.times) * 1e3:.0f} ms, 99th percentile {slow * 1e3:.0f} ms")
    print(f"memory: {memory[0] / 1e6:.0f} MB after the first minute, {memory[-1] / 1e6:.0f} MB at the end")
    return seen


def watch(served: Served, seen: Seen, seconds: int) -> list[int]:
    """Let the load run, and return the memory after the first minute, then every few seconds."""
    memory = []
    begun = time.monotonic()
    while (passed := time.monotonic() - begun) < seconds:
        time.sleep(min(5, seconds / 10))
        if passed >= min(FIRST_MINUTE, seconds / 2):
            memory.append(served.memory())
        print(f"\r{passed:.0f} s, {seen.statuses.total()} answers, {len(seen.wrong)} wrong", end="", file=sys.stderr)
    print(file=sys.stderr)
    return memory


def main() -> None:
    """Run, and exit with 1 where a bound was passed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--worker", choices=WORKERS, default="gthread")
    parser.add_argument("--synchronous", choices=("full", "normal"), default="full")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        seen = run(Path(name), arguments)
    for each in seen.wrong[:20]:
        print(each, file=sys.stderr)
    print(f"{len(seen.wrong)} wrong")
    sys.exit(bool(seen.wrong))


if __name__ == "__main__":
    main()
