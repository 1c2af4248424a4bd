"""How the cost of requests grows with a site: the time of each on a small site and on larger ones, in one process.

    python bench/growth.py INSTANCE [INSTANCE ...]

Each INSTANCE is a site of `make_site.py`, the smallest first, or one that `grow_postgres.py` has grown on PostgreSQL,
with the setting that names its database. Flask's test client asks each site in turns; after every tenth request
something is written, so that nothing that is kept in memory holds for long; no answer is kept. Told is the median of
the processor time in milliseconds, that of a server's process included, and its ratio to the first site.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from statistics import median

from make_site import PASSWORD, WORD
from werkzeug.test import TestResponse

from cms.testing.client import URL, Client

SETTINGS = {"url": URL, "password_cost": "low", "synchronous": "normal", "background": False, "comment_interval": 0,
            "answer_cache": 0}
ROUNDS, REQUESTS = 15, 10
#: The process of a server of PostgreSQL that answers the only connection to a database.
SELECT_SESSION = "SELECT pg_backend_pid()"
NUMBERS = count(int(time.time()))
PATHS = {
    "item": "/posts/{item}",
    "slug": "/posts?slug=post-501-of-bench",
    "list": "/posts",
    "`_fields=id,title`": "/posts?_fields=id,title",
    "terms of a post": "/categories?post={item}",
    "category": "/posts?categories={category}",
    "author": "/posts?author={author}",
    "comments of a post": "/comments?post={item}",
    "`_embed`": "/posts?_embed",
    "categories with counts": "/categories?orderby=count&order=desc",
    "search of a rare word": f"/posts?search={WORD}",
    "page 1,000 or the last": "/posts?page={page}",
}


class Site:
    """A site to ask, with the ids that addresses need."""

    def __init__(self, folder: Path) -> None:
        self.client = Client(folder, SETTINGS, "admin", PASSWORD)
        database = self.client.site.database
        self._server = Path("/proc", str(database.scalar(SELECT_SESSION)), "schedstat") if database.server else None
        post = self.client.get("/posts?slug=post-501-of-bench").json[0]
        self.posts = int(self.client.get("/posts").headers["X-WP-Total"])
        pages = min(1_000, self.posts // 10)
        self.names = {"item": post["id"], "category": post["categories"][0], "author": post["author"], "page": pages}

    def ask(self, path: str) -> float:
        """Return the mean time of some requests, of which the first follows a write."""
        address = path.format(**self.names)
        self.client.post("/settings", {"description": str(next(NUMBERS))}, "administrator")
        return self._time(lambda: self.client.get(address), REQUESTS, 200)

    def create(self) -> float:
        """Return the mean time of creating posts."""
        fields = {"title": "New", "content": "<p>Some words of a new post.</p>" * 60, "status": "publish",
                  "date": "2019-06-01T12:00:00", "categories": [self.names["category"]]}

        def send() -> TestResponse:
            return self.client.post("/posts", {**fields, "slug": f"new-{next(NUMBERS)}"}, "administrator")

        return self._time(send, REQUESTS, 201)

    def _time(self, send: Callable[[], TestResponse], times: int, status: int) -> float:
        begun = self._seconds()
        for _number in range(times):
            assert send().status_code == status
        return (self._seconds() - begun) / times * 1_000

    def _seconds(self) -> float:
        """Return the processor time that this process and the server's have taken for the site so far."""
        taken = time.process_time()
        if self._server is not None:
            taken += int(self._server.read_text().split()[0]) / 1e9
        return taken


def measure(sites: list[Site], ask: Callable[[Site], float]) -> list[float]:
    """Return the median time of each site, asked in turns."""
    times: list[list[float]] = [[] for _site in sites]
    for number in range(ROUNDS + 1):
        for found, site in zip(times, sites, strict=True):
            taken = ask(site)
            if number:  # the first round fills what stays
                found.append(taken)
    return [median(found) for found in times]


def main() -> None:
    """Measure and print a table."""
    sites = [Site(Path(name)) for name in sys.argv[1:]]
    print("| Request |", " | ".join(f"{site.posts:,} posts" for site in sites), "| ratios |")
    print("| --- |", " | ".join("---:" for _site in sites), "| ---: |")
    asked = {name: lambda site, path=path: site.ask(path) for name, path in PATHS.items()}
    asked["create"] = Site.create  # last, because it adds to the sites
    for name, ask in asked.items():
        found = measure(sites, ask)
        ratios = ", ".join(f"{each / found[0]:.2f}" for each in found[1:])
        print(f"| {name} |", " | ".join(f"{each:.2f}" for each in found), f"| {ratios} |", flush=True)


if __name__ == "__main__":
    main()
