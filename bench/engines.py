"""Send the same requests to a site in a file and to one on PostgreSQL, as several roles, and compare the answers.

    python tests/postgres_server.py -- python bench/engines.py --requests 10000 --seed 1

Two of three requests are likely ones, the others are random; of both the seed makes the same again. Told is what
differs in status, headers or text, by kind, and then what differs between the rows of both databases.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "conformance"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from engines.running import Run


def main() -> int:
    """Run the requests; 1 where something differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--most", type=int, default=3, help="how many requests are shown of each kind of difference"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), asked.seed)
        run.send(asked.requests)
        run.compare_rows()
        run.close()
    print(f"seed {asked.seed}: {run.sent} requests, {len(run.differences)} differences")
    print("answers:", dict(sorted(run.statuses.items())))
    for kind, times in Counter(each.kind for each in run.differences).most_common():
        print(f"{times:6} {kind}")
        for each in [each for each in run.differences if each.kind == kind][: asked.most]:
            print(f"  {each}")
    return bool(run.differences)


if __name__ == "__main__":
    sys.exit(main())
