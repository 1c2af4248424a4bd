"""Back a served site up and restore it, again and again, while clients write: nothing acknowledged before may be lost.

    python bench/backups.py [--rounds 50] [--clients 32] [--worker gthread|asgi]

In each round a backup is made by the command and restored into the running site. Then every post and file that was
acknowledged before the backup began has to be there, every id given out once, and the database whole; each process
has to answer with what was restored. `cms restore --check` looks through every archive too.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from served import LOGIN, WORKERS, Served, free_port

from cms.testing import basic, make_client

#: Every so many writes a client sends a file.
FILES_EVERY = 10


@dataclass
class Record:
    """What was acknowledged, by all clients."""

    port: int
    pause: float = 0.3
    titles: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    ids: Counter[int] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: threading.Event = field(default_factory=threading.Event)

    def begin(self, titles: set[str], files: dict[str, bytes]) -> None:
        """Count from here: the site holds these."""
        with self.lock:
            self.titles, self.files = sorted(titles), dict(files)

    def repeated(self) -> list[str]:
        """Return which ids were given out more than once."""
        with self.lock:
            return [f"the id {id} was given out {times} times" for id, times in self.ids.items() if times > 1]

    def state(self) -> tuple[set[str], dict[str, bytes]]:
        """Return what was acknowledged until now."""
        with self.lock:
            return set(self.titles), dict(self.files)


class Client(threading.Thread):
    """Writes posts, and files now and then."""

    def __init__(self, number: int, record: Record) -> None:
        super().__init__(daemon=True)
        self._number, self._record = number, record

    def run(self) -> None:
        """Write until told to stop."""
        count = 0
        while not self._record.stop.is_set():
            count += 1
            name = f"{self._number}-{count}"
            try:
                if count % FILES_EVERY:
                    self._write_post(name)
                else:
                    self._write_file(name)
            except OSError as error:
                self._record.refused[type(error).__name__] += 1
            time.sleep(self._record.pause)

    def _write_post(self, name: str) -> None:
        made = self._send("/posts", json.dumps({"title": name, "status": "publish"}).encode(), {
            "Content-Type": "application/json"})
        if made:
            with self._record.lock:
                self._record.titles.append(name)
                self._record.ids[made["id"]] += 1

    def _write_file(self, name: str) -> None:
        data = f"The file {name}.\n".encode() * 100
        made = self._send("/media", data, {
            "Content-Type": "text/plain", "Content-Disposition": f'attachment; filename="{name}.txt"'})
        if made:
            with self._record.lock:
                self._record.files[made["source_url"].partition("/uploads/")[2]] = data
                self._record.ids[made["id"]] += 1

    def _send(self, path: str, body: bytes, headers: dict[str, str]) -> dict[str, Any] | None:
        connection = HTTPConnection("127.0.0.1", self._record.port, timeout=60)
        with closing(connection):
            connection.request("POST", f"/api/cms/v2{path}", body, {"Authorization": basic(*LOGIN), **headers})
            response = connection.getresponse()
            text = response.read()
        if response.status == 201:
            return dict(json.loads(text))
        self._record.refused[f"{response.status} {text[:80].decode()}"] += 1
        return None


def command(folder: Path, *arguments: str) -> Any:
    """Run the command and return what it tells."""
    environ = {**os.environ, "CMS_INSTANCE": str(folder), "CMS_PASSWORD_COST": "low", "CMS_SYNCHRONOUS": "normal"}
    done = subprocess.run([sys.executable, "-m", "cms.cli", *arguments, "--json"], env=environ, capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{arguments} failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def faults(folder: Path, record: Record, titles: set[str], files: dict[str, bytes]) -> list[str]:
    """Return what is wrong with the site after a restore: what should be there and isn't."""
    found = []
    with closing(sqlite3.connect(folder / "site.db")) as database:
        there = {title for (title,) in database.execute("SELECT title FROM content WHERE type = 'post'")}
        keys = {key for (key,) in database.execute("SELECT file FROM media WHERE file <> ''")}
        whole = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
    found += [f"the post {title} is lost" for title in sorted(titles - there)]
    found += [f"the file {key} is lost" for key in sorted(files.keys() - keys)]
    if whole != "ok":
        found.append(f"the database is damaged: {whole}")
    for key in random.sample(sorted(files), min(20, len(files))):
        status, body = read(record.port, f"/uploads/{key}")
        if status != 200 or body != files[key]:
            found.append(f"/uploads/{key} answers {status} with {len(body)} bytes")
    for title in random.sample(sorted(titles), min(20, len(titles))):
        status, body = read(record.port, f"/api/cms/v2/posts?slug={title}&_fields=title")
        if status != 200 or [each["title"]["rendered"] for each in json.loads(body)] != [title]:
            found.append(f"the post {title} isn't answered: {status} {body[:100]!r}")
    found += record.repeated()
    return found


def read(port: int, path: str) -> tuple[int, bytes]:
    """Read an address as a visitor."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()


def held(folder: Path) -> tuple[set[str], dict[str, bytes]]:
    """Return the titles of the posts that a site holds, and its files."""
    with closing(sqlite3.connect(folder / "site.db")) as database:
        titles = {title for (title,) in database.execute("SELECT title FROM content WHERE type = 'post'")}
        keys = [key for (key,) in database.execute("SELECT file FROM media WHERE file <> ''")]
    return titles, {key: (folder / "uploads" / key).read_bytes() for key in keys}


def one_round(folder: Path, archives: Path, record: Record) -> list[str]:
    """Back up, restore, and return what is wrong."""
    time.sleep(0.5)
    titles, files = record.state()
    archive = command(folder, "backup", str(archives))["file"]
    kept = command(folder, "restore", archive)["kept"]
    present = held(folder)
    wrong = faults(folder, record, titles, files)
    # What was written between the restore and the look at it is in both, so that nothing is asked of what was lost.
    record.begin(*present)
    command(folder, "restore", archive, "--check")
    command(folder, "backup", "verify", kept)
    for path in (archive, kept):
        os.unlink(path)
    return wrong


def main() -> None:
    """Run all rounds; exit with 1 where one was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--worker", choices=WORKERS, default="gthread")
    parser.add_argument("--pause", type=float, default=0.3, help="seconds of a client between two writes")
    arguments = parser.parse_args()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder, archives = Path(name) / "site", Path(name) / "archives"
        folder.mkdir()
        make_client(folder).close()
        record = Record(free_port(), arguments.pause)
        served = Served(folder, arguments.worker, record.port, SYNCHRONOUS="normal")
        served.start()
        clients = [Client(number, record) for number in range(arguments.clients)]
        try:
            for client in clients:
                client.start()
            for number in range(1, arguments.rounds + 1):
                wrong += [f"round {number}: {each}" for each in one_round(folder, archives, record)]
                print(f"\rround {number}, {len(record.ids)} writes", end="", file=sys.stderr, flush=True)
        finally:
            record.stop.set()
            for client in clients:
                client.join(30)
            served.stop()
    for each in [*wrong[:10], *(f"refused {times} times: {reason}" for reason, times in record.refused.items())]:
        print(each, file=sys.stderr)
    print(f"{arguments.rounds} backups restored, {len(record.ids)} writes, {sum(record.refused.values())} refused, "
          f"{len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
