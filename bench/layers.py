"""Where the time of a request goes, by layer, once gunicorn has read it: a profile of an item, a list and a create.

    python bench/layers.py INSTANCE

INSTANCE is a site of `make_site.py`; no answer is kept. A profiler makes calls dearer than they are, so that shares say
more than times, and the share of C code (SQLite, JSON, HTML) is greater than told.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
from collections import Counter
from itertools import count
from pathlib import Path

from make_site import PASSWORD

from cms.testing.client import URL, Client

SETTINGS = {"url": URL, "password_cost": "low", "synchronous": "normal", "background": False, "answer_cache": 0}
TIMES = {"item": 300, "list": 150, "create": 60}
#: What each layer is recognised by, the first that fits.
LAYERS = {
    "SQLite": ("sqlite3.", "cms/db/", "peewee.py"),
    "Flask, Werkzeug": ("flask/", "werkzeug/", "http/", "urllib/parse"),
    "arguments": ("cms/schema/", "marshmallow/", "cms/api/request.py", "cms/api/query_options.py"),
    "who asks, what is allowed": ("cms/access/", "cms/operations/permissions", "cms/operations/visibility"),
    "headers, bytes": ("cms/api/", "orjson", "blake2"),
    "HTML": ("cms/rendering/", "nh3", "html/", "re/"),
    "what an item is": ("cms/operations/", "cms/resources/", "cms/hooks/", "cms/call.py", "cms/background/"),
}


def layer_of(file: str, function: str) -> str:
    """Return the layer of a function."""
    name = f"{file}:{function}"
    return next((layer for layer, marks in LAYERS.items() if any(mark in name for mark in marks)), "other")


def profile(client: Client, work: str) -> Counter[str]:
    """Return the share of each layer in the time of a request."""
    numbers, profiler = count(), cProfile.Profile()
    post = client.get("/posts").json[0]["id"]

    def ask() -> None:
        if work == "create":
            fields = {"title": f"New {next(numbers)}", "content": "<p>Words of a new post.</p>\n" * 100}
            client.post("/posts", {**fields, "status": "publish"}, "administrator")
        else:
            client.get(f"/posts/{post}" if work == "item" else "/posts")

    for _number in range(5):
        ask()
    application = client.app.wsgi_app
    client.app.wsgi_app = lambda *given: profiler.runcall(application, *given)
    for _number in range(TIMES[work]):
        ask()
    client.app.wsgi_app = application
    taken: Counter[str] = Counter()
    for (file, _line, function), (_calls, _all, own, _sum, _callers) in pstats.Stats(profiler).stats.items():
        taken[layer_of(file, function)] += own
    return taken


def main() -> None:
    """Measure and print a table."""
    client = Client(Path(sys.argv[1]), SETTINGS, "admin", PASSWORD)
    found = {work: profile(client, work) for work in TIMES}
    print("| Layer |", " | ".join(found), "|\n| --- |", " | ".join("---:" for _work in found), "|")
    for layer in (*LAYERS, "other"):
        shares = (f"{taken[layer] / taken.total():.0%}" for taken in found.values())
        print(f"| {layer} |", " | ".join(shares), "|")
    client.close()


if __name__ == "__main__":
    main()
