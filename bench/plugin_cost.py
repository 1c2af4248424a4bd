"""What plugins cost a list: processor time of `GET /posts` with some of them against none, in one process, in turns.

    python bench/plugin_cost.py [--plugins seo,menus,webhooks,events,wp_compat] [--rounds 30] [--requests 100]
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from werkzeug.test import create_environ

from cms.testing import Client, make_client

PATH = "/api/cms/v2/posts"
TEXT = "<p>Some words about the sea, the harbour and the boats in it.</p>\n\n" * 45


def seed(folder: Path, plugins: list[str]) -> Client:
    """Make a site with posts that differ in author and terms."""
    client = make_client(folder, plugins=plugins, background=False)
    categories = [client.new("/categories", name=f"Category {number}")["id"] for number in range(20)]
    for number in range(200):
        client.new("/posts", title=f"Post {number}", content=TEXT, status="publish",
                   categories=[categories[number % 20]], author=client.id_of(f"author{number % 5}"))
    return client


def ask(client: Client, times: int) -> float:
    """Send a request some times, past all test clients, and return the processor time of one in milliseconds."""
    application = client.app.wsgi_app

    def start(status: str, headers: Any, exc_info: Any = None) -> Any:
        assert status == "200 OK", status

    begun = time.process_time()
    for _number in range(times):
        answer = application(create_environ(PATH), start)
        b"".join(answer)
        answer.close()
    return (time.process_time() - begun) / times * 1_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugins", default="seo,menus,webhooks,events,wp_compat")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--requests", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sites = {}
        for name, plugins in (("none", []), ("plugins", given.plugins.split(","))):
            (place := Path(folder) / name).mkdir()
            sites[name] = seed(place, plugins)
        for client in sites.values():
            ask(client, given.requests)
        times: dict[str, list[float]] = {name: [] for name in sites}
        for _round in range(given.rounds):
            for name, client in sites.items():
                times[name].append(ask(client, given.requests))
        told = {name: {"best": round(min(found), 3), "median": round(median(found), 3),
                       "statements": len(sites[name].statements(lambda name=name: sites[name].http.get(PATH)))}  # type: ignore[misc]
                for name, found in times.items()}
        ratios = [with_ / without for without, with_ in zip(times["none"], times["plugins"], strict=True)]
        print(json.dumps({**told, "ratio of each round": {"median": round(median(ratios), 3)},
                          "ratio of the best": round(min(times["plugins"]) / min(times["none"]), 3)}, indent=2))
        for client in sites.values():
            client.close()


if __name__ == "__main__":
    main()
