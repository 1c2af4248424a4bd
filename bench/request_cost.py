"""What requests cost: processor time of a served site for each, beside two limits served in the same run.

    python bench/request_cost.py [--worker gthread|asgi] [--cache on|off] [--log on|off] [--rounds 5] [--seconds 1]
                                 [--only item,list] [--site FOLDER] [--json]

A site of 1,000 posts (make_site.py) is served as `cms serve` does. The limits are those of limits.py: `raw`, and
for reads `ready`. Servers are asked in turns; told are medians of the rounds, ratios those of the same round. FOLDER
keeps the site for the next run.
"""

from __future__ import annotations

import argparse
import base64
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median

from limits import make_database
from make_site import PASSWORD, WORD
from servers import API, HERE, Server, environ_of, start_limit, start_site

SIGN_IN = {"Authorization": "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode()}
JSON = {**SIGN_IN, "Content-Type": "application/json"}
#: A post and a category.
IDS = 501, 2
#: How many writes a round has: processor time is counted in hundredths of a second.
WRITES = 200
#: What stands for a number of its own in each body: posts of one title would look for a free slug one after another.
NUMBER = b"NUMBER"
NUMBERS = count(1)
BODY = json.dumps({"title": "New post NUMBER", "content": "<p>Some words of a new post, about the harbour.</p>\n" * 60,
                   "status": "publish"}).encode()
PICTURE = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")


@dataclass(frozen=True)
class Work:
    """A request that is measured: a read, or with a body a write."""

    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def bodies(self) -> list[bytes]:
        """Return what the writes of a round send."""
        return [self.body.replace(NUMBER, b"%d" % next(NUMBERS)) for _write in range(WRITES)]


def works(post: int, category: int) -> dict[str, Work]:
    """Return all requests by their names."""
    posts = f"{API}/posts"
    upload = {**SIGN_IN, "Content-Type": "image/gif", "Content-Disposition": 'attachment; filename="a.gif"'}
    return {
        "item": Work(f"{posts}/{post}"),
        "list": Work(posts),
        "list of 100": Work(f"{posts}?per_page=100"),
        "slug": Work(f"{posts}?slug=post-501-of-bench"),
        "category": Work(f"{posts}?categories={category}"),
        "search": Work(f"{posts}?search={WORD}"),
        "last page": Work(f"{posts}?page=95"),
        "_embed": Work(f"{posts}?_embed"),
        "_fields": Work(f"{posts}?_fields=id,title"),
        "edit context": Work(f"{posts}?context=edit", SIGN_IN),
        "categories": Work(f"{API}/categories"),
        "comments": Work(f"{API}/comments?post={post}"),
        "discovery": Work("/api/"),
        "create": Work(posts, JSON, BODY),
        "update": Work(f"{posts}/{post}", JSON, b'{"title": "Another title NUMBER"}'),
        "upload": Work(f"{API}/media", upload, PICTURE),
    }


def measure(server: Server, work: Work, seconds: int) -> float:
    """Return the milliseconds of the processor that a request takes."""
    begun = server.seconds()
    if work.body:
        answers = server.write(work.path, work.bodies(), work.headers)
    else:
        answers = server.read(work.path, seconds, work.headers)
    return (server.seconds() - begun) / answers * 1_000


def measure_all(servers: dict[str, Server], wanted: dict[str, Work], rounds: int, seconds: int,
                tell: Callable[[str, dict[str, list[float]]], None]) -> None:
    """Measure each request on all servers in turns, and tell of it."""
    for name, work in wanted.items():
        asked = {key: server for key, server in servers.items() if key != "ready" or not work.body}
        found: dict[str, list[float]] = {key: [] for key in asked}
        for number in range(rounds + 1):
            for key, server in asked.items():
                cost = measure(server, work, seconds)
                if number:  # the first round fills what stays
                    found[key].append(cost)
        tell(name, found)


def summary(found: dict[str, list[float]]) -> dict[str, float]:
    """Return the medians, and those of the ratios to each limit."""
    told = {name: round(median(costs), 3) for name, costs in found.items()}
    for name in found.keys() - {"site"}:
        ratios = [mine / other for mine, other in zip(found["site"], found[name], strict=True) if other]
        told[f"site/{name}"] = round(median(ratios), 2) if ratios else 0.0
    return told


def tell_row(name: str, found: dict[str, list[float]]) -> None:
    """Print a row of the table."""
    told = summary(found)
    cells = [f"{told[key]:.2f}" if key in told else "" for key in ("site", "raw", "site/raw", "ready", "site/ready")]
    print(f"| {name} |", " | ".join(cells), "|", flush=True)


def tell_json(name: str, found: dict[str, list[float]]) -> None:
    """Print a line of JSON."""
    print(json.dumps({"request": name, **summary(found)}), flush=True)


def prepare(kept: Path | None, folder: Path) -> tuple[Path, Path]:
    """Return a copy of a site of 1,000 posts, and the database of the limits."""
    shutil.copytree(made_site(kept, folder), folder / "site")
    (folder / "limits").mkdir()
    make_database(folder / "site" / "site.db", folder / "limits" / "limits.db")
    return folder / "site", folder / "limits" / "limits.db"


def keep_answers(site: Server, file: Path) -> None:
    """Write what the site answers to reads into a file."""
    reads = [work for work in works(*IDS).values() if not work.body]
    file.write_text(json.dumps({work.path: site.get(work.path, work.headers) for work in reads}))


def parser_for(about: str) -> argparse.ArgumentParser:
    """Return a parser of what a measurement of requests is asked for."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", choices=("gthread", "asgi"), default="gthread")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--site", type=Path)
    parser.add_argument("--json", action="store_true")
    return parser


def wanted_works(given: argparse.Namespace) -> dict[str, Work]:
    """Return the requests that are asked for, all without a choice."""
    every = works(*IDS)
    return {name: every[name] for name in given.only.split(",")} if given.only else every


def made_site(kept: Path | None, folder: Path) -> Path:
    """Return a site of 1,000 posts, which is made where it isn't there."""
    source = kept or folder / "made"
    if not source.exists():
        make = [sys.executable, str(HERE / "make_site.py"), str(source), "1000"]
        subprocess.run(make, env=environ_of(), check=True, stderr=subprocess.DEVNULL)
    return source


def main() -> None:
    """Measure and print."""
    parser = parser_for(__doc__ or "")
    parser.add_argument("--cache", choices=("on", "off"), default="off")
    parser.add_argument("--log", choices=("on", "off"), default="off")
    given = parser.parse_args()
    settings = {"CMS_REQUEST_LOG": "text" if given.log == "on" else "off", "CMS_PASSWORD_COST": "low"}
    if given.cache == "off":
        settings["CMS_ANSWER_CACHE"] = "0"
    with tempfile.TemporaryDirectory() as name:
        site, limits = prepare(given.site, Path(name))
        servers: dict[str, Server] = {}
        try:
            servers["site"] = start_site(site, given.worker, **settings)
            keep_answers(servers["site"], limits.with_name("answers.json"))
            servers["raw"] = start_limit(limits, "raw", "gthread")
            servers["ready"] = start_limit(limits, "ready", "asgi")
            run(servers, given)
        finally:
            for server in servers.values():
                server.stop()


def run(servers: dict[str, Server], given: argparse.Namespace) -> None:
    """Measure what is wanted of servers that run, then how much memory the site takes."""
    wanted = wanted_works(given)
    if not given.json:
        print("| request, ms | site | `raw` | ratio | `ready` | ratio |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    measure_all(servers, wanted, given.rounds, given.seconds, tell_json if given.json else tell_row)
    print(json.dumps({"megabytes": round(servers["site"].megabytes()), "seconds to the first answer":
                      {name: round(server.started, 2) for name, server in servers.items()}}), file=sys.stderr)


if __name__ == "__main__":
    main()
