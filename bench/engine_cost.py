"""What requests cost a site on PostgreSQL, beside the same site in a file: processor time, both served in one run.

    python tests/postgres_server.py -- python bench/engine_cost.py [--worker gthread|asgi] [--rounds 5] [--seconds 1]
                                                                   [--only item,list] [--site FOLDER] [--json]

A site of 1,000 posts (make_site.py) is served as `cms serve` does, and what `cms copy` makes of it on the server; no
answer is kept. Both are asked in turns. Told are milliseconds, medians of the rounds: in a file, on PostgreSQL those of
the site's own processes, and with all of the server's; ratios are those of the same round. FOLDER keeps the site.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import psycopg
from processes import seconds_of
from request_cost import Work, made_site, parser_for, wanted_works
from servers import Server, environ_of, start_site

DATABASE = "engine_cost"
CREATE = f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
SETTINGS = {"CMS_REQUEST_LOG": "off", "CMS_PASSWORD_COST": "low", "CMS_ANSWER_CACHE": "0"}


def make_sites(kept: Path | None, folder: Path, server: str) -> tuple[Path, Path]:
    """Return a site in a file, and the same on the server, whose database is made anew."""
    in_file, on_server = folder / "file", folder / "server"
    shutil.copytree(made_site(kept, folder), in_file)
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE}")
        connection.execute(CREATE)
    copy = [sys.executable, "-m", "cms.cli", "--instance", str(in_file), "copy", "--to", f"{server}/{DATABASE}"]
    subprocess.run(copy, env=environ_of(), check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(in_file, on_server, ignore=shutil.ignore_patterns("site.db*"))
    return in_file, on_server


def first_process(server: str) -> int:
    """Return the id of the server's first process, which has started those that answer."""
    with psycopg.connect(f"{server}/{DATABASE}") as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
        # Its own process ends with the connection.
        return int(Path(f"/proc/{row[0]}/stat").read_text().rsplit(")", 1)[1].split()[1])


def measure(site: Server, server: int | None, work: Work, seconds: int) -> tuple[float, float]:
    """Return the milliseconds that a request takes of the site's processes, and of the server's, 0.0 without one."""
    begun = site.seconds(), seconds_of(server) if server else 0.0
    if work.body:
        answers = site.write(work.path, work.bodies(), work.headers)
    else:
        answers = site.read(work.path, seconds, work.headers)
    taken = site.seconds() - begun[0], seconds_of(server) - begun[1] if server else 0.0
    return taken[0] / answers * 1_000, taken[1] / answers * 1_000


def compare(in_file: Server, on_server: Server, server: int, work: Work, given: argparse.Namespace) -> dict[str, float]:
    """Return the medians and ratios of one request."""
    costs: list[tuple[float, float, float]] = []
    for number in range(given.rounds + 1):
        alone, _none = measure(in_file, None, work, given.seconds)
        own, servers = measure(on_server, server, work, given.seconds)
        if number:  # the first round fills what stays
            costs.append((alone, own, own + servers))
    found = {name: round(median(column), 3) for name, column in zip(("file", "site", "both"), zip(*costs, strict=True),
                                                                    strict=True)}
    found["site/file"] = round(median(own / alone for alone, own, _both in costs), 2)
    found["both/file"] = round(median(both / alone for alone, _own, both in costs), 2)
    return found


def main() -> None:
    """Measure and print."""
    parser = parser_for(__doc__ or "")
    given = parser.parse_args()
    address = os.environ.get("CMS_TEST_DATABASE")
    if address is None:
        parser.error("CMS_TEST_DATABASE names no server: run it by tests/postgres_server.py")
    with tempfile.TemporaryDirectory() as name:
        in_file, on_server = make_sites(given.site, Path(name), address)
        served: list[Server] = []
        try:
            served.append(start_site(in_file, given.worker, **SETTINGS))
            served.append(start_site(on_server, given.worker, CMS_DATABASE=f"{address}/{DATABASE}", **SETTINGS))
            run(served[0], served[1], first_process(address), given)
        finally:
            for server in served:
                server.stop()


def run(in_file: Server, on_server: Server, server: int, given: argparse.Namespace) -> None:
    """Measure what is wanted, and print a row or a line of JSON for each."""
    if not given.json:
        print("| request, ms | file | PostgreSQL | ratio | with the server | ratio |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, work in wanted_works(given).items():
        found = compare(in_file, on_server, server, work, given)
        if given.json:
            print(json.dumps({"request": name, **found}), flush=True)
        else:
            cells = [f"{found[key]:.2f}" for key in ("file", "site", "site/file", "both", "both/file")]
            print(f"| {name} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
