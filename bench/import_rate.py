"""Hold the rate of an import against a bare loop that inserts the same rows, and tell how long others waited to write.

    python bench/import_rate.py [POSTS]

Makes an export of POSTS (10,000) posts of 3 KB and imports it by `cms import` into a site of its own, while a second
process makes a small post in it ten times a second. Then a bare loop inserts the rows that came of it into an empty
database with the same triggers and indexes, by `executemany` in one transaction, and does nothing else.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from make_export import write_posts
from transfer import run

from cms.db.sqlite.functions import PRAGMAS
from cms.rendering.folding import fold

#: Tables of an import whose rows no trigger makes, in the order in which rows may come.
TABLES = ("users", "terms", "content", "content_terms")
#: Makes posts until its input ends, then prints how many, and the longest time that one took, at rest and all in all.
WRITER = """
import sys, threading, time
from pathlib import Path
from cms.assembly import open_site
from cms.config import load_config
site = open_site(load_config(Path(sys.argv[1]), environ={}))
ended, taken = threading.Event(), []
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
while not ended.is_set():
    begun = time.monotonic()
    site.posts.create(user="admin", title="Meanwhile", content="Some text")
    taken.append(time.monotonic() - begun)
    if len(taken) == 1:
        print("ready", flush=True)
    time.sleep(0.1)
print(len(taken), sorted(taken)[len(taken) // 2], max(taken[1:]))
"""


@contextmanager
def writing(folder: Path) -> Iterator[list[str]]:
    """Have a second process write inside; what it has seen is in the list behind."""
    seen: list[str] = []
    command = [sys.executable, "-c", WRITER, str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    yield seen
    seen += process.communicate()[0].split()


def imported_rows(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows that the import has brought, without counts, which triggers make."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE terms SET count = 0")
        found = {table: connection.execute(f"SELECT * FROM {table} WHERE source_site IS NOT NULL").fetchall()
                 for table in TABLES[:3]}
        links = connection.execute("SELECT t.* FROM content_terms t JOIN content c ON c.id = t.content_id "
                                   "WHERE c.source_site IS NOT NULL").fetchall()
    return {**found, "content_terms": links}


def insert_bare(database: Path, rows: dict[str, list[tuple[Any, ...]]]) -> tuple[float, float]:
    """Insert rows as fast as SQLite does; return the seconds, and those of the processor."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.create_function("fold", 1, fold, deterministic=True)
        for name, value in {**PRAGMAS, "synchronous": "full"}.items():
            connection.execute(f"PRAGMA {name} = {value}")
        begun, busy = time.monotonic(), time.process_time()
        connection.execute("BEGIN IMMEDIATE")
        for table in TABLES:
            places = ", ".join("?" * len(rows[table][0]))
            connection.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({places})", rows[table])
        connection.execute("COMMIT")
        return time.monotonic() - begun, time.process_time() - busy


def main() -> None:
    """Print the rates, their ratio, and how long others waited."""
    posts = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site, made = folder / "site", folder / "made.xml"
        with made.open("w", encoding="utf-8") as file:
            write_posts(file, posts)
        run(site, "init", "--json")
        shutil.copy(site / "site.db", folder / "empty.db")
        alone = run_alone(folder, site, made)
        with writing(site) as seen:
            seconds, busy, _peak = run(site, "import", str(made), "--no-media")
        rows = imported_rows(site / "site.db")
        bare = [insert_bare(Path(shutil.copy(folder / "empty.db", folder / f"{n}.db")), rows) for n in range(3)]
        wall, processor = min(each[0] for each in bare), min(each[1] for each in bare)
        print(f"bare loop        {posts / wall:6.0f} posts/s ({wall:.2f} s, {processor:.2f} s of the processor)")
        print(f"cms import       {posts / alone[0]:6.0f} posts/s ({alone[0]:.2f} s, {alone[1]:.2f} s of processors), "
              f"{wall / alone[0]:.3f} of that")
        print(f" beside a writer {posts / seconds:6.0f} posts/s ({seconds:.2f} s, {busy:.2f} s of the processor)")
        print(f"a second process has made {seen[0]} posts meanwhile; the median took {float(seen[1]):.3f} s, "
              f"the longest {float(seen[2]):.3f} s")


def run_alone(folder: Path, site: Path, made: Path) -> tuple[float, float, int]:
    """Import into a copy of the site that nobody writes into; return what `run` does."""
    shutil.copytree(site, folder / "alone")
    return run(folder / "alone", "import", str(made), "--no-media")


if __name__ == "__main__":
    main()
