"""Send requests that schemathesis makes of the OpenAPI document to every operation of a site with all bundled plugins.

    python bench/openapi.py --requests 20000 --seed S

Told as findings: answers with a 5xx, statuses, types, headers and bodies that the document doesn't declare. Ctrl-C ends
it early and tells what was found by then.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzzing.generated import GeneratedRun

#: How many requests each operation gets between two sites.
EACH = 10


def main() -> int:
    """Run the requests; 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = GeneratedRun(Path(folder), asked.seed)
        number = 0
        with suppress(KeyboardInterrupt):
            while run.sent < asked.requests:
                run.send(EACH, number)
                number += 1
    print(f"seed {asked.seed}: {run.sent} requests, {len(run.findings)} findings")
    print("answers:", dict(sorted(run.statuses.items())))
    for place, text in run.findings.items():
        print(f"--- {place}\n{text}")
    return bool(run.findings)


if __name__ == "__main__":
    sys.exit(main())
