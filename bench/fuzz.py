"""Send random requests to every route, method and argument of a site with all bundled plugins, as every role.

    python bench/fuzz.py --requests N --seed S

Told as findings: answers with a 5xx, answers that aren't of their declared shape, text of a request in a statement.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzzing.running import Run


def main() -> int:
    """Run the requests; 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), asked.seed)
        run.send(asked.requests)
        run.close()
    print(f"seed {asked.seed}: {run.sent} requests, {len(run.findings)} findings")
    print("answers:", dict(sorted(run.statuses.items())))
    for kind, times in Counter(finding.kind for finding in run.findings).most_common():
        print(f"{times:6} {kind}: {next(each for each in run.findings if each.kind == kind)}")
    return bool(run.findings)


if __name__ == "__main__":
    sys.exit(main())
