"""What types declared in files cost: processor time of a start, a list and a new post, with types against without.

    python bench/declared_types.py [--types 100] [--fields 50] [--rounds 7] [--requests 20]

Starts run in processes of their own, requests in one process; the two sites take turns.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from click.testing import CliRunner
from werkzeug.test import create_environ

from cms.cli import main as command
from cms.testing import Client, make_client

KINDS = ("text", "integer", "number", "boolean", "date", "html", "url", "email", "colour", "long_text")
START = """
import sys, time
import cms.app, cms.cli
begun = time.process_time()
cms.create_app(instance=sys.argv[1], config={"background": False})
print(time.process_time() - begun)
"""


def type_file(number: int, fields: int) -> str:
    """Return a type whose first two fields can be filtered and sorted by."""
    lines = [f'[type]\nname = "type{number}"\nbase = "types-{number}"\nlabel = "Type {number}"\n']
    for each in range(fields):
        lines.append(f'[[field]]\nname = "field_{each}"\nkind = "{KINDS[each % len(KINDS)]}"\nlabel = "Field {each}"')
        if each < 2:
            lines.append("filterable = true\nsortable = true")
    return "\n".join(lines) + "\n"


def make_site(folder: Path, types: int, fields: int) -> Client:
    """Make a site with some types and a few posts."""
    folder.mkdir()
    make_client(folder, background=False).close()
    (folder / "types").mkdir()
    for number in range(types):
        (folder / "types" / f"type{number}.toml").write_text(type_file(number, fields), encoding="utf-8")
    done = CliRunner().invoke(command, ["--instance", str(folder), "migrate"])
    assert done.exit_code == 0, done.output
    client = make_client(folder, background=False, answer_cache=0)
    for number in range(50):
        client.new("/posts", title=f"Post {number}", status="publish", content="<p>Some words.</p>")
    return client


def start(client: Client) -> float:
    """Return the processor time of a start, without that of imports."""
    arguments = [sys.executable, "-c", START, str(client.site.config.instance)]
    return float(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)


def read(client: Client) -> None:
    """Read a list, past all test clients."""
    answer = client.app.wsgi_app(create_environ("/api/cms/v2/posts"), lambda status, headers, exc_info=None: None)
    b"".join(answer)


def create(client: Client) -> None:
    """Make a post."""
    client.new("/posts", title="News", status="publish", content="<p>Some words.</p>")


def timed(do: Callable[[Client], None], times: int) -> Callable[[Client], float]:
    """Return what gives the processor time that something takes on average."""

    def run(client: Client) -> float:
        begun = time.process_time()
        for _number in range(times):
            do(client)
        return (time.process_time() - begun) / times

    return run


def compare(what: Callable[[Client], float], without: Client, with_: Client, rounds: int) -> dict[str, float]:
    """Measure both sites in turns and return milliseconds and the median of the rounds' ratios."""
    pairs = [(what(without) * 1_000, what(with_) * 1_000) for _round in range(rounds)]
    return {
        "without": round(min(first for first, _second in pairs), 2),
        "with": round(min(second for _first, second in pairs), 2),
        "ratio": round(median(second / first for first, second in pairs), 3),
        "more": round(median(second - first for first, second in pairs), 2),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("types", 100), ("fields", 50), ("rounds", 7), ("requests", 20)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        without = make_site(Path(folder) / "without", 0, 0)
        with_ = make_site(Path(folder) / "with", given.types, given.fields)
        for do in (read, create):
            timed(do, 5)(without), timed(do, 5)(with_)
        measured = {"start": start, "list": timed(read, given.requests), "create": timed(create, given.requests)}
        found = {name: compare(what, without, with_, given.rounds) for name, what in measured.items()}
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
