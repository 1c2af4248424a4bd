"""Ask every route that can show content for every item, as every role and by every alias, and hold it to an oracle.

    python bench/visibility.py --size large --ways 6

Told as wrong: what is shown to somebody who may not see it, what is missing, totals and tags that say more. The oracle
(tests/visibility/oracle.py) is plain Python that asks nothing of the product.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from visibility.checking import Checks
from visibility.world import SIZES, World


def main() -> int:
    """Run the checks; 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="middle")
    parser.add_argument("--step", type=int, default=1, help="ask each so many-th request")
    parser.add_argument("--ways", type=int, default=1, help="by how many of the six aliases each is asked, in turn")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(World(Path(folder) / "site", SIZES[asked.size]))
        checks.run(asked.step, asked.ways)
        checks.sweep(asked.step)
        checks.world.client.close()
    print(f"{checks.cells} cells, {checks.requests} requests, {len(checks.wrong)} wrong")
    for fault in checks.wrong[:50]:
        print(fault)
    return bool(checks.wrong)


if __name__ == "__main__":
    sys.exit(main())
