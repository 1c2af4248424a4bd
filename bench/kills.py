"""Kill a served site at random moments under a mixed load, and look after each for what was lost.

    python bench/kills.py [--kills 300] [--worker gthread|asgi] [--seed N]

Writers create posts with terms, change them (each change makes a revision), plan posts for the next second, and upload
files; imports run one after another; a receiver takes webhooks. Killed are by turns of chance a worker, the master,
all processes in one moment, and the import. What was answered with 2xx is noted, and must be in the database
afterwards, whole; an import is there whole or not at all. The seed makes the choices, not the moments, repeatable.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from kills_found import Findings
from kills_ledger import Importer, Ledger, Writer
from served import WORKERS, Served, free_port

from cms.testing import make_client

WRITERS, PAUSE = 8, (0.2, 1.5)
#: Seconds that telling may take: a delivery that a kill cut off is tried again after 10, then after 60 seconds.
PATIENCE = 240


class Receiver(ThreadingHTTPServer):
    """Takes webhooks, and remembers which items each event was told of."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.told: dict[str, set[int]] = {}

    @property
    def place(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        """Note an event and say that it came."""
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.told.setdefault(event["event"], set()).add(event["item"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def make_site(folder: Path, receiver: Receiver) -> tuple[int, int]:
    """Make a site that tells the receiver of posts, and return the ids of a category and a tag."""
    client = make_client(folder, plugins=["webhooks"], webhooks={"allow": [receiver.place]})
    hook = {"url": f"http://{receiver.place}/", "events": ["post.published"]}
    client.new("/webhooks", "administrator", **hook)
    category, tag = client.new("/categories", name="Kept")["id"], client.new("/tags", name="Kept")["id"]
    client.site.close()
    config = folder / "config.toml"
    settings = f'plugins = ["webhooks"]\n\n[webhooks]\nallow = ["{receiver.place}"]\n'
    config.write_text(settings, encoding="utf-8")
    return category, tag


def kill(chance: random.Random, served: Served, importer: Importer) -> str:
    """Kill something, see that the site is served again, and return what it was."""
    what = chance.choice(("worker", "worker", "master", "all", "import"))
    if what == "worker":
        served.kill_worker(chance.randrange(2))
    elif what == "import":
        importer.kill()
    else:
        served.kill_master() if what == "master" else served.kill_all()
        served.start()
    return what


def wait_for_timed_work(ledger: Ledger, receiver: Receiver, findings: Findings) -> None:
    """Wait until planned posts are published and all events told, or patience is over."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and findings.untold(ledger, receiver.told):
        time.sleep(0.5)


def run(folder: Path, arguments: argparse.Namespace) -> Findings:
    """Serve, load, kill and check."""
    receiver = Receiver()
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    category, tag = make_site(folder, receiver)
    served = Served(folder, arguments.worker, free_port())
    served.start()
    ledger, chance = Ledger(), random.Random(arguments.seed)
    findings = Findings(folder)
    importer = Importer(folder, ledger)
    writers = [Writer(served.port, number, [category, tag], ledger) for number in range(WRITERS)]
    for thread in (*writers, importer):
        thread.start()
    for number in range(1, arguments.kills + 1):
        time.sleep(chance.uniform(*PAUSE))
        what = kill(chance, served, importer)
        findings.look(ledger.snapshot(), f"kill {number} ({what})")
        said = f"{number} kills, {len(ledger)} writes, {len(findings.wrong)} wrong"
        print(f"\r{said}", end="", file=sys.stderr, flush=True)
        if findings.wrong:
            break
    ledger.stop.set()
    for thread in (*writers, importer):
        thread.join(90)
    wait_for_timed_work(ledger, receiver, findings)
    findings.look_at_all(ledger, receiver.told)
    with suppress(OSError, HTTPException):
        served.stop()
    print(file=sys.stderr)
    print(f"{len(ledger)} acknowledged writes, {ledger.imports} imports, {ledger.broken} requests without an answer")
    return findings


def main() -> None:
    """Run, and exit with 1 where something was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--worker", choices=WORKERS, default="gthread")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        findings = run(Path(name), arguments)
    for each in findings.wrong[:20]:
        print(each, file=sys.stderr)
    print(f"{arguments.kills} kills, seed {arguments.seed}: {len(findings.wrong)} wrong")
    sys.exit(bool(findings.wrong))


if __name__ == "__main__":
    main()
