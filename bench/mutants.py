"""Change the code by chance, in one place at a time, and see whether the tests notice.

    python bench/mutants.py [--sample 120] [--seed 1] [--modules 'cms/db/*'] [--seconds 120] [--report FILE]
    python bench/mutants.py --again FILE

`bench/mutants_subjects.py` says which modules are changed and which tests have to fail then. No file is changed:
each mutant runs in a process of its own, which imports it in place of the module. Needs the extra `mutation`. The
report has what survived; ends with 1 if anything did.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from mutants_made import read_survivors, sample
from mutants_subjects import Subject, modules_of
from mutants_tried import KILLED, SURVIVED, TIMED_OUT, preload, run

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Try the mutants that are asked for, and write the report."""
    options = _options()
    modules = modules_of(ROOT, options.modules)
    if options.again:
        mutants = read_survivors(ROOT, options.again)
    else:
        mutants = sample(ROOT, modules, options.sample, options.seed)
    if options.number:
        mutants = [mutants[place - 1] for place in options.number]
    preload()
    if not options.trusting:
        _check_tests({modules[mutant.module] for mutant in mutants}, options.seconds)
    results: dict[str, Counter[str]] = defaultdict(Counter)
    with open(options.report, "a") if options.report else sys.stdout as report:
        for place, mutant in enumerate(mutants, 1):
            began = time.monotonic()
            result = run(ROOT, modules[mutant.module], mutant, options.seconds)
            results[mutant.module][result] += 1
            print(
                f"{place:4} {result:9} {time.monotonic() - began:5.0f} s  {mutant.name}", file=report, flush=True
            )
            if result != KILLED:
                print(mutant.diff(ROOT), file=report, flush=True)
        _write_scores(results, report)
    return int(any(counts[SURVIVED] for counts in results.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=120, help="how many mutants; 0 for one of each place")
    parser.add_argument("--seed", type=int, default=1, help="another one chooses other mutants")
    parser.add_argument("--modules", default="*", help="a pattern of paths of modules")
    parser.add_argument("--seconds", type=float, default=120, help="how long the tests of a mutant may take")
    parser.add_argument("--number", type=int, nargs="*", help="only these mutants of the sample")
    parser.add_argument("--again", type=Path, help="those that survived by this report, in place of a sample")
    parser.add_argument("--trusting", action="store_true", help="don't run the tests without a mutant first")
    parser.add_argument("--report", help="a file to add the report to")
    return parser.parse_args()


def _check_tests(subjects: set[Subject], seconds: float) -> None:
    """Exit where tests fail without a mutant: they would seem to kill each one."""
    for subject in subjects:
        if run(ROOT, subject, None, seconds) != SURVIVED:
            sys.exit(f"The tests of {subject.pattern} fail without a mutant, or need more than {seconds} seconds.")


def _write_scores(results: dict[str, Counter[str]], report) -> None:
    total: Counter[str] = Counter()
    print(f"{'':42} mutants killed survived timed out  score", file=report)
    for module, counts in sorted(results.items()):
        total += counts
        print(_score(module, counts), file=report)
    print(_score("all", total), file=report, flush=True)


def _score(name: str, counts: Counter[str]) -> str:
    """Return a line of the table; a test that never ends has noticed the change too."""
    noticed, number = counts[KILLED] + counts[TIMED_OUT], sum(counts.values())
    share = f"{noticed / number:6.0%}"
    return f"{name:42} {number:7} {counts[KILLED]:6} {counts[SURVIVED]:8} {counts[TIMED_OUT]:9} {share}"


if __name__ == "__main__":
    sys.exit(main())
