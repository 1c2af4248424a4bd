"""Measure imports and exports of a large site: time, and memory over a process that does nothing.

    python bench/transfer.py [ITEMS]

Makes a file of ITEMS (100,000) with `make_export.py`, imports it into an empty site, exports that, and imports the
export into another empty site, each step as a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from make_export import write_export

CMS = (sys.executable, "-m", "cms.cli")
MEGABYTE = 1_000_000


def run(folder: Path, *arguments: str) -> tuple[float, float, int]:
    """Run a command on the site of a folder and return its seconds, those of the processor, and its most memory."""
    begun = time.monotonic()
    with Path(os.devnull).open("wb") as nowhere:
        process = subprocess.Popen([*CMS, "--instance", str(folder), *arguments], stdout=nowhere)
        _pid, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{arguments} ended with {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def main() -> None:
    """Print a line for each step."""
    items = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second, made, moved = folder / "first", folder / "second", folder / "made.xml", folder / "moved.xml"
        with made.open("w", encoding="utf-8") as file:
            write_export(file, items)
        for site in (first, second):
            run(site, "init", "--json")
        idle = run(first, "user", "list")[2]
        print(f"{items} items, {made.stat().st_size / MEGABYTE:.0f} MB; a process that does nothing: "
              f"{idle / MEGABYTE:.0f} MB")
        for site, arguments in ((first, ("import", str(made), "--no-media")), (first, ("export", str(moved))),
                                (second, ("import", str(moved), "--no-media"))):
            seconds, busy, peak = run(site, *arguments)
            print(f"{arguments[0]:8} {seconds:6.0f} s, {busy:6.0f} s of the processor, {items / busy:6.0f} items/s, "
                  f"{(peak - idle) / MEGABYTE:4.0f} MB over idle", flush=True)


if __name__ == "__main__":
    main()
